import Testing

struct LexerTests {
    private func words(_ text: String) -> [String] {
        Lexer(text).tokens.map(\.text)
    }

    @Test func `strings of every kind hide their contents`() {
        #expect(words(#"a "b \" c" d"#) == ["a", "\"\"", "d"])
        #expect(words("a \"\"\"\n b \" c\n\"\"\" d") == ["a", "\"\"", "d"])
        #expect(words("a #\"b \" \\(c) \"# d") == ["a", "\"\"", "d"])
    }

    @Test func `code inside an interpolation is read`() {
        #expect(words(#""a \(b(c: "d \(e)")) f" g"#) == ["\"\"", "b", "(", "c", ":", "\"\"", "e", ")", ")", ")", "g"])
    }

    @Test func `comments are kept apart with their lines`() {
        let lexer = Lexer("a // b\n/* c /* d */\n e */ f\n/// g")
        #expect(lexer.tokens == [Token(text: "a", line: 1), Token(text: "f", line: 3)])
        #expect(lexer.comments.map(\.line) == [1, 2, 4])
        #expect(lexer.comments.map(\.lastLine) == [1, 3, 4])
        #expect(lexer.comments.map(\.text).last == "/// g")
    }

    @Test func `a raw identifier may hold quotes and slashes`() {
        #expect(
            words("func `it says \"no\" // twice`() {}") == ["func", "`it says \"no\" // twice`", "(", ")", "{", "}"]
        )
    }

    @Test func `a quote that is not closed ends with its line`() {
        #expect(words("a \"b\nc") == ["a", "\"\"", "c"])
    }
}
