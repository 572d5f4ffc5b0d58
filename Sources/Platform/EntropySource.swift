/// Where a program gets random numbers: the system's generator live, a seeded stream in simulation.
package protocol EntropySource: Sendable {
    /// 64 bits, each value equally likely.
    func nextUInt64() -> UInt64
}

extension EntropySource {
    /// `count` random bytes.
    package func bytes(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            var word = nextUInt64()
            for _ in 0..<min(8, count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return bytes
    }

    /// A number in `0..<bound`, each equally likely. `bound` must be positive.
    package func next(below bound: UInt64) -> UInt64 {
        BoundedDraw.below(bound) { nextUInt64() }
    }

    /// A number in `range`, each equally likely.
    package func next(in range: ClosedRange<Int64>) -> Int64 {
        BoundedDraw.within(range) { nextUInt64() }
    }

    /// A version 4 UUID in lower case, such as `3f2504e0-4f89-41d3-9a0c-0305e82c3301`.
    package func uuidString() -> String {
        var bytes = bytes(count: 16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        text.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append("-") }
            text.append(hexadecimalDigits[Int(byte >> 4)])
            text.append(hexadecimalDigits[Int(byte & 15)])
        }
        return text
    }
}

private let hexadecimalDigits = Array("0123456789abcdef")
