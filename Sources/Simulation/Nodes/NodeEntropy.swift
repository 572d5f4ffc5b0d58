import Platform

/// The random numbers of one node, from a seeded stream of its own.
///
/// Unchecked: simulation thread.
package final class NodeEntropy: EntropySource, @unchecked Sendable {
    private var stream: RandomStream

    init(stream: RandomStream) {
        self.stream = stream
    }

    package func nextUInt64() -> UInt64 { stream.next() }
}
