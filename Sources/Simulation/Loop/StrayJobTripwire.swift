import Glibc
import Runtime
import Synchronization

/// Notices jobs that leave a simulation's thread for the global pool: a `Task {}`, a `Task.detached` or an actor that was
/// not carried along would run in real time, and the run would no longer be determined by its seed.
///
/// It stands on `swift_task_enqueueGlobal_hook`, which the concurrency runtime exports on Linux. The hook is one
/// variable per process; jobs that other threads enqueue pass through untouched.
package enum StrayJobTripwire {
    /// A job that went astray: how the runtime names it, and the code that enqueued it, innermost first.
    package struct StrayJob: Sendable, Equatable {
        package var job: String
        package var enqueuedBy: [String]
    }

    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Installed once; false when the runtime does not export the hook.
    static let isAvailable: Bool = {
        guard let handle = dlopen(nil, RTLD_LAZY), let symbol = dlsym(handle, "swift_task_enqueueGlobal_hook") else {
            return false
        }
        symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
            noteIfStray(job)
            original(job)
        }
        return true
    }()

    private static let strays = Mutex<[UInt: [StrayJob]]>([:])

    /// Watches the calling thread while `body` runs; returns what went astray, at most 16 jobs.
    package static func watch(_ body: () -> Void) -> [StrayJob] {
        guard isAvailable else {
            body()
            return []
        }
        let thread = UInt(pthread_self())
        strays.withLock { $0[thread] = [] }
        body()
        return strays.withLock { $0.removeValue(forKey: thread) } ?? []
    }

    private static func noteIfStray(_ job: UnownedJob) {
        let thread = UInt(pthread_self())
        strays.withLock { watched in
            guard let known = watched[thread], known.count < 16 else { return }
            watched[thread] = known + [StrayJob(job: "\(job)", enqueuedBy: callers())]
        }
    }

    /// The functions on the stack, innermost first, without this file's own and the runtime's.
    private static func callers() -> [String] {
        guard let trace = try? Backtrace.capture(limit: 32), let symbols = trace.symbolicated() else { return [] }
        return symbols.frames.compactMap { $0.symbol?.name }
            .filter { !$0.contains("StrayJobTripwire") && !$0.hasPrefix("swift_") && !$0.hasPrefix("_swift") }
    }
}
