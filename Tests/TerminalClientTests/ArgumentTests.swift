import CommandTable
import Testing

@testable import TerminalClient

/// What may be written on the command line.
struct ArgumentTests {
    private static func parse(_ arguments: String...) throws(TerminalError) -> ParsedArguments {
        guard let syntax = CommandSyntax.named(arguments[0]) else { throw .usage("no such command") }
        return try ParsedArguments(arguments.dropFirst(), syntax: syntax)
    }

    @Test func `flags and operands stand in any order`() throws {
        let parsed = try Self.parse("mute", "--for=8h", "team/app!1", "--json", "team/app#3")
        #expect(parsed["--for"] == "8h" && parsed.has("--json"))
        #expect(parsed.operands == ["team/app!1", "team/app#3"])
        #expect(try parsed.duration("--for") == .seconds(28_800))
        #expect(try Self.parse("read", "--", "-x").operands == ["-x"])
    }

    @Test(arguments: [
        ["mute"], ["list", "x"], ["list", "--nope"], ["mute", "a", "--for"], ["mute", "a", "--for", "--json"],
        ["list", "--json=1"], ["list", "--json", "--json"], ["history", "a", "b"],
    ])
    func `what the syntax does not allow is refused with what it does`(arguments: [String]) throws {
        let syntax = try #require(CommandSyntax.named(arguments[0]))
        let error = #expect(throws: TerminalError.self) { try ParsedArguments(arguments.dropFirst(), syntax: syntax) }
        #expect(error?.exit == .usage && error?.hint?.isEmpty == false)
    }

    @Test func `a flag that is nearly right is named`() {
        let error = #expect(throws: TerminalError.self) { try Self.parse("list", "--jsom") }
        #expect(error?.hint == "did you mean --json?")
    }

    @Test func `numbers and choices are held to their range`() throws {
        #expect(throws: TerminalError.self) { try Self.parse("history", "--limit", "101").number("--limit", 1...100) }
        #expect(throws: TerminalError.self) { try Self.parse("settings", "--urgent", "yes").choice("--urgent") }
        #expect(try Self.parse("settings", "--urgent", "off").choice("--urgent") == false)
    }

    @Test(arguments: CommandSyntax.all.map(\.name))
    func `every command stands in help and manual and completes in every shell`(name: String) throws {
        #expect(HelpText.program.contains("\n  \(name) "))
        #expect(ManualPage.text(CommandSyntax.program).contains("\n.SS gitlab\\-notify \(name)"))
        for shell in ShellCompletion.allCases {
            let script = shell.script(CommandSyntax.program)
            #expect(script.contains(" \(name)"), "\(shell)")
            for flag in try #require(CommandSyntax.named(name)).allFlags {
                #expect(script.contains(shell == .fish ? "-l \(flag.name.dropFirst(2))" : flag.name))
            }
        }
    }

    @Test func `every exit status stands in help and manual, in the same words`() {
        let words = HelpText.program.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for exit in TerminalError.Exit.allCases {
            #expect(words.contains("\(exit.rawValue) \(exit.meaning)"))
            #expect(ManualPage.text(CommandSyntax.program).contains(".B \(exit.rawValue)\n\(exit.meaning)\n"))
        }
    }

    @Test func `the text of others does not steer the terminal`() {
        #expect(TerminalText.line("a\u{1B}[31mb\nc\u{202E}d\u{07}\u{9B}e") == "a[31mb cde")
        #expect(TerminalText.line("Grüße, 👩‍💻", atMost: 20) == "Grüße, 👩‍💻")
        #expect(TerminalText.line("0123456789", atMost: 5) == "0123…")
    }

    @Test func `colours are asked for or left away`() {
        #expect(Style(usesColour: true).strong("a") == "\u{1B}[1ma\u{1B}[0m")
        #expect(Style(usesColour: false).strong("a") == "a")
    }
}
