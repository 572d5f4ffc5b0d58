import Platform
import Simulation
import Synchronization

/// Virtual time and one thread, so that bytes lead to the same steps whenever they come.
struct VirtualWorld {
    /// 2 March 2026, 09:00 UTC, when corpora are written.
    static let start = WallTime(secondsSinceEpoch: 1_772_442_000)

    let simulation: Simulation
    let node: Node

    init() {
        simulation = Simulation(seed: 1, start: Self.start)
        node = simulation.makeNode("fuzzed")
    }

    /// Runs `body` to its end, for which `limit` of virtual time may pass; nil when it is not over then.
    func finish<Result: Sendable>(
        within limit: Duration = .seconds(600),
        _ body: @escaping @Sendable () async -> Result
    ) -> Result? {
        let result = Holder<Result>()
        node.serve { result.value = await body() }
        simulation.run(until: simulation.now.advanced(by: limit)) { result.value != nil }
        return result.value
    }

    private final class Holder<Value: Sendable>: Sendable {
        private let held = Mutex<Value?>(nil)

        var value: Value? {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }
}
