import Platform

/// Runs the tasks of one node on the simulation's loop.
///
/// Passed as task-executor preference it carries a root task, its child tasks and the default actors they call.
///
/// Unchecked: simulation thread.
final class NodeExecutor: TaskExecutor, @unchecked Sendable {
    /// `running` → `stalled` → `running`; both → `crashed`, which is final as long as the world lives; then → `buried`, in which
    /// tasks run once more to give back what they hold.
    enum State {
        case running, stalled, crashed, buried
    }

    private(set) var state = State.running
    /// A small number that stands for the node in traces and digests.
    let number: UInt32
    /// For actors that want an executor of their own (a database actor): the same queue, the same fate.
    private(set) lazy var serial = NodeSerialExecutor(self)

    private unowned let loop: EventLoop
    private var held: [(job: UnownedJob, isSerial: Bool)] = []
    /// How long each job of the serial executor waits for the one before it to be done.
    private var serialDelay = Duration.zero
    /// Jobs of the serial executor that wait, in their order; each has an event.
    private var waiting: [UnownedJob] = []
    /// When the last of them runs.
    private var serialFreeAt = MonotonicInstant(nanoseconds: 0)
    /// What would have run after the crash: at most one job for each task of then.
    private var dropped: [(job: UnownedJob, isSerial: Bool)] = []

    init(loop: EventLoop, number: UInt32) {
        self.loop = loop
        self.number = number
    }

    func enqueue(_ job: consuming ExecutorJob) {
        loop.enqueue(UnownedJob(job), on: self, isSerial: false)
    }

    fileprivate func enqueueSerial(_ job: UnownedJob) {
        guard serialDelay > .zero, state == .running || state == .stalled else {
            return loop.enqueue(job, on: self, isSerial: true)
        }
        serialFreeAt = max(loop.now, serialFreeAt).advanced(by: serialDelay)
        waiting.append(job)
        loop.schedule(ClosureEvent { [self] in runWaiting() }, at: serialFreeAt)
    }

    private func runWaiting() {
        // Let go already: the delay has ended, or the node.
        guard !waiting.isEmpty else { return }
        loop.enqueue(waiting.removeFirst(), on: self, isSerial: true)
    }

    /// From now on each job of the serial executor takes so long; with zero what waits runs now.
    func delaySerialJobs(by delay: Duration) {
        serialDelay = delay
        guard delay == .zero else { return }
        let jobs = waiting
        waiting = []
        serialFreeAt = loop.now
        for job in jobs { loop.enqueue(job, on: self, isSerial: true) }
    }

    /// Keeps a job until the stall ends.
    func hold(_ job: UnownedJob, isSerial: Bool) {
        held.append((job, isSerial))
    }

    /// From now on nothing of the node runs.
    func stall() {
        precondition(state != .crashed, "a crashed node cannot stall")
        state = .stalled
    }

    /// What was held runs, in the order in which it became runnable. No effect on a crashed node.
    func resume() {
        guard state == .stalled else { return }
        state = .running
        let jobs = held
        held = []
        for entry in jobs { loop.enqueue(entry.job, on: self, isSerial: entry.isSerial) }
    }

    /// Nothing of the node runs again before the world ends.
    func crash() {
        state = .crashed
        dropped += held + waiting.map { ($0, true) }
        (held, waiting) = ([], [])
    }

    /// Takes a job that a crashed node would have run.
    func drop(_ job: UnownedJob, isSerial: Bool) {
        dropped.append((job, isSerial))
    }

    /// Lets a crashed node's tasks end: a task that never runs again would keep its memory, and all that it refers to, for ever.
    func bury() {
        guard state == .crashed else { return }
        state = .buried
        let jobs = dropped
        dropped = []
        for entry in jobs { loop.enqueue(entry.job, on: self, isSerial: entry.isSerial) }
    }
}

/// The serial-executor face of a `NodeExecutor`.
///
/// Unchecked: simulation thread.
final class NodeSerialExecutor: SerialExecutor, @unchecked Sendable {
    private unowned let executor: NodeExecutor

    init(_ executor: NodeExecutor) {
        self.executor = executor
    }

    func enqueue(_ job: consuming ExecutorJob) {
        executor.enqueueSerial(UnownedJob(job))
    }
}
