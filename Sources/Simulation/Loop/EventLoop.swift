import Platform

/// The heart of a simulation: one queue of runnable jobs, one queue of timed events, one thread.
///
/// Jobs run from this loop, never inside `enqueue`, so their order is the order of enqueueing. When no job is left,
/// virtual time jumps to the next event. Nothing here waits for real time.
///
/// Unchecked: simulation thread.
final class EventLoop: @unchecked Sendable {
    private struct ReadyJob {
        var job: UnownedJob
        var executor: NodeExecutor
        /// Whether the job belongs to the node's serial executor or to its task executor.
        var isSerial: Bool
    }

    /// The present instant of virtual time.
    private(set) var now = MonotonicInstant(nanoseconds: 0)
    /// Jobs run and events fired so far: the measure of a simulation's work.
    private(set) var stepCount: Int64 = 0
    /// Called before every job when set: for folding the order of jobs into a digest.
    var onJob: ((NodeExecutor) -> Void)?
    /// Called before and after every job of a serial executor when set: for crashes at a step of a database.
    var onSerialJob: ((NodeExecutor, JobMoment) -> Void)?

    private var events = EventQueue()
    private var ready: [ReadyJob] = []
    private var readyHead = 0
    /// Picks among runnable jobs when set; the first one otherwise.
    private var exploration: RandomStream?

    init(exploration: RandomStream? = nil) {
        self.exploration = exploration
    }

    /// Fires `event` at `instant`, or as soon as possible when that has passed.
    func schedule(_ event: TimedEvent, at instant: MonotonicInstant, priority: UInt8 = 128) {
        events.insert(event, at: max(instant, now), priority: priority)
    }

    /// Puts a job at the end of the queue.
    func enqueue(_ job: UnownedJob, on executor: NodeExecutor, isSerial: Bool) {
        ready.append(ReadyJob(job: job, executor: executor, isSerial: isSerial))
    }

    /// Runs every job and event due until `end`, then stands at `end`; stops early when `shouldStop` says so.
    func run(until end: MonotonicInstant, shouldStop: () -> Bool = { false }) {
        while true {
            drainReadyJobs()
            guard !shouldStop() else { return }
            guard let next = events.nextInstant, next <= end, let (instant, event) = events.popFirst() else { break }
            guard !event.isCancelled else { continue }
            now = instant
            stepCount += 1
            event.fire()
        }
        if end > now { now = end }
    }

    /// Runs the jobs that are runnable now without letting time pass.
    func drainReadyJobs() {
        while readyHead < ready.count {
            let entry = takeReadyJob()
            run(entry)
        }
        ready.removeAll(keepingCapacity: true)
        readyHead = 0
    }

    /// Forgets everything that was still to happen, and with it what it refers to.
    func discard() {
        events = EventQueue()
        ready = []
        readyHead = 0
        onJob = nil
        onSerialJob = nil
    }

    /// When something is to run next: at once while jobs are runnable, else at the next event; nil when nothing is pending.
    var nextInstant: MonotonicInstant? { readyHead < ready.count ? now : events.nextInstant }

    private func takeReadyJob() -> ReadyJob {
        if exploration != nil, ready.count - readyHead > 1 {
            let offset = Int(exploration?.next(below: UInt64(ready.count - readyHead)) ?? 0)
            if offset > 0 { ready.swapAt(readyHead, readyHead + offset) }
        }
        defer { readyHead += 1 }
        if readyHead > 4_096 {
            ready.removeFirst(readyHead)
            readyHead = 0
        }
        return ready[readyHead]
    }

    private func run(_ entry: ReadyJob) {
        switch entry.executor.state {
        case .running, .buried:
            stepCount += 1
            onJob?(entry.executor)
            if entry.isSerial {
                runSerial(entry)
            } else {
                entry.job.runSynchronously(on: entry.executor.asUnownedTaskExecutor())
            }
        case .stalled:
            entry.executor.hold(entry.job, isSerial: entry.isSerial)
        case .crashed:
            // The job is dropped where it stands: no `defer`, no cancellation, until the world has ended.
            entry.executor.drop(entry.job, isSerial: entry.isSerial)
        }
    }

    private func runSerial(_ entry: ReadyJob) {
        onSerialJob?(entry.executor, .before)
        guard entry.executor.state == .running || entry.executor.state == .buried else { return run(entry) }
        entry.job.runSynchronously(on: entry.executor.serial.asUnownedSerialExecutor())
        onSerialJob?(entry.executor, .after)
    }
}

/// Where a watcher of jobs stands.
package enum JobMoment: Sendable {
    case before, after
}
