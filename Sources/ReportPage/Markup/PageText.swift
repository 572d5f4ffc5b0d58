/// Texts of strangers, made harmless.
enum PageText {
    /// A name is cut after so many characters.
    static let nameLength = 120
    /// A sentence is cut after so many.
    static let sentenceLength = 400

    /// For text and for attributes in double quotes. Control characters, and those that turn the direction of text round, show as U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\t": escaped += " "
            case _ where isTreacherous(scalar): escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// At most so many code points; an ellipsis stands for what is missing. Code points, because one character can have any number of
    /// marks upon it.
    static func cut(_ text: String, to length: Int = nameLength) -> String {
        guard text.unicodeScalars.count > length else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(length - 1))) + "…"
    }

    static func sentence(_ text: String) -> String { cut(text, to: sentenceLength) }

    private static func isTreacherous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default: false
        }
    }
}
