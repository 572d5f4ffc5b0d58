import HTTP
package import Platform

/// One simulated world: virtual time, nodes, a network, a trace. Everything in it happens on the thread that calls `run`.
///
/// Same seed, same code: same trace, in any process, alone or after other simulations.
///
/// Unchecked: simulation thread.
package final class Simulation: @unchecked Sendable {
    package let network: SimulatedNetwork
    package let trace: Trace
    /// The clock of the world around the nodes: what the fakes and the driver read.
    package let clock: NodeClock

    private let loop: EventLoop
    private let seed: UInt64
    private let start: WallTime
    private var nodes: [Node] = []
    private var incarnations: [String: Int] = [:]

    /// Makes a world whose wall clock stands at `start` and whose every random choice follows from `seed`.
    ///
    /// With `exploresSchedules` it picks among runnable jobs by seed instead of first come, first served.
    package init(
        seed: UInt64,
        start: WallTime,
        retention: Trace.Retention = .digestOnly,
        exploresSchedules: Bool = false
    ) {
        let loop = EventLoop(
            exploration: exploresSchedules ? RandomStream(seed: seed, stream: "exploration") : nil
        )
        let trace = Trace(loop: loop, retention: retention)
        self.loop = loop
        self.trace = trace
        self.seed = seed
        self.start = start
        clock = NodeClock(loop: loop, start: start)
        network = SimulatedNetwork(loop: loop, trace: trace, seed: seed)
        loop.onJob = { trace.foldJob(of: $0.number) }
    }

    /// The present instant of virtual time.
    package var now: MonotonicInstant { loop.now }

    /// Jobs run and events fired so far.
    package var stepCount: Int64 { loop.stepCount }

    /// When something is to run next, which is now while a task is runnable; nil when nothing will ever happen again by itself.
    package var nextInstant: MonotonicInstant? { loop.nextInstant }

    /// Starts a process. A name used before is a restart: a new process with a random stream of its own.
    /// `clock` is that of the machine it runs on, when that machine was there before.
    package func makeNode(_ name: String, clock: NodeClock? = nil) -> Node {
        let incarnation = incarnations[name, default: 0]
        incarnations[name] = incarnation + 1
        let entropy = NodeEntropy(stream: RandomStream(seed: seed, stream: "node.\(name).\(incarnation)"))
        let node = Node(
            name: name,
            incarnation: incarnation,
            executor: NodeExecutor(loop: loop, number: UInt32(nodes.count + 1)),
            clock: clock ?? NodeClock(loop: loop, start: start),
            entropy: entropy,
            world: Node.World(loop: loop, trace: trace)
        )
        nodes.append(node)
        return node
    }

    /// Calls `watcher` before and after each piece of work on a node's serial executor, with the node's number; nil ends it.
    ///
    /// A crash in `before` drops the piece of work, one in `after` whatever it would have led to.
    package func watchSerialJobs(_ watcher: ((UInt32, JobMoment) -> Void)?) {
        loop.onSerialJob = watcher.map { watcher in { watcher($0.number, $1) } }
    }

    /// A seeded stream of random numbers for the component of that name.
    package func randomStream(_ name: String) -> RandomStream {
        RandomStream(seed: seed, stream: name)
    }

    /// Ends the world: what was still to happen never will, and its memory is given back, that of crashed nodes too.
    package func discard() {
        trace.observer = nil
        network.discard()
        for node in nodes { node.bury() }
        // Cancelled tasks end at once, or after a pause that they do not let themselves be kept from.
        run(for: .minutes(1))
        nodes = []
        loop.discard()
    }

    /// Lets `duration` of virtual time pass.
    package func run(for duration: Duration) {
        run(until: loop.now.advanced(by: duration))
    }

    /// Lets virtual time pass until `end`, or until `shouldStop` says so after a step.
    package func run(until end: MonotonicInstant, shouldStop: () -> Bool = { false }) {
        loop.run(until: end, shouldStop: shouldStop)
    }
}

extension Simulation: Scheduler {
    package func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        loop.schedule(ClosureEvent(action), at: loop.now.advanced(by: delay))
    }
}
