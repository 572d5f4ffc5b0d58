public import Duties

extension EntityID {
    /// An id for something that this device makes: a UUID of version 4.
    ///
    /// - Parameter chance: asked four times, for 32 bits each.
    /// - Returns: The id.
    public static func made(by chance: any ChanceSource) async -> EntityID {
        var words: [UInt64] = []
        for _ in 0..<4 { words.append(UInt64(await chance.next() * 4_294_967_296)) }
        return EntityID(
            high: (words[0] << 32 | words[1]) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: (words[2] << 32 | words[3]) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        )
    }
}
