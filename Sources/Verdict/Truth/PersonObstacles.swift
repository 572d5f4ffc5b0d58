import Platform
import Scenarios

/// What stood between GitLab and one person's notifications, and between the outbox and APNs.
struct PersonObstacles {
    /// While any of it lasts, nothing can be read for the person; backoff is the notifier's own choice.
    var reading: Obstacles
    /// While any of it lasts, nothing can be sent.
    var sending: Obstacles
    /// While any of it lasts, nothing at all can be read, whatever the request.
    private var silence: Obstacles
    /// While any of it lasts, GitLab refuses nobody's token in particular.
    private var asking: Obstacles

    init(_ record: RunRecord, person: Username, faults: FaultSpans, log: NotifierLog) {
        let stops = (record.downtimes + faults.stalled).map { (owner: LatencyOwner.downtime, span: $0) }
        var spans = stops + faults.gitlabDown.map { (.outage, $0) }
        spans += tokens(record, person)
        for wait in log.waits where wait.person == nil || wait.person == person {
            // What a notifier waits beyond GitLab's wish is its own choice.
            spans.append((.backoff, wait.span))
            guard wait.owner == .rateLimit else { continue }
            spans += faults.excused(wait.span).map { (.rateLimit, $0) }
        }
        asking = Obstacles(
            spans.filter { $0.owner != .token && $0.owner != .backoff },
            priority: [.outage, .downtime, .rateLimit]
        )
        silence = Obstacles(
            record.downtimes.map { (.downtime, $0) } + faults.gitlabSilent.map { (.outage, $0) }
                + tokens(record, person),
            priority: [.outage, .token, .downtime]
        )
        reading = Obstacles(spans, priority: [.outage, .token, .downtime, .rateLimit, .backoff])
        let refused = faults.apnsDown(for: person).map { (owner: LatencyOwner.outage, span: $0) }
        sending = Obstacles(stops + refused, priority: [.outage, .downtime])
    }

    /// The first moment from `instant` on at which any request can have told of something.
    func earliest(from instant: Duration) -> Int64 { silence.clear(from: instant.wholeNanoseconds) }

    /// The first moment from `instant` on at which a poll could have succeeded.
    func readable(from instant: Duration) -> Int64 {
        reading.clear(from: instant.wholeNanoseconds, ignoring: [.backoff])
    }

    /// Whether APNs could not be reached, or nobody was there to reach it, at some time between the two instants.
    func isSendingObstructed(from start: Duration, until end: Duration) -> Bool {
        let length = (end - start).wholeNanoseconds
        return sending.end(ofClear: length, from: start.wholeNanoseconds) != end.wholeNanoseconds
    }

    /// When what stands in the outbox from `instant` on must have been tried: after `grace` of time in which APNs could be reached.
    func sendingDeadline(from instant: Duration, grace: Duration) -> Duration {
        .nanoseconds(sending.end(ofClear: grace.wholeNanoseconds, from: instant.wholeNanoseconds))
    }

    /// When a refused token must have been found out: after `grace` of time in which GitLab could be asked.
    func refusalDeadline(from instant: Duration, grace: Duration) -> Duration {
        .nanoseconds(asking.end(ofClear: grace.wholeNanoseconds, from: instant.wholeNanoseconds))
    }

    /// When what is readable from `instant` on must have been read: after `grace` of time in which a poll could have succeeded.
    func deadline(from instant: Duration, grace: Duration) -> Duration {
        .nanoseconds(reading.end(ofClear: grace.wholeNanoseconds, from: instant.wholeNanoseconds, ignoring: [.backoff]))
    }
}

/// When GitLab did not take the person's token.
private func tokens(_ record: RunRecord, _ person: Username) -> [(owner: LatencyOwner, span: Span)] {
    record.registrations.filter { $0.person == person }
        .flatMap(\.unserved)
        .map { (.token, $0) }
}
