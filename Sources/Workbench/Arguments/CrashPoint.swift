import JSON
import Platform
import Scenarios

/// Durable steps at which the notifier dies: one, or another in the process that follows as well.
struct CrashPoint: Hashable {
    /// A step and how often it is reached before the crash, from 1: since the beginning of the run, or of the process that follows.
    struct Place: Hashable {
        var step: DurableStep
        var occurrence: Int
    }

    var first: Place
    var second: Place?

    /// One or both.
    var places: [Place] { [first] + [second].compactMap(\.self) }

    /// As the command line takes it, such as `after-push:12` or `after-push:12+before-commit:3`.
    var text: String { places.map(\.text).joined(separator: "+") }

    /// The same in the name of a file.
    var fileName: String { text.replacing(":", with: "-") }

    init(step: DurableStep, occurrence: Int, then second: Place? = nil) {
        first = Place(step: step, occurrence: occurrence)
        self.second = second
    }

    /// Nil for what is no such text.
    init?(_ text: String) {
        let places = text.split(separator: "+", omittingEmptySubsequences: false).map { Place($0) }
        guard (1...2).contains(places.count), let first = places[0] else { return nil }
        guard places.count == 1 || places[1] != nil else { return nil }
        self.init(step: first.step, occurrence: first.occurrence, then: places.count == 2 ? places[1] : nil)
    }

    /// The names of the entries that they become in a timeline, in the order of the places.
    static let ids = ["swept-crash", "swept-crash-after-it"]

    /// Whether all of it came in a run in which these crashes struck, one after the other.
    func came(_ struck: [String]) -> Bool {
        struck.filter(Self.ids.contains).elementsEqual(Self.ids.prefix(places.count))
    }

    /// Starts that a crash of the format can wait for.
    private static let mostStarts = 100

    /// How long the notifier is away each time.
    static let downFor = Duration.seconds(5)

    /// The scenario with these crashes; `document` is one that was checked, and the disk keeps that much of writes that were not made sure
    /// of. Until the first crash the process has been started again so often by the scenario's own faults: nothing differs until then, so
    /// the run without a crash tells.
    func added(to document: JSONValue, keeping keeps: KeptWrites, startsBefore starts: Int) -> JSONValue {
        // So late a second crash is left out, and told as one that never came.
        let second = starts < Self.mostStarts ? second : nil
        let entries =
            [first.entry(afterRestarts: 0, keeps)] + [second].compactMap { $0?.entry(afterRestarts: starts + 1, keeps) }
        return .object(
            (document.members ?? []).map { member in
                guard member.key == "timeline", case .array(let others) = member.value else { return member }
                return JSONMember("timeline", .array(entries + others))
            }
        )
    }
}

extension CrashPoint.Place {
    var text: String { "\(step.rawValue):\(occurrence)" }

    /// Nil for what is no step with its number.
    fileprivate init?(_ text: Substring) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let step = DurableStep(rawValue: String(parts[0])),
            parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let occurrence = Int(parts[1]),
            (1...1_000_000).contains(occurrence)
        else { return nil }
        self.init(step: step, occurrence: occurrence)
    }

    fileprivate func entry(afterRestarts restarts: Int, _ keeps: KeptWrites) -> JSONValue {
        var members = [
            JSONMember("at", .string("0s")), JSONMember("fault", .string(FaultKind.crashAtStep.rawValue)),
            JSONMember("id", .string(CrashPoint.ids[restarts == 0 ? 0 : 1])),
            JSONMember("step", .string(step.rawValue)), JSONMember("occurrence", .integer(Int64(occurrence))),
        ]
        if restarts > 0 { members.append(JSONMember("afterRestarts", .integer(Int64(restarts)))) }
        if keeps != .all { members.append(JSONMember("keeps", .string(keeps.rawValue))) }
        members.append(JSONMember("downFor", .string(DurationNotation.text(CrashPoint.downFor))))
        return .object(members)
    }
}

extension StepCounts {
    /// How often the process has been started again when the run is there.
    func starts(before place: CrashPoint.Place) -> Int {
        beforeStarts.count { $0[place.step.rawValue, default: 0] < place.occurrence }
    }
}

extension CrashPoint: Comparable {
    static func < (left: CrashPoint, right: CrashPoint) -> Bool { left.rank.lexicographicallyPrecedes(right.rank) }

    private var rank: [Int] { places.flatMap(\.rank) }
}

extension CrashPoint.Place {
    fileprivate var rank: [Int] { [DurableStep.allCases.firstIndex(of: step) ?? 0, occurrence] }
}
