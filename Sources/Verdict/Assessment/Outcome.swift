/// What became of one activity for one person. Instants are nanoseconds since the start.
struct Outcome {
    var pair: TruthPair
    /// Everything that names it, as positions in the record's arrays.
    var trail = Observations.Trail()
    var enqueuedAt: Int64?
    var acceptedAt: Int64?
    /// The position of the device event that first showed it.
    var display: Int?
    var displayedAt: Int64?
    var caughtUpAt: Int64?
    /// Positions of device events that showed it again as something new.
    var duplicates: [Int] = []
    /// How the time to the first display splits; nil when no device showed it.
    var split: LatencySplit?
    /// Set when it was expected and never became known.
    var cause: MissCause?

    /// When the person could first know of it.
    var knownAt: Int64? { [displayedAt, caughtUpAt].compactMap { $0 }.min() }

    var isExpected: Bool { pair.standing.isExpected }
    var isMissed: Bool { isExpected && knownAt == nil }
}
