extension Rule {
    /// What another target can use has a `///` comment. Exempt are imports and extensions, initialisers and stored
    /// properties (their type is documented), and whatever bears the name of a requirement: of a well-known protocol of the
    /// standard library, or of a protocol of this package, where the comment stands.
    static let documentation = Rule(name: "what other targets can use is documented") { file in
        guard file.folder == "Sources" else { return [] }
        return file.tokens.indices.compactMap { index in
            guard let declaration = declaration(at: index, in: file), !isExempt(declaration, in: file) else {
                return nil
            }
            let line = file.tokens[index].line
            let isDocumented = file.commentsBeside(line).contains { $0.text.hasPrefix("///") }
            guard !isDocumented else { return nil }
            return file.finding(line, "\(declaration.keyword) \(declaration.name) needs a /// comment")
        }
    }

    private struct Declaration {
        var keyword: String
        var name: String
        /// Where the keyword stands.
        var index: Int
    }

    /// The declaration that a `package` or `public` opens.
    private static func declaration(at index: Int, in file: SourceFile) -> Declaration? {
        guard ["package", "public", "open"].contains(file.tokens[index].text), file.token(index - 1) != "." else {
            return nil
        }
        var position = index + 1
        while let text = file.token(position), modifiers.contains(text) {
            position += 1
            // As in `private(set)` and `nonisolated(unsafe)`.
            if file.token(position) == "(" { position += 3 }
        }
        guard let keyword = file.token(position), declarationKeywords.contains(keyword) else { return nil }
        return Declaration(keyword: keyword, name: file.token(position + 1) ?? "", index: position)
    }

    private static func isExempt(_ declaration: Declaration, in file: SourceFile) -> Bool {
        if witnesses.contains(declaration.name) || SourceTree.requirements.contains(declaration.name) { return true }
        return switch declaration.keyword {
        case "init", "let": true
        case "var": !isComputed(declaration, in: file)
        default: false
        }
    }

    private static func isComputed(_ declaration: Declaration, in file: SourceFile) -> Bool {
        let line = file.tokens[declaration.index].line
        for token in file.tokens[declaration.index...].prefix(while: { $0.line == line }) {
            if token.text == "=" { return false }
            if token.text == "{" { return true }
        }
        return false
    }

    private static let modifiers: Set<String> = [
        "static", "final", "mutating", "nonmutating", "consuming", "borrowing", "private", "internal", "nonisolated",
        "override", "class", "indirect", "lazy", "weak", "unowned", "required", "convenience",
    ]
    private static let declarationKeywords: Set<String> = [
        "func", "var", "let", "init", "subscript", "struct", "enum", "class", "actor", "protocol", "typealias", "macro",
    ]
    /// Members of `Equatable`, `Comparable`, `Hashable`, `Codable`, `CaseIterable`, `RawRepresentable`,
    /// `IteratorProtocol`, `Sequence`, the string conversions and literals. An operator is one sign or two here.
    private static let witnesses: Set<String> = [
        "=", "<", "hash", "encode", "allCases", "rawValue", "next", "makeIterator", "description",
        "debugDescription", "customMirror", "errorDescription", "IntegerLiteralType", "StringLiteralType", "Element",
        "id",
    ]
}
