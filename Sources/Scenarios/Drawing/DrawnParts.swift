import JSON

/// The drawn settings and entries of a world. What the checks refuse is drawn again in the first rounds and left out in the last.
struct DrawnParts {
    private static let rounds = 6
    /// In each of these what is refused is left out, until nothing rests on what was left out before.
    private static let lastRounds = 12

    var settings: [JSONMember]
    var timeline: [JSONValue]
    /// How many of them the checks refused.
    private(set) var refused = 0
    private var round = 1

    init(settings: [JSONMember], timeline: [JSONValue]) {
        self.settings = settings
        self.timeline = timeline
    }

    /// Leaves out that at which the problems lie, and says how many entries are to be drawn in its place; nil where they lie elsewhere, or there
    /// were too many rounds.
    mutating func leaveOut(_ problems: [Problem]) -> Int? {
        let culprits = Set(problems.compactMap { Self.culprit($0.pointer) })
        guard !culprits.isEmpty, round <= Self.rounds + Self.lastRounds else { return nil }
        defer { round += 1 }
        refused += culprits.count
        settings.removeAll { culprits.contains("notifier/\($0.key)") }
        if culprits.contains("notifier") { settings = [] }
        let lost = timeline.indices.filter { culprits.contains("timeline/\($0)") }
        for index in lost.reversed() { timeline.remove(at: index) }
        return round <= Self.rounds ? lost.count : 0
    }

    /// The entry or setting at which a problem lies.
    private static func culprit(_ pointer: String) -> String? {
        let parts = pointer.split(separator: "/")
        guard let first = parts.first, first == "timeline" || first == "notifier" else { return nil }
        return parts.prefix(2).joined(separator: "/")
    }
}
