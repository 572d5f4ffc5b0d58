import Platform

extension RandomStream {
    /// A version 4 UUID from this stream.
    mutating func uuid(upperCase: Bool) -> String {
        let high = next() & ~0xF000 | 0x4000
        let low = next() & ~(0b11 << 62) | 0b10 << 62
        let ten: UInt8 = UInt8(ascii: upperCase ? "A" : "a") - 10
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, word) in [high, low].enumerated() {
            for digit in 0..<16 {
                let place = index * 16 + digit
                if place == 8 || place == 12 || place == 16 || place == 20 { text.append(UInt8(ascii: "-")) }
                let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit * 4)) & 15
                text.append(value + (value < 10 ? UInt8(ascii: "0") : ten))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
