import Platform
import Scenarios

/// What became of each expected notification of one seed, so short that a report can keep it. The same seed of the same scenario
/// has the same activities and people whatever the notifier's settings or build are, so two runs are paired line by line.
package struct SeedDeliveries: Codable, Sendable, Equatable {
    /// A seed with more expected notifications keeps none of them: a part would pair with another part.
    static let kept = 20_000

    /// Who was registered, in alphabetical order.
    private(set) var people: [String] = []
    /// In the order of the activities, for each in that of the people.
    private(set) var rows: [Row] = []
    /// Expected notifications, kept or not.
    private(set) var inAll = 0

    /// One expected notification; in JSON an array of four.
    struct Row: Codable, Sendable, Equatable {
        /// Its number in the ledger.
        var activity: Int
        /// Position in `people`.
        var person: Int
        /// From the activity to the first moment the person could know; nil when it was missed. Rounded up.
        var knownMilliseconds: Int64?
        /// The part of the way to the first display that nobody is excused from; nil when no device showed it. Rounded up.
        var excessMilliseconds: Int64?
    }

    init() {}

    init(_ judged: JudgedRun) {
        let expected = judged.outcomes.filter(\.isExpected)
        inAll = expected.count
        guard inAll <= Self.kept else { return }
        people = judged.truth.people.map(\.text)
        rows = expected.map { outcome in
            let activity = judged.record.activities[outcome.pair.activity]
            let known = outcome.knownAt.map { max(0, $0 - activity.at.wholeNanoseconds) }
            return Row(
                activity: activity.number,
                person: outcome.pair.person,
                knownMilliseconds: known.map(Self.milliseconds),
                excessMilliseconds: outcome.split.map { Self.milliseconds($0.excess) }
            )
        }
    }

    private static func milliseconds(_ nanoseconds: Int64) -> Int64 { (nanoseconds + 999_999) / 1_000_000 }
}

extension SeedDeliveries.Row {
    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        activity = try values.decode(Int.self)
        person = try values.decode(Int.self)
        knownMilliseconds = try values.decode(Int64?.self)
        excessMilliseconds = try values.decode(Int64?.self)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(activity)
        try values.encode(person)
        try values.encode(knownMilliseconds)
        try values.encode(excessMilliseconds)
    }
}
