import Platform

/// One simulated process: its own executor, clock and random stream.
///
/// A node that has crashed or stopped stays so; a restart is a new node of the same name on the same disk.
///
/// Unchecked: simulation thread.
package final class Node: @unchecked Sendable {
    /// What the process is called: `notifier`, `phone-alex`.
    let name: String
    /// How many processes of this name came before.
    let incarnation: Int
    package let clock: NodeClock
    package let entropy: NodeEntropy

    let executor: NodeExecutor
    private let loop: EventLoop
    private let trace: Trace
    private var tasks: [Task<Void, Never>] = []

    init(name: String, incarnation: Int, executor: NodeExecutor, clock: NodeClock, entropy: NodeEntropy, world: World) {
        self.name = name
        self.incarnation = incarnation
        self.executor = executor
        self.clock = clock
        self.entropy = entropy
        loop = world.loop
        trace = world.trace
        trace.record(.nodeStarted(name: name, incarnation: incarnation), node: executor.number)
    }

    /// What nodes share with the simulation they belong to.
    struct World {
        var loop: EventLoop
        var trace: Trace
    }

    /// The number that stands for the node in the trace.
    package var number: UInt32 { executor.number }

    /// True until the node crashes or its process has ended.
    package var isAlive: Bool { executor.state == .running || executor.state == .stalled }

    /// For actors that want an executor of their own, such as the one that owns a database.
    package var serialExecutor: any SerialExecutor { executor.serial }

    /// From now on each job of `serialExecutor` takes so long, one after the other; none takes any time with zero, as at first.
    package func delaySerialJobs(by delay: Duration) {
        guard isAlive else { return }
        executor.delaySerialJobs(by: delay)
    }

    /// Starts a task of this node. Its children and the default actors it calls run on the node as well.
    ///
    /// The node keeps the task: `stop` cancels it, `crash` drops it.
    package func start(_ operation: @escaping @Sendable () async -> Void) {
        // Cancelled by `stop`; dropped by `crash`; otherwise ends by itself.
        tasks.append(Task(executorPreference: executor) { await operation() })
    }

    /// Starts a task for one request to this node. It ends by itself; `crash` drops it.
    package func serve(_ operation: @escaping @Sendable () async -> Void) {
        // Nobody cancels it: the handler has its own deadlines, and `crash` drops it.
        Task(executorPreference: executor) { await operation() }
    }

    /// Asks every task to end, as a terminating signal does. They end when the loop runs on.
    package func stop() {
        trace.record(.nodeStopped(name: name), node: executor.number)
        for task in tasks { task.cancel() }
        tasks = []
    }

    /// Ends the process where it stands: its jobs, timers and exchanges are dropped, nothing is closed.
    package func crash() {
        guard isAlive else { return }
        trace.record(.nodeCrashed(name: name), node: executor.number)
        executor.crash()
    }

    /// Ends the process, whose work is done: whatever it has left over is dropped, and nobody is answered any more.
    package func exit() {
        guard isAlive else { return }
        executor.crash()
    }

    /// Lets the tasks of a crashed node end, cancelled, when the loop runs on; the world has ended, and nothing they do counts.
    func bury() {
        executor.bury()
        for task in tasks { task.cancel() }
        tasks = []
    }

    /// Nothing of the node runs for `duration`; then everything that became due runs at once.
    package func stall(for duration: Duration) {
        guard executor.state == .running else { return }
        trace.record(.nodeStalled(name: name), node: executor.number)
        executor.stall()
        let executor = executor
        loop.schedule(ClosureEvent { executor.resume() }, at: loop.now.advanced(by: duration))
    }
}
