import CommandTable
import Testing

@testable import Daemon

/// The table of `notifierd`'s commands, from which they are read, completed and described.
struct DaemonTableTests {
    @Test func `every command of the table is understood, and no flag but its own`() throws {
        for command in DaemonTable.commands where command.name != "completion" {
            let needed = ["--from", "--to", "--title"].filter { flag in command.flags.contains { $0.name == flag } }
            _ = try DaemonCommand([command.name] + needed.flatMap { [$0, "x"] })
            #expect(throws: DaemonError.self) {
                if ["version", "help"].contains(command.name) { throw DaemonCommand.usage("takes none") }
                _ = try DaemonCommand([command.name, "--frobnicate", "x"])
            }
            #expect(try DaemonCommand([command.name, "--help"]) == .helpOf(command.name))
            let help = DaemonTable.help(of: command.name)
            #expect(help.hasPrefix("notifierd \(command.name)") && help.contains(command.summary))
            for flag in command.flags { #expect(help.contains(flag.summary)) }
            #expect(DaemonCommand.helpText.contains("notifierd \(command.name)") || command.name == "help")
            for flag in command.flags { #expect(DaemonCommand.helpText.contains(flag.name)) }
        }
    }

    @Test func `what a shell would take for its history stands in quotes`() {
        let examples = DaemonTable.commands.flatMap(\.examples).map(\.command)
        for line in examples + DaemonCommand.helpText.split(separator: "\n").map(String.init) where line.contains("!") {
            #expect(line.contains("'@maria,team/backend!847,2026-03-02T14:10:00Z'"), "\(line)")
        }
    }

    @Test func `an example works on the server's settings, and not on a database that the folder would have`() {
        for command in DaemonTable.commands where command.flags.contains(where: { $0.name == "--config" }) {
            for example in command.examples {
                #expect(example.command.contains("--config /etc/notifierd/notifierd.json"), "\(example.command)")
            }
        }
        // Where a line goes on, the next one belongs to it.
        let shown = DaemonCommand.helpText.replacing("\\\n", with: "").split(separator: "\n")
        for line in shown.drop(while: { $0 != "Examples:" }).dropFirst().prefix(while: { !$0.hasPrefix("Exit") }) {
            #expect(line.contains("--config /etc/notifierd/notifierd.json"), "\(line)")
        }
    }

    @Test func `a value stands behind its flag or behind an equals sign, and a flag is no value`() throws {
        let backup = DaemonCommand.backup(settings: "a=b.json", folder: "/b")
        #expect(try DaemonCommand(["backup", "--config=a=b.json", "--to", "/b"]) == backup)
        #expect(try DaemonCommand(["backup", "--config", "a=b.json", "--to=/b"]) == backup)
        for (arguments, word) in [
            (["backup", "--to", "--config", "a"], "--to needs a value"), (["backup", "--to"], "--to needs a value"),
            (["backup", "--to=a", "--to", "b"], "given twice"), (["backup", "--too=a"], "did you mean --to?"),
            (["check-config", "a.json"], "such as --config FILE"),
        ] {
            let error = #expect(throws: DaemonError.self) { _ = try DaemonCommand(arguments) }
            #expect(error?.code == .usage && error?.message.contains(word) == true, "\(arguments)")
        }
    }

    @Test func `completion and manual are printed for shells and days that there are`() throws {
        #expect(try DaemonCommand(["completion", "zsh"]) == .completion(.zsh))
        #expect(try DaemonCommand(["man", "--date", "2026-03-02"]) == .manual(date: "2026-03-02"))
        for arguments in [
            ["completion"], ["completion", "csh"], ["completion", "zsh", "fish"], ["man", "--date", "now"],
            ["man", "--date", "2026-02-30"], ["man", "--date", "2026-13-01"], ["man", "--date", "2100-02-29"],
        ] {
            #expect(throws: DaemonError.self, "\(arguments)") { _ = try DaemonCommand(arguments) }
        }
        #expect(try DaemonCommand(["man", "--date", "2028-02-29"]) == .manual(date: "2028-02-29"))
        for shell in ShellCompletion.allCases {
            let script = shell.script(DaemonTable.program)
            for command in DaemonTable.commands { #expect(script.contains(command.name)) }
        }
        #expect(ManualPage.text(DaemonTable.program).contains(".SS notifierd export\\-incident"))
    }
}
