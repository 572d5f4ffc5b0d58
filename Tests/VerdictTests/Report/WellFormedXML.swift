/// Just enough of XML to tell a well-formed document from a broken one, and to read it back.
struct WellFormedXML {
    struct Element: Equatable {
        var name: String
        var attributes: [String: String] = [:]
    }

    /// Every element in the order of its start, and all text.
    private(set) var elements: [Element] = []
    private(set) var text = ""

    /// Nil for what is not well formed.
    init?(_ document: String) {
        guard document.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>") else { return nil }
        var open: [String] = []
        var rest = document.drop { $0 != ">" }.dropFirst()
        while let start = rest.firstIndex(of: "<") {
            guard let run = Self.unescaped(rest[..<start]), let end = rest[start...].firstIndex(of: ">") else {
                return nil
            }
            text += run
            var tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/") {
                guard open.popLast() == String(tag.dropFirst()) else { return nil }
                continue
            }
            let isEmpty = tag.hasSuffix("/")
            if isEmpty { tag = tag.dropLast() }
            guard let element = Self.element(tag) else { return nil }
            elements.append(element)
            if !isEmpty { open.append(element.name) }
        }
        guard open.isEmpty else { return nil }
    }

    private static func element(_ tag: Substring) -> Element? {
        let name = tag.prefix { $0 != " " }
        var element = Element(name: String(name))
        var rest = tag.dropFirst(name.count)
        while let first = rest.firstIndex(where: { $0 != " " }) {
            rest = rest[first...]
            let key = rest.prefix { $0 != "=" }
            rest = rest.dropFirst(key.count)
            guard rest.hasPrefix("=\"") else { return nil }
            let value = rest.dropFirst(2).prefix { $0 != "\"" }
            rest = rest.dropFirst(2 + value.count)
            guard rest.hasPrefix("\""), !value.contains("<"), let text = unescaped(value) else { return nil }
            guard element.attributes.updateValue(text, forKey: String(key)) == nil else { return nil }
            rest = rest.dropFirst()
        }
        return element
    }

    private static func unescaped(_ text: Substring) -> String? {
        let entities = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "#10": "\n", "#9": "\t", "#13": "\r",
        ]
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ";") else { return nil }
            guard let character = entities[String(rest[rest.index(after: start)..<end])] else { return nil }
            result += character
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
