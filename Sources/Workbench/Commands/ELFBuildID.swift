/// Finds the linker's identification of a program: the GNU build-id note, which stands near the beginning of the file.
enum ELFBuildID {
    /// The first twelve hexadecimal digits; nil when the bytes hold no such note.
    ///
    /// A note is three little-endian words (lengths of name and content, kind 3), the name `GNU`, and the content.
    static func find(in head: [UInt8]) -> String? {
        let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
        let note: [UInt8] = [3, 0, 0, 0, 0x47, 0x4E, 0x55, 0]
        guard head.starts(with: magic) else { return nil }
        var offset = 64
        while offset + note.count + 6 <= head.count {
            let length = Int(head[offset - 4])
            let isNote = head[offset..<offset + note.count].elementsEqual(note) && isNameLength(head, at: offset - 8)
            if isNote && (8...64).contains(length) {
                return head[(offset + note.count)...].prefix(6).map(hexadecimal).joined()
            }
            offset += 4
        }
        return nil
    }

    private static func isNameLength(_ head: [UInt8], at offset: Int) -> Bool {
        head[offset..<offset + 4].elementsEqual([4, 0, 0, 0])
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
