import Platform
import Scenarios

/// How the notifier's clock on the wall was set and went wrong, told from the plan: what it is told to end at an instant ends by that.
struct NotifierClock {
    /// From an instant on, by how much it may be ahead: behind where it is less than nothing.
    private struct Reach {
        var from: Duration
        var least: Duration
        var most: Duration

        var isKnown: Bool { least == most }
    }

    /// In their order; the first is the whole time before a clock was touched.
    private let reaches: [Reach]

    init(_ record: RunRecord, faults: FaultSpans) {
        var changes: [(at: Duration, least: Duration, most: Duration)] = []
        for fault in record.faults {
            switch faults.effect(of: fault.id.text) {
            case .clockStep(.notifier, let jump): changes.append((fault.span.from, jump, jump))
            case .clockOffset(.notifier, let offset):
                changes.append((fault.span.from, offset, offset))
                changes.append((fault.span.until, .zero - offset, .zero - offset))
            case .clockDrift(.notifier, let partsPerMillion):
                // It stays as far off as it came to be.
                let gained = (fault.span.until - fault.span.from) / 1_000_000 * partsPerMillion
                changes.append((fault.span.from, min(gained, .zero), max(gained, .zero)))
            default: continue
            }
        }
        var reaches = [Reach(from: .zero, least: .zero, most: .zero)]
        var (least, most) = (Duration.zero, Duration.zero)
        for change in changes.sorted(by: { $0.at < $1.at }) {
            least += change.least
            most += change.most
            reaches.append(Reach(from: change.at, least: least, most: most))
        }
        self.reaches = reaches
    }

    /// By how much it may have been ahead between two instants, at the least and at the most.
    func lead(from start: Duration, until end: Duration) -> (least: Duration, most: Duration) {
        var found: [Reach] = []
        for (index, reach) in reaches.enumerated() {
            let next = index + 1 < reaches.count ? reaches[index + 1].from : nil
            if reach.from <= end, next.map({ start <= $0 }) ?? true { found.append(reach) }
        }
        return (found.map(\.least).min() ?? .zero, found.map(\.most).max() ?? .zero)
    }

    /// By how much it is ahead at an instant; nil where nobody can tell, as it runs fast or slow, or did.
    func lead(at instant: Duration) -> Duration? {
        guard reaches.count > 1, let reach = reaches.last(where: { $0.from <= instant }) else { return .zero }
        return reach.isKnown ? reach.least : nil
    }

    /// That it was set, or began to run fast or slow.
    struct Shift {
        /// From then on until all that waits has been looked at again, or nobody can tell what it shows.
        var span: Span
        /// By how much it was ahead before, and is; nil where nobody can tell.
        var former: Duration?
        var present: Duration?
    }

    /// What waits for an instant by the clock on the wall is looked at every ten minutes (docs/notification-rules.md).
    private static let aftermath = Duration.minutes(15)

    /// In their order.
    var shifts: [Shift] {
        reaches.indices.dropFirst().map { index in
            let (former, reach) = (reaches[index - 1], reaches[index])
            let settled = reach.from + Self.aftermath
            let next = index + 1 < reaches.count ? reaches[index + 1].from : .seconds(Int64.max / 2)
            return Shift(
                span: Span(from: reach.from, until: reach.isKnown ? settled : max(settled, next)),
                former: former.isKnown ? former.least : nil,
                present: reach.isKnown ? reach.least : nil
            )
        }
    }

    /// Whether what came in `later` may be dated no later than what came in `earlier`, as this clock was set back in between.
    func mayDate(_ later: Span, before earlier: Span) -> Bool {
        guard reaches.count > 1 else { return false }
        let from = later.from + lead(from: later.from, until: later.until).least
        return from <= earlier.until + lead(from: earlier.from, until: earlier.until).most
    }

    /// When something that began at `start` ends by this clock which ends at `end` by one that is right.
    ///
    /// - Returns: when it may first be over, and when it is over for good.
    func end(of end: Duration, from start: Duration) -> Span {
        guard reaches.count > 1 else { return Span(from: end, until: end) }
        var (first, last): (Duration?, Duration) = (nil, start)
        for (index, reach) in reaches.enumerated() {
            let next = index + 1 < reaches.count ? reaches[index + 1].from : nil
            let from = max(reach.from, start)
            if let next, next <= from { continue }
            let (earliest, latest) = (max(end - reach.most, from), max(end - reach.least, from))
            if first == nil, next.map({ earliest < $0 }) ?? true { first = earliest }
            if from < latest { last = min(latest, next ?? latest) }
        }
        return Span(from: first ?? last, until: max(last, first ?? last))
    }
}
