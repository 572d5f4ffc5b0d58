extension Rule {
    /// Above 400 lines the first comment of the file says why in the words "This file is long because"; above 600 nothing
    /// helps.
    static let fileLength = Rule(name: "a file has at most 400 lines, or says why, and never more than 600") { file in
        let reason = file.comments.contains { $0.line <= 20 && $0.text.contains("This file is long because") }
        switch file.lineCount {
        case ...400: return []
        case ...600 where reason: return []
        default: return [file.finding(1, "\(file.lineCount) lines: split the file by theme")]
        }
    }

    /// From the first word of the declaration to its closing brace.
    static let functionLength = Rule(name: "a function has at most 70 lines") { file in
        file.tokens.indices.compactMap { index in
            guard let end = lastLineOfFunction(at: index, in: file) else { return nil }
            let lines = end - file.tokens[index].line + 1
            guard lines > 70 else { return nil }
            return file.finding(file.tokens[index].line, "\(lines) lines: compute in leaves, branch in one place")
        }
    }

    private static func lastLineOfFunction(at index: Int, in file: SourceFile) -> Int? {
        guard let brace = openingBrace(of: index, in: file) else { return nil }
        var depth = 0
        for position in brace..<file.tokens.count {
            if file.tokens[position].text == "{" { depth += 1 }
            if file.tokens[position].text == "}" { depth -= 1 }
            if depth == 0 { return file.tokens[position].line }
        }
        return nil
    }

    /// Where the body of a function or computed property begins; nil when there is none.
    private static func openingBrace(of index: Int, in file: SourceFile) -> Int? {
        switch file.tokens[index].text {
        case "func", "subscript", "deinit": break
        case "init":
            // `.init(` and `self.init(` are calls.
            guard file.token(index - 1) != "." else { return nil }
        case "var": return braceOnLine(of: index, in: file)
        default: return nil
        }
        var depth = 0
        for position in (index + 1)..<file.tokens.count {
            let text = file.tokens[position].text
            if text == "{" && depth == 0 { return position }
            if "([{".contains(text) { depth += 1 }
            if ")]}".contains(text) { depth -= 1 }
            // A requirement of a protocol has no body: its type ends, or the next declaration begins.
            if depth < 0 || depth == 0 && declarationWords.contains(text) { return nil }
        }
        return nil
    }

    /// A property is computed when its line has a brace and no value.
    private static func braceOnLine(of index: Int, in file: SourceFile) -> Int? {
        let line = file.tokens[index].line
        let rest = file.tokens.indices[index...].prefix { file.tokens[$0].line == line }
        guard let brace = rest.first(where: { file.tokens[$0].text == "{" }) else { return nil }
        return rest.prefix { $0 < brace }.contains { file.tokens[$0].text == "=" } ? nil : brace
    }

    private static let declarationWords: Set<String> = [
        "func", "init", "subscript", "var", "let", "static", "mutating", "associatedtype", "case", "struct", "enum",
        "class", "actor", "protocol", "extension", "package", "public", "private", "fileprivate", "internal",
    ]
}
