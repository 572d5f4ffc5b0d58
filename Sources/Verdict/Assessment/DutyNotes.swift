import Platform
import Scenarios

/// One thing that a push tells of a duty, by its key (docs/verdict.md).
enum DutyNote: Hashable {
    /// A turn came to its reader by what somebody did at that instant, in microseconds since 1970.
    case turn(DutyPlace, Int64)
    /// Somebody else did a turn or left it out, by the id of that.
    case ended(DutyPlace, String)
    /// A turn is near, or due, at that second since 1970.
    case ahead(DutyPlace, Int64)
    case due(DutyPlace, Int64)
    /// A key of none of these kinds, or of no occurrence that there is.
    case unknown(String)

    private static let prefix = "duty/"

    static func isAbout(_ key: String) -> Bool { key.hasPrefix(prefix) }

    /// Nil for the key of something else.
    init?(_ key: String, _ places: [String: DutyPlace]) {
        guard Self.isAbout(key) else { return nil }
        let parts = key.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let place = places[parts[1]] else {
            self = .unknown(key)
            return
        }
        switch parts[2] {
        case "turn": self = Int64(parts[3]).map { .turn(place, $0) } ?? .unknown(key)
        case "end": self = .ended(place, parts[3])
        case "ahead": self = Int64(parts[3]).map { .ahead(place, $0) } ?? .unknown(key)
        case "due": self = Int64(parts[3]).map { .due(place, $0) } ?? .unknown(key)
        default: self = .unknown(key)
        }
    }

    var place: DutyPlace? {
        switch self {
        case .turn(let place, _), .ended(let place, _), .ahead(let place, _), .due(let place, _): place
        case .unknown: nil
        }
    }
}

/// What one notification tells of duties.
struct DutyTelling {
    var notes: [DutyNote]
    var title: String
    var text: String
    /// What it calls the newest; nil where it tells of other things, too.
    var actionType: String?
    /// The turn that the newest is about; nil where it says none, or not all that it tells of is named.
    var turn: TurnContent?

    /// Nil for what tells of none, or reminds of what was told.
    init?(_ content: PushContent, _ places: [String: DutyPlace]) {
        notes = content.factKeys.compactMap { DutyNote($0, places) }
        guard !notes.isEmpty, content.reminder == nil else { return nil }
        (title, text) = (content.title, content.text)
        actionType = content.label.flatMap { $0.type == "duty" ? $0.actionType : nil }
        turn = content.isTruncated ? nil : content.label.flatMap { $0.type == "duty" ? $0.turn : nil }
    }
}
