/// The wording of a changed title: only the stretch that differs is marked (supplement §3).
enum TitleNote {
    static func text(from old: String, to new: String, inHTML: Bool) -> String {
        let oldCharacters = Array(old)
        let newCharacters = Array(new)
        let prefix = zip(oldCharacters, newCharacters).prefix { $0 == $1 }.count
        let rest = min(oldCharacters.count, newCharacters.count) - prefix
        let suffix = zip(oldCharacters.reversed(), newCharacters.reversed()).prefix(rest).prefix { $0 == $1 }.count
        func parts(_ text: [Character]) -> [String] {
            let end = text.count - suffix
            return [text[..<prefix], text[prefix..<end], text[end...]].map { String($0) }
        }
        let (before, after) = (parts(oldCharacters), parts(newCharacters))
        guard inHTML else {
            return "changed title from **\(markdown(before, "-"))** to **\(markdown(after, "+"))**"
        }
        return "<p>changed title from \(html(before, "deletion")) to \(html(after, "addition"))</p>"
    }

    private static func markdown(_ parts: [String], _ sign: String) -> String {
        parts[0] + (parts[1].isEmpty ? "" : "{\(sign)\(parts[1])\(sign)}") + parts[2]
    }

    private static func html(_ parts: [String], _ kind: String) -> String {
        let parts = parts.map(InstanceState.escapedHTML)
        let middle = parts[1].isEmpty ? "" : "<span class=\"idiff left right \(kind)\">\(parts[1])</span>"
        return "<code class=\"idiff\">\(parts[0])\(middle)\(parts[2])</code>"
    }
}

/// How a title says that its merge request is a draft (supplement §2).
enum DraftTitle {
    private static let prefixes = ["draft:", "[draft]", "(draft)", "draft - "]

    /// What is left of the title without the mark; nil for one that is no draft.
    static func base(of title: String) -> String? {
        let lower = title.lowercased()
        guard let prefix = prefixes.first(where: lower.hasPrefix) else { return nil }
        return String(title.dropFirst(prefix.count).drop { $0 == " " })
    }
}
