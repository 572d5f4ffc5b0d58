/// HTML, links and bare addresses within a paragraph. GitLab seeks names in text alone that stands in no `a`, `code`, `pre` or `style`
/// (GitLab facts §6.2).
enum MarkdownMarkup {
    /// Behind what begins at `index` and is no text to seek names in; nil where nothing such begins.
    static func end(in text: [UInt8], from index: Int) -> Int? {
        switch text[index] {
        case UInt8(ascii: "<"): endOfHTML(text, from: index)
        case UInt8(ascii: "["): endOfLink(text, from: index)
        default: endOfAddress(text, from: index)
        }
    }

    /// Where a word in small letters stands first, in any case.
    static func find(_ word: String, in text: ArraySlice<UInt8>) -> Int? {
        let word = Array(word.utf8)
        var rest = text
        while rest.count >= word.count {
            if zip(rest, word).allSatisfy({ small($0) == $1 }) { return rest.startIndex }
            rest = rest.dropFirst()
        }
        return nil
    }

    // MARK: HTML

    private static func endOfHTML(_ text: [UInt8], from start: Int) -> Int? {
        let rest = text[start...]
        if rest.starts(with: "<!--".utf8) { return find("-->", in: rest.dropFirst(2)).map { $0 + 3 } }
        guard let end = endOfTag(text, from: start) else { return nil }
        let name = rest.dropFirst().prefix(while: isWord).map(small)
        guard ["a", "code", "pre", "style"].contains(String(decoding: name, as: UTF8.self)) else { return end }
        // One that is not closed reaches to the end.
        return find("</" + String(decoding: name, as: UTF8.self), in: text[end...]) ?? text.count
    }

    /// Longer tags are none.
    private static let longestTag = 1_000

    private static func endOfTag(_ text: [UInt8], from start: Int) -> Int? {
        let end = min(text.count, start + longestTag)
        var place = start + 1
        if place < end, text[place] == UInt8(ascii: "/") { place += 1 }
        guard place < end, isLetter(text[place]) else { return nil }
        while place < end {
            switch text[place] {
            case UInt8(ascii: ">"): return place + 1
            case UInt8(ascii: "="):
                guard let behind = endOfValue(text[(place + 1)..<end]) else { return nil }
                place = behind
            case let byte where isWord(byte) || " \t\n/:._-".utf8.contains(byte): place += 1
            default: return nil
            }
        }
        return nil
    }

    /// Behind what an attribute is set to, in quotes or without.
    private static func endOfValue(_ text: ArraySlice<UInt8>) -> Int? {
        let value = text.drop(while: isBlank)
        guard let quote = value.first else { return nil }
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            return value.dropFirst().firstIndex(of: quote).map { $0 + 1 }
        }
        return value.firstIndex { isBlank($0) || "<>='\"`".utf8.contains($0) }
    }

    // MARK: Links

    /// Longer texts of links are none.
    private static let longestText = 1_000

    /// Behind `[text](target "title")`.
    private static func endOfLink(_ text: [UInt8], from start: Int) -> Int? {
        var open: [Int] = []
        var place = start
        while place < min(text.count, start + longestText) {
            switch text[place] {
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "`"): place = Mentions.endOfSpan(text, from: place)
            case UInt8(ascii: "["):
                open.append(place)
                place += 1
            case UInt8(ascii: "]"):
                guard let opening = open.popLast() else { return nil }
                let hasTarget = place + 1 < text.count && text[place + 1] == UInt8(ascii: "(")
                let end = hasTarget ? endOfTarget(text[(place + 2)...]) : nil
                if open.isEmpty { return end }
                // A link holds no other, but pictures.
                if end != nil, text[opening - 1] != UInt8(ascii: "!") { return nil }
                place = end ?? place + 1
            default: place += 1
            }
        }
        return nil
    }

    private static func endOfTarget(_ text: ArraySlice<UInt8>) -> Int? {
        let text = text.drop(while: isBlank)
        guard let behind = endOfAim(text) else { return nil }
        var rest = text[behind...].drop(while: isBlank)
        if let quote = rest.first, "\"'(".utf8.contains(quote) {
            let closing = quote == UInt8(ascii: "(") ? UInt8(ascii: ")") : quote
            guard
                let close = rest.dropFirst().firstIndex(where: {
                    $0 == closing || $0 == UInt8(ascii: "(") && $0 == quote
                }),
                rest[close] == closing
            else { return nil }
            rest = rest[(close + 1)...].drop(while: isBlank)
        }
        return rest.first == UInt8(ascii: ")") ? rest.startIndex + 1 : nil
    }

    /// Behind where a link leads to: in angle brackets up to their end on the line, or up to a blank.
    private static func endOfAim(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.first == UInt8(ascii: "<") else { return withoutExcess(text.prefix { !isBlank($0) }).endIndex }
        let close = text.dropFirst().firstIndex { "<>\n".utf8.contains($0) }
        return close.flatMap { text[$0] == UInt8(ascii: ">") ? $0 + 1 : nil }
    }

    // MARK: Addresses

    private static func endOfAddress(_ text: [UInt8], from start: Int) -> Int? {
        guard isLetter(text[start]), start == 0 || !isWord(text[start - 1]) else { return nil }
        let scheme = text[start...].prefix(32).prefix { isWord($0) || "+.-".utf8.contains($0) }
        var rest = text[scheme.endIndex...]
        if rest.starts(with: "://".utf8) {
            rest = rest.dropFirst(3)
        } else {
            guard text[start...].starts(with: "www.".utf8) else { return nil }
            rest = text[(start + 4)...]
        }
        guard let first = rest.first, isWord(first) || first >= 0x80 else { return nil }
        return withoutExcess(rest.prefix { !isBlank($0) && !"<>]\"`".utf8.contains($0) }).endIndex
    }

    /// An address up to the first round bracket that closes none of its own.
    private static func withoutExcess(_ address: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var open = 0
        for (place, byte) in zip(address.indices, address) {
            if byte == UInt8(ascii: "(") { open += 1 }
            if byte == UInt8(ascii: ")") {
                if open == 0 { return address[..<place] }
                open -= 1
            }
        }
        return address
    }

    // MARK: Bytes

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(small(byte)) }

    private static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
}
