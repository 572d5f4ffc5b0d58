import Dispatch
import Synchronization
import Verdict

/// Lets a thread of a command wait for asynchronous work.
enum LiveBlocking {
    /// What `work` returns. Blocks the calling thread, which must not be one of a task's: the work may need that.
    ///
    /// - Throws: what `work` throws.
    static func result<Value: Sendable, Failure: Error>(
        of work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let outcome = Outcome<Value, Failure>()
        let hasEnded = DispatchSemaphore(value: 0)
        // Nobody cancels it: the caller waits until it has ended.
        Task {
            let result: Result<Value, Failure>
            do throws(Failure) {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            outcome.result.withLock { $0 = result }
            hasEnded.signal()
        }
        hasEnded.wait()
        guard let result = outcome.result.withLock({ $0 }) else { preconditionFailure("what has ended has a result") }
        return try result.get()
    }

    private final class Outcome<Value: Sendable, Failure: Error>: Sendable {
        let result = Mutex<Result<Value, Failure>?>(nil)
    }
}
