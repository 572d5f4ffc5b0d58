import Scenarios
import Simulation

/// Counts how often the notifier reaches a step, as far as that shows outside, and acts at the last time.
///
/// Work on the database's executor stands for a commit: a crash before it keeps the commit from happening, one after it keeps
/// everything from happening that the commit would have led to.
///
/// Unchecked: simulation thread.
final class DurableStepObserver: @unchecked Sendable {
    private let step: DurableStep
    private var remaining: Int
    private let action: () -> Void
    /// The link of each exchange under way, as far as the step needs it.
    private var links: [Int64: String] = [:]
    private var tokenExchange: Int64?

    init(_ step: DurableStep, occurrence: Int, _ action: @escaping () -> Void) {
        self.step = step
        remaining = occurrence
        self.action = action
    }

    func serialJob(_ moment: JobMoment) {
        switch (step, moment) {
        case (.beforeCommit, .before), (.afterCommit, .after): reach()
        default: break
        }
    }

    func traceEvent(_ record: TraceRecord) {
        switch record.event {
        case .requestSent(let exchange, let link, _, let target, _):
            links[exchange] = link
            if target == "/oauth/token" { tokenExchange = exchange }
            if step == .beforePoll, link == Link.gitlab.rawValue { reach() }
            if step == .beforePush, link == Link.apns.rawValue { reach() }
        case .replySent(let exchange, _, _, _):
            if step == .afterPush, links[exchange] == Link.apns.rawValue { reach() }
        case .exchangeEnded(let exchange, _, _):
            let link = links.removeValue(forKey: exchange)
            if step == .afterTokenRefresh, exchange == tokenExchange { reach() }
            if step == .afterPollAnswer, link == Link.gitlab.rawValue { reach() }
            if step == .afterPushAnswer, link == Link.apns.rawValue { reach() }
        default: break
        }
    }

    private func reach() {
        guard remaining > 0 else { return }
        remaining -= 1
        if remaining == 0 { action() }
    }
}
