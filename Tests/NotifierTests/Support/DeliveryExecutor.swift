import Synchronization

/// Runs a job where it is enqueued and counts it. Enough for an actor that only one task uses.
final class CountingExecutor: SerialExecutor {
    private let jobs = Mutex(0)

    var count: Int { jobs.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.withLock { $0 += 1 }
        UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
    }
}
