/// A small, fast generator with a published algorithm (xoshiro256**, seeded through SplitMix64), so that a seed gives the
/// same draws in every release of the toolchain. Not for secrets.
package struct RandomStream: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// A stream that only `seed` determines.
    package init(seed: UInt64) {
        var mixer = SplitMix64(state: seed)
        state = (mixer.next(), mixer.next(), mixer.next(), mixer.next())
    }

    /// The stream of one component: streams of one seed with different names are independent, so that a new draw in one
    /// does not shift the others.
    package init(seed: UInt64, stream name: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        self.init(seed: seed ^ hash.byteSwapped)
    }

    package mutating func next() -> UInt64 {
        let result = Self.rotate(state.1 &* 5, by: 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = Self.rotate(state.3, by: 45)
        return result
    }

    /// A number in `0..<bound`, each equally likely. `bound` must be positive.
    package mutating func next(below bound: UInt64) -> UInt64 {
        BoundedDraw.below(bound) { next() }
    }

    /// A number in `range`, each equally likely.
    package mutating func next(in range: ClosedRange<Int64>) -> Int64 {
        BoundedDraw.within(range) { next() }
    }

    /// An element of `elements`, each equally likely; nil when there is none.
    package mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(next(below: UInt64(elements.count)))]
    }

    /// True in `numerator` of `denominator` draws on average; never when the numerator is 0.
    package mutating func chance(_ numerator: UInt64, in denominator: UInt64) -> Bool {
        numerator > 0 && next(below: denominator) < numerator
    }

    private static func rotate(_ value: UInt64, by count: UInt64) -> UInt64 {
        value << count | value >> (64 - count)
    }
}

private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
