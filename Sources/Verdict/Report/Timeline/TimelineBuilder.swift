import Platform
import Scenarios

/// Makes the timeline of a run from its record and what it was judged to be.
struct TimelineBuilder {
    private let judged: JudgedRun
    private var timeline: RunTimeline

    init(_ judged: JudgedRun) {
        self.judged = judged
        timeline = RunTimeline(
            seed: judged.record.resolved.seed,
            lengthMilliseconds: judged.record.simulated.wholeMilliseconds
        )
    }

    func made() -> RunTimeline {
        var builder = self
        builder.addFaults()
        builder.addNotifications()
        builder.addMarks()
        builder.addTraffic()
        builder.addQueue()
        return builder.timeline
    }

    // MARK: faults

    private mutating func addFaults() {
        let record = judged.record
        timeline.faultsInAll = record.faults.count
        timeline.faults = record.faults.prefix(RunTimeline.kept).map { fault in
            RunTimeline.Fault(
                id: fault.id.text,
                kind: fault.kind.rawValue,
                from: fault.span.from.wholeMilliseconds,
                until: min(timeline.lengthMilliseconds, fault.span.until.wholeMilliseconds)
            )
        }
        timeline.downtimesInAll = record.downtimes.count
        timeline.downtimes = record.downtimes.prefix(RunTimeline.kept).map {
            [$0.from.wholeMilliseconds, min(timeline.lengthMilliseconds, $0.until.wholeMilliseconds)]
        }
    }

    // MARK: notifications

    private mutating func addNotifications() {
        let points = judged.outcomes.compactMap(point).enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        timeline.displayed = points.count
        if points.count > RunTimeline.pointsDrawn { timeline.cells = cells(points) }
        timeline.points = slowest(points)
        let byColumn = Dictionary(grouping: points) { timeline.column(of: $0.at) }
        for (column, points) in byColumn {
            let samples = LatencySamples(nanoseconds: points.map { $0.latency * 1_000_000 })
            timeline.slots[column].displayed = samples.count
            timeline.slots[column].p50 = samples.percentile(50)
            timeline.slots[column].p95 = samples.percentile(95)
            timeline.slots[column].longest = points.map(\.latency).max()
        }
    }

    /// As many as are listed, in the order they came in.
    private func slowest(_ points: [RunTimeline.Point]) -> [RunTimeline.Point] {
        guard points.count > RunTimeline.pointsKept else { return points }
        let kept = points.indices.sorted { (points[$1].latency, $0) < (points[$0].latency, $1) }
            .prefix(RunTimeline.pointsKept).sorted()
        return kept.map { points[$0] }
    }

    private func point(_ outcome: Outcome) -> RunTimeline.Point? {
        guard outcome.isExpected, let split = outcome.split else { return nil }
        let activity = judged.record.activities[outcome.pair.activity]
        let start = activity.at.wholeNanoseconds
        func after(_ instant: Int64?) -> Int64? { instant.map { max(0, $0 - start) / 1_000_000 } }
        let pushed = outcome.trail.pushes.first.map { judged.record.pushes[$0].at.wholeNanoseconds }
        return RunTimeline.Point(
            at: activity.at.wholeMilliseconds,
            latency: (split.total + 999_999) / 1_000_000,
            owner: (split.ranked.first?.owner ?? .device).rawValue,
            activity: activity.number,
            kind: activity.kind.rawValue,
            actor: activity.actor.text,
            item: activity.item?.description,
            person: judged.truth.people[outcome.pair.person].text,
            abnormal: Ledger(judged: judged).marks(outcome).first,
            visible: after(activity.readableFrom.wholeNanoseconds),
            polled: after(judged.polledAt(outcome)),
            held: after(judged.heldAt(outcome)),
            told: after(outcome.enqueuedAt),
            pushed: after(pushed)
        )
    }

    private func cells(_ points: [RunTimeline.Point]) -> [RunTimeline.Cell] {
        var counts = [Int](repeating: 0, count: RunTimeline.columns * LatencyRows.count)
        for point in points {
            counts[timeline.column(of: point.at) * LatencyRows.count + LatencyRows.row(of: point.latency)] += 1
        }
        return counts.indices.filter { counts[$0] > 0 }.map { index in
            RunTimeline.Cell(
                column: index / LatencyRows.count,
                row: index % LatencyRows.count,
                count: counts[index]
            )
        }
    }

    private mutating func addMarks() {
        let abnormal = Ledger(judged: judged).abnormal(limit: RunTimeline.kept)
        let marks = abnormal.lines.map { line in
            RunTimeline.Mark(
                at: line.atNanoseconds / 1_000_000,
                what: line.abnormal.first ?? "unexpected",
                activity: line.activity,
                kind: line.kind,
                actor: line.actor,
                item: line.item,
                person: line.person,
                cause: line.cause
            )
        }
        timeline.marksInAll = abnormal.inAll
        timeline.marks = marks.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    // MARK: traffic

    private mutating func addTraffic() {
        let record = judged.record
        timeline.people = judged.truth.people.count
        timeline.budgetPerHour = record.requestsPerHour
        timeline.limit = record.resolved.scenario.world.gitlab.authenticatedLimit.map {
            RunTimeline.Limit(requests: $0.requests, seconds: $0.period.wholeMilliseconds / 1_000)
        }
        for (minute, traffic) in record.gitlabPerMinute.enumerated() {
            let column = timeline.column(of: Int64(minute) * 60_000)
            timeline.slots[column].requests += traffic.requests
            timeline.slots[column].busiestMinute = max(timeline.slots[column].busiestMinute, traffic.requests)
            timeline.slots[column].refused += traffic.refused
            timeline.slots[column].polls += traffic.polls
        }
        for push in record.pushes { timeline.slots[timeline.column(of: push.at.wholeMilliseconds)].pushes += 1 }
    }

    /// Who waits from being enqueued until APNs accepts it: a column shows the most that waited at once.
    private mutating func addQueue() {
        var spans: [String: (from: Int64, until: Int64)] = [:]
        for outcome in judged.outcomes {
            guard let from = outcome.enqueuedAt, let until = outcome.acceptedAt, from <= until else { continue }
            for enqueue in outcome.trail.enqueues.prefix(1) {
                let id = judged.log.enqueues[enqueue].notificationID
                spans[id] = (min(from, spans[id]?.from ?? from), min(until, spans[id]?.until ?? until))
            }
        }
        var changes = spans.values.flatMap { [(at: $0.from, by: 1), (at: $0.until, by: -1)] }
        // What leaves at an instant does so after what came at it: a queue that is passed at once was one long.
        changes.sort { ($0.at, -$0.by) < ($1.at, -$1.by) }
        var depth = 0
        var column = 0
        for change in changes {
            let next = timeline.column(of: change.at / 1_000_000)
            while column < next {
                column += 1
                timeline.slots[column].queued = max(timeline.slots[column].queued, depth)
            }
            depth += change.by
            timeline.slots[column].queued = max(timeline.slots[column].queued, depth)
        }
    }
}
