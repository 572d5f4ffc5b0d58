import Dispatch
import Platform

/// Runs work later on a serial queue of its own.
final class LiveScheduler: Scheduler {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        let nanoseconds = Int(max(delay, .zero).wholeNanoseconds)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: action)
    }
}
