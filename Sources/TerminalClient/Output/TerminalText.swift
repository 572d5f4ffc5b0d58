import FoundationEssentials

/// Text of others, made fit for a terminal: what people write in GitLab must not move the cursor, change colours or turn a line around.
enum TerminalText {
    /// On one line, without control characters and without those that change the direction of writing.
    static func line(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: clean.append(" ")
            case ..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: break
            default: clean.append(scalar)
            }
        }
        return String(clean)
    }

    /// The same, cut to so many characters.
    static func line(_ text: String, atMost limit: Int) -> String {
        let line = line(text)
        return line.count > limit ? line.prefix(limit - 1) + "…" : line
    }

    /// How long ago something was, in one unit.
    static func age(_ instant: Date, at now: Date) -> String {
        let seconds = Int(now.timeIntervalSince(instant))
        switch seconds {
        case ..<60: return "now"
        case ..<3_600: return "\(seconds / 60)m"
        case ..<86_400: return "\(seconds / 3_600)h"
        default: return "\(seconds / 86_400)d"
        }
    }
}

/// Marks parts of a line where colours are wanted.
struct Style: Sendable, Equatable {
    var usesColour: Bool

    func strong(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    func accent(_ text: String) -> String { wrap(text, "36") }
    func bad(_ text: String) -> String { wrap(text, "31") }

    private func wrap(_ text: String, _ code: String) -> String {
        usesColour && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
