import Platform
import Scenarios

/// What clocks that were set cannot have touched: all that was over before the first of them was, and what goes by the clock on the wall alone and
/// is due long after the notifier's went right again.
struct ClockReach {
    /// From a first set clock to the last that is set right, and by how much the notifier's was off meanwhile at the most.
    private struct Trouble {
        var from: Duration
        var until: Duration
        var reach: Duration
    }

    /// Times of the record are told by several observers, and the notifier counts whole seconds.
    private static let margin = Duration.seconds(2)
    /// A clock that was set back is noticed with the next look, once a minute, after which all that waits is decided anew.
    private static let aftermath = Duration.minutes(15)
    /// Who is further off for a moment may look a day further ahead, and forget a day too much.
    private static let farthest = Duration.days(1)

    /// When the first clock was set; nil where none was.
    private let first: Duration?
    /// Nil where none was set, or nobody can tell when all was right again.
    private let trouble: Trouble?

    /// - Parameters:
    ///   - record: the run.
    ///   - harmless: clocks that play no part in what is judged. A fault that the plan does not have counts as one of any clock.
    init(_ record: RunRecord, without harmless: Set<ClockNode> = []) {
        let set = record.faults.filter { $0.kind.place == .clock }
        guard !set.isEmpty else {
            (first, trouble) = (nil, nil)
            return
        }
        let faults = FaultSpans(record)
        let harmful = set.map { (span: $0.span, effect: faults.effect(of: $0.id.text)) }.filter { fault in
            fault.effect?.clock.map { !harmless.contains($0) } ?? true
        }
        first = harmful.map { $0.span.from }.min()
        trouble = Self.trouble(of: harmful)
    }

    /// Nil where a clock ran fast or slow, which leaves it wrong, was not set back, or is another's than the notifier's.
    private static func trouble(of faults: [(span: Span, effect: FaultEffect?)]) -> Trouble? {
        var (off, reach) = (Duration.zero, Duration.zero)
        for fault in faults {
            switch fault.effect {
            case .clockStep(.notifier, let jump):
                off += jump
                reach += jump < .zero ? .zero - jump : jump
            case .clockOffset(.notifier, let offset): reach += offset < .zero ? .zero - offset : offset
            default: return nil
            }
        }
        guard off == .zero, reach <= farthest, let from = faults.map({ $0.span.from }).min(),
            let until = faults.map({ $0.span.until }).max()
        else { return nil }
        return Trouble(from: from, until: until, reach: reach)
    }

    /// Whether nothing until that instant went by a clock that was or had been set.
    func spares(until instant: Duration) -> Bool { first.map { instant + Self.margin < $0 } ?? true }

    /// Whether that holds of everything that became of a notification.
    func spares<Content>(_ sending: ReminderSending<Content>) -> Bool {
        let instants: [Duration] = [sending.at] + sending.attempts + [sending.acceptedAt].compactMap(\.self)
        return instants.allSatisfy(spares(until:))
    }

    /// Whether what is due then, by the clock on the wall, never was by one that was wrong. What that had made the notifier put off is decided anew
    /// when it goes right (docs/notification-rules.md, "What is due"; docs/duties.md).
    func isBehind(_ instant: Duration) -> Bool {
        trouble.map { $0.until + $0.reach + Self.aftermath < instant } ?? false
    }

    /// Whether nothing of what happened between two instants met a clock that was wrong.
    func isApart(from start: Duration, until end: Duration) -> Bool {
        guard let trouble else { return spares(until: end) }
        return end + Self.margin < trouble.from || trouble.until + Self.margin < start
    }
}
