import Platform

/// The random numbers of one node, from a seeded stream of its own.
///
/// Isolation: used by the simulation's thread.
package final class NodeEntropy: EntropySource, @unchecked Sendable {
    // @unchecked: touched only by the thread that runs the loop.
    private var stream: RandomStream

    init(stream: RandomStream) {
        self.stream = stream
    }

    package func nextUInt64() -> UInt64 { stream.next() }
}
