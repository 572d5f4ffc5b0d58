/// One Swift file of the package, read.
struct SourceFile: Sendable {
    /// Relative to the package, such as `Sources/HTTP/HTTPFields.swift`.
    let path: String
    let tokens: [Token]
    let comments: [Comment]
    let lineCount: Int
    /// The comments by each line they touch.
    private let commentByLine: [Int: Comment]
    private let firstTokenByLine: [Int: Int]

    init(path: String, text: String) {
        let lexer = Lexer(text)
        self.path = path
        tokens = lexer.tokens
        comments = lexer.comments
        lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") }
        var commentByLine: [Int: Comment] = [:]
        for comment in lexer.comments {
            for line in comment.line...comment.lastLine { commentByLine[line] = comment }
        }
        self.commentByLine = commentByLine
        var firstTokenByLine: [Int: Int] = [:]
        for (index, token) in lexer.tokens.enumerated() where firstTokenByLine[token.line] == nil {
            firstTokenByLine[token.line] = index
        }
        self.firstTokenByLine = firstTokenByLine
    }

    /// `Sources` or `Tests`.
    var folder: String { pathComponent(0) }

    /// The target the file belongs to.
    var target: String { pathComponent(1) }

    var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// Adapters to the real world, where the real clock, sleep and random generator live.
    var isLive: Bool { name.hasPrefix("Live") || path.hasPrefix("Sources/Live/") }

    func token(_ index: Int) -> String? {
        tokens.indices.contains(index) ? tokens[index].text : nil
    }

    /// True when the tokens from `index` on are these.
    func matches(_ texts: [String], at index: Int) -> Bool {
        texts.indices.allSatisfy { token(index + $0) == texts[$0] }
    }

    /// The comment on the line of a token, and the whole comment directly above the statement it stands in; lines that hold
    /// nothing but an attribute may stand between.
    func commentsBeside(_ line: Int) -> [Comment] {
        var found: [Comment] = []
        if let own = commentByLine[line] { found.append(own) }
        var above = line - 1
        while let first = firstTokenByLine[above], tokens[first].text == "@" { above -= 1 }
        while firstTokenByLine[above] == nil, let comment = commentByLine[above] {
            found.append(comment)
            above = comment.line - 1
        }
        return found
    }

    private func pathComponent(_ index: Int) -> String {
        let parts = path.split(separator: "/")
        return index < parts.count ? String(parts[index]) : ""
    }
}
