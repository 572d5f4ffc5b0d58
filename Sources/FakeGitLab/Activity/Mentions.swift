/// Finds `@username` as GitLab's reference filter does: not inside code, not inside a word (GitLab facts §6.2).
enum Mentions {
    /// One mention.
    struct Mention: Equatable {
        let username: String
        /// True when the text begins with it, alone or among other mentions: that addresses the person directly.
        let isDirect: Bool
    }

    static func find(in text: String) -> [Mention] {
        var found: [Mention] = []
        var fence: UInt8?
        var isLeading = true
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let trimmed = line.drop { $0 == " " }
            if let mark = fenceMark(trimmed) {
                if fence == nil { fence = mark } else if fence == mark { fence = nil }
                isLeading = false
                continue
            }
            guard fence == nil, !line.hasPrefix("    "), !line.hasPrefix("\t"), !trimmed.hasPrefix(">") else {
                isLeading = false
                continue
            }
            scan(Array(line.utf8), isLeading: &isLeading, into: &found)
        }
        return found
    }

    static func fenceMark(_ line: Substring) -> UInt8? {
        if line.hasPrefix("```") { return UInt8(ascii: "`") }
        if line.hasPrefix("~~~") { return UInt8(ascii: "~") }
        return nil
    }

    private static func scan(_ line: [UInt8], isLeading: inout Bool, into found: inout [Mention]) {
        var index = 0
        while index < line.count {
            let byte = line[index]
            if byte == UInt8(ascii: "`"), let end = closingBacktick(line, from: index) {
                index = end
                isLeading = false
            } else if byte == UInt8(ascii: "@"), index == 0 || !isWord(line[index - 1]) {
                let end = line[(index + 1)...].firstIndex { !isWord($0) } ?? line.count
                let name = trimmed(line[(index + 1)..<end])
                if !name.isEmpty, !found.contains(where: { $0.username == name }) {
                    found.append(Mention(username: name, isDirect: isLeading))
                }
                index = max(end, index + 1)
            } else {
                if !isBetweenMentions(byte) { isLeading = false }
                index += 1
            }
        }
    }

    /// A username does not end in a full stop or a dash.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while let last = bytes.last, last == UInt8(ascii: ".") || last == UInt8(ascii: "-") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func closingBacktick(_ line: [UInt8], from start: Int) -> Int? {
        let opening = line[start...].prefix { $0 == UInt8(ascii: "`") }.count
        var index = start + opening
        while index < line.count {
            let run = line[index...].prefix { $0 == UInt8(ascii: "`") }.count
            if run == opening { return index + run }
            index += max(run, 1)
        }
        return nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    private static func isBetweenMentions(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    }
}
