/// One word or sign of a source file. Comments and the contents of string literals are no tokens, so a rule about code
/// never trips over prose.
struct Token: Equatable, Sendable {
    /// An identifier or keyword, a number, one sign, or `""` for a string literal.
    let text: String
    /// Counts from 1.
    let line: Int
}

/// What the tokens leave out.
struct Comment: Equatable, Sendable {
    /// With its slashes.
    let text: String
    /// The first line of a block comment.
    let line: Int
    /// Where the comment ends.
    let lastLine: Int
}
