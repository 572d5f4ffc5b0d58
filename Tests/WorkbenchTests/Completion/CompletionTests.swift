import CommandTable
import Glibc
import Testing
import Verdict

@testable import Workbench

/// What a shell offers after `simctl`, asked of bash itself.
@Suite(.serialized) struct CompletionTests {
    /// What bash offers for the last of `words` in a folder with two scenarios, a text and a folder.
    private func offered(_ words: [String], script: String) throws -> [String] {
        let folder = try TestFolder()
        for name in ["one.json", "two.json", "notes.txt"] { try folder.write("", to: name) }
        try LiveFolder.make("\(folder.path)/reports")
        try folder.write(script, to: "completion.bash")
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let program = """
            set -u
            source ./completion.bash
            COMP_WORDS=(simctl \(list)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _simctl
            ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
            complete -p simctl
            """
        let process = try LiveProcess(
            ProcessLaunch(
                executable: "/usr/bin/env",
                arguments: ["-C", folder.path, "bash", "--norc", "-c", program],
                environment: ["PATH=/usr/bin:/bin", "LANG=C"]
            )
        )
        process.closeInput()
        var output: [UInt8] = []
        while true {
            var interest = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
            poll(&interest, 1, -1)
            guard let more = LivePipe.read(process.output) else { continue }
            if more.isEmpty { break }
            output += more
        }
        #expect(process.end() == .exited(status: 0))
        var lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.popLast() == "complete -F _simctl simctl")
        return lines.sorted()
    }

    private let bash = ShellCompletion.bash.script(CommandSyntax.program(version: LiveBuild.version))

    @Test func `commands, their flags, and the values of flags are offered`() throws {
        #expect(try offered([""], script: bash) == (CommandSyntax.all.map(\.name) + ["--help", "--version"]).sorted())
        #expect(try offered(["sw"], script: bash) == ["sweep"])
        #expect(
            try offered(["merge", "--"], script: bash) == ["--help", "--json", "--out", "--quiet", "--time-limit"]
        )
        #expect(try offered(["sweep", "one.json", "--grow", ""], script: bash) == ["items", "people", "rate"])
        #expect(try offered(["sweep", "--grow", "=", "p"], script: bash) == ["people"])
        #expect(try offered(["completion", ""], script: bash) == ["bash", "fish", "zsh"])
        #expect(try offered(["run", "--seed", ""], script: bash) == [], "nobody can guess a seed")
    }

    @Test func `scenarios, folders and files are offered where they belong`() throws {
        #expect(try offered(["run", ""], script: bash) == ["one.json", "reports", "two.json"])
        #expect(try offered(["merge", ""], script: bash) == ["reports"])
        #expect(try offered(["run", "one.json", "-o", "r"], script: bash) == ["reports"])
        #expect(try offered(["run", "--baseline", "n"], script: bash) == ["notes.txt"])
        #expect(try offered(["openapi", ""], script: bash) == [])
        #expect(try offered(["frobnicate", ""], script: bash) == [])
    }

    @Test(arguments: ShellCompletion.allCases)
    func `every command and every flag stands in every script`(_ shell: ShellCompletion) throws {
        let script = shell.script(CommandSyntax.program(version: LiveBuild.version))
        for syntax in CommandSyntax.all {
            #expect(script.contains(syntax.name))
            for flag in syntax.flags {
                #expect(script.contains(shell == .fish ? "-l \(flag.name.dropFirst(2))" : flag.name), "\(flag.name)")
            }
        }
        let folder = try TestFolder()
        let printed = try SimctlProcess.run(["completion", shell.rawValue], in: folder)
        #expect(printed.output == script && printed.exitCode == .met)
    }

    @Test func `the manual names every command, and nothing in it looks like a request`() throws {
        let page = ManualPage.text(CommandSyntax.program(version: LiveBuild.version), date: "2026-03-02")
        #expect(page.hasPrefix(".TH SIMCTL 1 \"2026-03-02\" \"simctl \(LiveBuild.version)\" \"User Commands\"\n"))
        for syntax in CommandSyntax.all {
            let name = syntax.name.replacing("-", with: "\\-")
            #expect(page.contains(".SS simctl \(name)"))
        }
        #expect(page.contains("\\fB\\-\\-until\\fR \\fIGATE\\fR"))
        let requests: Set = ["TH", "SH", "SS", "TP", "PP", "B", "I"]
        for line in page.split(separator: "\n") where line.hasPrefix(".") {
            #expect(requests.contains(String(line.dropFirst().prefix { $0 != " " })), "\(line)")
        }
        #expect(page.allSatisfy(\.isASCII) && !page.contains("\n'"))
    }

    @Test func `shells and dates that are none are refused`() throws {
        let folder = try TestFolder()
        for arguments in [
            ["completion", "csh"], ["completion"], ["man", "--date", "today"], ["man", "--date", "2026-3-2"],
            ["man", "--date", "2026-02-30"],
        ] {
            let result = try SimctlProcess.run(arguments, in: folder)
            #expect(result.exitCode == .usage && result.output.isEmpty, "\(arguments)")
        }
    }

    @Test func `signs that a shell or roff would read are text`() {
        let odd = ProgramTable(
            name: "odd",
            version: "1",
            section: 1,
            summary: "it's [odd]: a\\b $(x) `y`",
            description: [".not a request", "'nor this"],
            commands: [
                ProgramTable.Command(
                    name: "go",
                    summary: "it's [odd]: a\\b",
                    flags: [ProgramTable.Flag(name: "--as", value: "KIND", summary: "one's [own]: x")]
                )
            ],
            flags: [],
            exitCodes: []
        )
        #expect(ShellCompletion.zsh.script(odd).contains(#"'--as[one'\''s \[own\]\: x]:KIND: '"#))
        #expect(ShellCompletion.fish.script(odd).contains(#"-d 'it\'s [odd]: a\\b'"#))
        let page = ManualPage.text(odd)
        #expect(page.contains("\n\\&.not a request\n") && page.contains("it\\(aqs [odd]: a\\eb"))
    }
}
