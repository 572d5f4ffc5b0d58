import Platform

/// The system's generator.
package struct LiveEntropy: EntropySource {
    package init() {}

    package func nextUInt64() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
