/// SHA-1 (FIPS 180-4 §6.1), for names of ids alone: nothing is kept safe by it.
///
/// Written here because this target is part of every client and takes no library along: the system's differ from one to the other.
enum SHA1 {
    /// Five words of a digest.
    typealias Digest = (UInt32, UInt32, UInt32, UInt32, UInt32)

    /// The digest of a message.
    static func digest(_ message: [UInt8]) -> Digest {
        var state: Digest = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0)
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
            words.initialize(repeating: 0)
            // A one, zeros up to the last eight bytes of a block, and the length in bits.
            let blocks = (message.count + 8) / 64 + 1
            for block in 0..<blocks {
                for word in 0..<16 {
                    var value: UInt32 = 0
                    for byte in 0..<4 {
                        value = value << 8 | UInt32(padded(message, block * 64 + word * 4 + byte, blocks * 64))
                    }
                    words[word] = value
                }
                take(words, into: &state)
            }
        }
        return state
    }

    /// A byte of the message with what is put behind it.
    private static func padded(_ message: [UInt8], _ place: Int, _ length: Int) -> UInt8 {
        if place < message.count { return message[place] }
        if place == message.count { return 0x80 }
        if place < length - 8 { return 0 }
        return UInt8(truncatingIfNeeded: (UInt64(message.count) * 8) >> UInt64((length - 1 - place) * 8))
    }

    private static func take(_ words: UnsafeMutableBufferPointer<UInt32>, into state: inout Digest) {
        for place in 16..<80 {
            words[place] = turned(words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], 1)
        }
        var (a, b, c, d, e) = state
        for place in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch place {
                case 0..<20: (b & c | ~b & d, 0x5A82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = turned(a, 5) &+ mixed &+ e &+ constant &+ words[place]
            (a, b, c, d, e) = (next, a, turned(b, 30), c, d)
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
    }

    private static func turned(_ value: UInt32, _ places: UInt32) -> UInt32 {
        value << places | value >> (32 - places)
    }
}
