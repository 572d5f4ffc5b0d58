import Platform
import Scenarios

/// What clocks that were set cannot have touched: all that was over before the first of them was.
///
/// Behind the last one nothing is said. A clock that was set back does not undo what was decided, dated, told or left out by it meanwhile.
struct ClockReach {
    /// Times of the record are told by several observers, and the notifier counts whole seconds.
    private static let margin = Duration.seconds(2)

    /// When the first clock was set; nil where none was.
    private let first: Duration?

    /// - Parameters:
    ///   - record: the run.
    ///   - harmless: clocks that play no part in what is judged. A fault that the plan does not have counts as one of any clock.
    init(_ record: RunRecord, without harmless: ClockNode? = nil) {
        let set = record.faults.filter { $0.kind.place == .clock }
        guard let harmless, !set.isEmpty else {
            first = set.map(\.span.from).min()
            return
        }
        let faults = FaultSpans(record)
        first = set.filter { faults.effect(of: $0.id.text)?.clock != harmless }.map(\.span.from).min()
    }

    /// Whether nothing until that instant went by a clock that was or had been set.
    func spares(until instant: Duration) -> Bool { first.map { instant + Self.margin < $0 } ?? true }

    /// Whether that holds of everything that became of a notification.
    func spares<Content>(_ sending: ReminderSending<Content>) -> Bool {
        let instants: [Duration] = [sending.at] + sending.attempts + [sending.acceptedAt].compactMap(\.self)
        return instants.allSatisfy(spares(until:))
    }
}
