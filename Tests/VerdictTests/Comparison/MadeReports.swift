@testable import Verdict

/// Reports made by hand, to be compared.
enum MadeReports {
    /// What one seed shows; a number of milliseconds for each notification.
    struct Seed {
        var excess: [Int64]
        var missed: Set<Int> = []
        var requests = 1_000
        var duplicates = 0
        var reminders: ReminderCounts? = ReminderCounts()
        var wrongUnreadNumbers: Int? = 0
        var invariantsBroken = 0
        var activities = 100
        var behaviour = ""
        var isCrashed = false
    }

    static func make(
        _ seeds: [Seed],
        from first: UInt64 = 1,
        scenario: String = "made",
        world: String? = "0123456789abcdef",
        gates: [ComparedSummary.Gate] = [],
        path: String = "reports/made"
    ) -> ComparedReport {
        let numbers = seeds.indices.map { first + UInt64($0) }
        let compared = zip(numbers, seeds).map { ComparedSeed(seed: $0, figures: $1.isCrashed ? nil : figures($1)) }
        let summary = ComparedSummary(
            scenario: scenario,
            build: "3f2c9ab",
            seeds: numbers,
            gates: gates,
            world: world,
            settings: [:]
        )
        return ComparedReport(path: path, summary: summary, seeds: compared)
    }

    private static func figures(_ seed: Seed) -> ComparedSeed.Figures {
        let kept = seed.excess.enumerated().filter { !seed.missed.contains($0.offset) }
        let histogram = LatencyHistogram(
            LatencySamples(nanoseconds: kept.map { $0.element * 1_000_000 })
        )
        var figures = ComparedSeed.Figures(latency: histogram, excess: histogram)
        figures.behaviour = seed.behaviour
        figures.activities = seed.activities
        figures.expected = seed.excess.count
        figures.missed = seed.missed.count
        figures.duplicates = seed.duplicates
        figures.reminders = seed.reminders
        figures.wrongUnreadNumbers = seed.wrongUnreadNumbers
        figures.invariantsBroken = seed.invariantsBroken
        figures.requests = seed.requests
        figures.longest = kept.map(\.element).max()
        figures.longestExcess = figures.longest
        figures.deliveries = seed.excess.enumerated().map { index, value in
            let isMissed = seed.missed.contains(index)
            return ComparedSeed.Delivery(
                activity: index,
                person: "maria",
                known: isMissed ? nil : value,
                excess: isMissed ? nil : value
            )
        }
        return figures
    }

    /// So many seeds with latencies that differ from seed to seed, all moved by `shift`; `luck` chooses other ones that are no worse.
    static func seeds(_ count: Int, shift: Int64 = 0, luck: Int64 = 0) -> [Seed] {
        (0..<count).map { seed in
            Seed(
                excess: (0..<40).map { number in
                    let spread = (Int64(number) * 7_919 + Int64(seed) * 104_729 + luck * 15_485_863) % 20_000
                    return 10_000 + spread + shift
                },
                requests: 1_000 + Int((Int64(seed) * 31 + luck * 17) % 23)
            )
        }
    }
}
