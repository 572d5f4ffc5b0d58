/// What a comparison knows of one seed of one report.
struct ComparedSeed: Sendable, Equatable {
    var seed: UInt64
    /// Nil when the notifier crashed under it.
    var figures: Figures?

    struct Figures: Sendable, Equatable {
        /// Equal: the same events.
        var behaviour = ""
        /// On the fake GitLab: part of the world, whatever the notifier does.
        var activities = 0
        var expected = 0
        var missed = 0
        var duplicates = 0
        var unexpected = 0
        /// Nil, as the next one, where an older program did not tell.
        var reminders: ReminderCounts?
        var wrongUnreadNumbers: Int?
        var invariantsBroken = 0
        var requests = 0
        var latency: LatencyHistogram
        var excess: LatencyHistogram
        var longest: Int64?
        var longestExcess: Int64?
        /// In the order of the file.
        var deliveries: [Delivery] = []
        var deliveriesLeftOut = 0
    }

    /// One expected notification.
    struct Delivery: Sendable, Equatable {
        var activity: Int
        var person: String
        /// Milliseconds; nil when it was missed.
        var known: Int64?
        /// Milliseconds; nil when no device showed it.
        var excess: Int64?
    }

    init(seed: UInt64, figures: Figures?) {
        self.seed = seed
        self.figures = figures
    }

    /// Nil for what no program writes.
    init?(_ line: SeedLine) {
        seed = line.seed
        guard line.crash == nil else { return }
        guard let counts = line.counts, let requests = line.requests, let histograms = line.histograms,
            let deliveries = line.deliveries,
            let latency = LatencyHistogram(buckets: histograms.latency.buckets),
            let excess = LatencyHistogram(buckets: histograms.excessLatency.buckets),
            let rows = Self.deliveries(deliveries)
        else { return nil }
        let numbers = [
            counts.activities, counts.expected, counts.missed, counts.duplicates, counts.unexpected,
            counts.invariantsBroken, requests.gitlab, deliveries.leftOut, counts.remindersExpected ?? 0,
            counts.remindersMissed ?? 0, counts.remindersLate ?? 0, counts.remindersUnexpected ?? 0,
            counts.wrongUnreadNumbers ?? 0,
        ]
        guard numbers.allSatisfy({ (0...1_000_000_000).contains($0) }) else { return nil }
        figures = Figures(
            behaviour: line.behaviour ?? "",
            activities: counts.activities,
            expected: counts.expected,
            missed: counts.missed,
            duplicates: counts.duplicates,
            unexpected: counts.unexpected,
            reminders: ReminderCounts(counts),
            wrongUnreadNumbers: counts.wrongUnreadNumbers,
            invariantsBroken: counts.invariantsBroken,
            requests: requests.gitlab,
            latency: latency,
            excess: excess,
            longest: histograms.latency.maxMilliseconds,
            longestExcess: histograms.excessLatency.maxMilliseconds,
            deliveries: rows,
            deliveriesLeftOut: deliveries.leftOut
        )
    }

    private static func deliveries(_ data: SeedLine.Deliveries) -> [Delivery]? {
        var deliveries: [Delivery] = []
        deliveries.reserveCapacity(data.rows.count)
        for row in data.rows {
            guard row.count == 4, let activity = row[0].flatMap(Int.init(exactly:)),
                let person = row[1].flatMap(Int.init(exactly:)), data.people.indices.contains(person)
            else { return nil }
            deliveries.append(
                Delivery(activity: activity, person: data.people[person], known: row[2], excess: row[3])
            )
        }
        return deliveries
    }
}

extension ReminderCounts {
    /// Nil unless the line tells all of them.
    fileprivate init?(_ counts: SeedLine.Counts) {
        guard let expected = counts.remindersExpected, let missed = counts.remindersMissed,
            let late = counts.remindersLate, let unexpected = counts.remindersUnexpected
        else { return nil }
        self.init(expected: expected, missed: missed, late: late, unexpected: unexpected)
    }
}
