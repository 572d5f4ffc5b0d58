/// The id of a duty, of a member of it, of an occurrence or of something that happened: a UUID (RFC 9562).
///
/// Ids are ordered by their bytes, which decides where two things happened at one instant.
public struct EntityID: Hashable, Comparable, Sendable {
    /// The first eight bytes, the highest first.
    public let high: UInt64
    /// The last eight bytes, the highest first.
    public let low: UInt64

    /// An id by its bytes.
    ///
    /// - Parameters:
    ///   - high: the first eight, the highest first.
    ///   - low: the last eight, the highest first.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An id as it is written: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12, in any letter case. Nil for any other text.
    public init?(_ text: some StringProtocol) {
        let found =
            text.utf8.withContiguousStorageIfAvailable(Self.read) ?? Array(text.utf8).withUnsafeBufferPointer(Self.read)
        guard let found else { return nil }
        self = found
    }

    /// A device reads thousands of them in one answer, so nothing here is generic or makes an array.
    private static func read(_ text: UnsafeBufferPointer<UInt8>) -> EntityID? {
        guard text.count == 36 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for place in text.indices {
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard text[place] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = value(of: text[place]) else { return nil }
            if place < 18 { high = high << 4 | digit } else { low = low << 4 | digit }
        }
        return EntityID(high: high, low: low)
    }

    /// The id that a name has in the space of `self`: version 5, made by SHA-1 (RFC 9562 §5.5).
    ///
    /// - Parameter name: the bytes of the name.
    /// - Returns: The id.
    public func named(_ name: some Sequence<UInt8>) -> EntityID {
        var message: [UInt8] = []
        message.reserveCapacity(64)
        for word in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                message.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        message.append(contentsOf: name)
        let digest = SHA1.digest(message)
        let first = UInt64(digest.0) << 32 | UInt64(digest.1)
        let second = UInt64(digest.2) << 32 | UInt64(digest.3)
        return EntityID(
            high: first & 0xFFFF_FFFF_FFFF_0FFF | 0x5000,
            low: second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        )
    }

    /// By their bytes, the first first.
    public static func < (one: EntityID, other: EntityID) -> Bool {
        one.high == other.high ? one.low < other.low : one.high < other.high
    }

    private static func value(of byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte) - 0x30
        case 0x41...0x46: UInt64(byte) - 0x41 + 10
        case 0x61...0x66: UInt64(byte) - 0x61 + 10
        default: nil
        }
    }
}

extension EntityID: CustomStringConvertible {
    /// In lower case.
    public var description: String {
        func hex(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: digits - text.utf8.count) + text
        }
        return [
            hex(high >> 32, 8), hex(high >> 16 & 0xFFFF, 4), hex(high & 0xFFFF, 4), hex(low >> 48, 4),
            hex(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }
}

extension EntityID: Codable {
    /// From its text.
    ///
    /// - Throws: `DecodingError` for a text that is no UUID.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = EntityID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = id
    }

    /// As its text, in lower case.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
