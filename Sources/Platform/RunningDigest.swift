/// A running 64-bit digest over everything observable of a run. Equal runs have equal digests; it is no cryptographic hash.
package struct RunningDigest: Equatable, Sendable {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    package init() {}

    /// Folds a number in.
    package mutating func fold(_ value: UInt64) {
        var mixed = (state ^ value) &* 0xFF51_AFD7_ED55_8CCD
        mixed ^= mixed >> 32
        state = mixed &* 0xC4CE_B9FE_1A85_EC53 &+ 0x2545_F491_4F6C_DD1D
    }

    /// Folds a number in.
    package mutating func fold(_ value: Int64) {
        fold(UInt64(bitPattern: value))
    }

    /// Folds in what another digest stands for.
    package mutating func fold(_ other: RunningDigest) {
        fold(other.state)
    }

    /// Adds what another digest stands for, in whatever order such come.
    package mutating func add(_ other: RunningDigest) {
        state &+= other.state
    }

    /// Folds a text in, its length included.
    package mutating func fold(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            fold(UInt64(bytes.count))
            fold(bytes)
        }
    }

    /// Folds a constant text in.
    package mutating func fold(_ text: StaticString) {
        text.withUTF8Buffer { bytes in
            fold(UInt64(bytes.count))
            fold(bytes)
        }
    }

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private mutating func fold(_ bytes: UnsafeBufferPointer<UInt8>) {
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = 0
        while offset + 8 <= raw.count {
            fold(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < raw.count {
            rest = rest << 8 | UInt64(raw[offset])
            offset += 1
        }
        fold(rest)
    }
}
