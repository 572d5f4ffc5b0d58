import Synchronization

/// Whether a request's client still waits for its answer. A server says so once; who works on the answer may stop then.
package final class HTTPPresence: Sendable {
    private struct State {
        var isGone = false
        var watchers: [Int: @Sendable () -> Void] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// True once the client has hung up.
    package var isGone: Bool { state.withLock { $0.isGone } }

    /// The client has hung up. Who watches is told, once.
    package func leave() {
        let watchers = state.withLock { state in
            state.isGone = true
            defer { state.watchers = [:] }
            return state.watchers.sorted { $0.key < $1.key }.map(\.value)
        }
        for watcher in watchers { watcher() }
    }

    /// Does `work`, and cancels it when the client hangs up before it is done.
    package func during<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result {
        let (departure, continuation) = AsyncStream<Void>.makeStream()
        let number = watch { continuation.finish() }
        defer { forget(number) }
        return await withTaskGroup(of: Result?.self) { group in
            group.addTask { await work() }
            group.addTask {
                for await _ in departure {}
                return nil
            }
            var result: Result?
            while let ended = await group.next() {
                // The one that is left ends at once; the work's own result counts even then.
                group.cancelAll()
                if let ended { result = ended }
            }
            guard let result else { preconditionFailure("the work gives a result, cancelled or not") }
            return result
        }
    }

    private func watch(_ act: @escaping @Sendable () -> Void) -> Int {
        let (number, isGone) = state.withLock { state in
            state.count += 1
            if !state.isGone { state.watchers[state.count] = act }
            return (state.count, state.isGone)
        }
        if isGone { act() }
        return number
    }

    private func forget(_ number: Int) {
        state.withLock { $0.watchers[number] = nil }
    }
}
