/// Names one simulated device.
package struct DeviceID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    package static func < (left: DeviceID, right: DeviceID) -> Bool { left.rawValue < right.rawValue }
}

/// The address of one app on one device: opaque hexadecimal text of any even length, 64 digits today (APNs facts §10).
package struct DeviceToken: Sendable, Hashable {
    /// Hex digits in lower case.
    package let hex: String

    /// Reads hex digits in either case; nil when `text` is empty, of odd length, or anything else.
    init?(_ text: some StringProtocol) {
        let bytes = text.utf8
        var hasUpperCase = false
        for byte in bytes {
            guard HeaderRules.isHexadecimal(byte) else { return nil }
            if byte & 0xE0 == 0x40 { hasUpperCase = true }
        }
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 2) else { return nil }
        hex = hasUpperCase ? text.lowercased() : String(text)
    }

    /// A token of `count` digits from `word`, which gives 64 random bits at a time.
    init(digitCount count: Int, _ word: () -> UInt64) {
        var digits: [UInt8] = []
        while digits.count < count {
            var bits = word()
            for _ in 0..<min(16, count - digits.count) {
                digits.append(UInt8(ascii: "0") + UInt8(bits & 15))
                if bits & 15 > 9 { digits[digits.count - 1] += 39 }
                bits >>= 4
            }
        }
        hex = String(decoding: digits, as: UTF8.self)
    }
}
