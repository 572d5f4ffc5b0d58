import FoundationEssentials
import NotifierKit
import Platform

/// `programs`: who else may tell or ask the person something.
extension Terminal {
    private struct Programs: Encodable {
        var programs: [SignalProgram]
    }

    func programs() async throws {
        _ = try await signedIn()
        let changes = ["--add", "--remove", "--mute", "--unmute"].filter { arguments[$0] != nil }
        guard changes.count <= 1 else {
            throw TerminalError.usage("\(changes[0]) and \(changes[1]) do not go together")
        }
        guard arguments["--for"] == nil || changes == ["--mute"] else {
            throw TerminalError.usage("--for goes with --mute")
        }
        if let name = arguments["--add"] { return try await letIn(name) }
        if let text = arguments["--remove"] { try await client.revokeSignalToken(try await program(text).id) }
        if let text = arguments["--unmute"] { try await client.unmuteSignals(of: try await program(text).id) }
        if let text = arguments["--mute"] {
            guard let length = arguments["--for"].flatMap({ DurationNotation.parse($0) }), length > .zero else {
                throw TerminalError.usage("--mute needs --for with a length such as 90m or 2d")
            }
            let end = clock.now + Double(length.components.seconds)
            try await client.muteSignals(of: try await program(text).id, until: end)
        }
        let programs = try await client.signalPrograms()
        give(Programs(programs: programs))
        for program in programs { say(line(program)) }
        if programs.isEmpty { say("No programs.") }
    }

    private func letIn(_ name: String) async throws {
        let made = try await client.makeSignalToken(named: name)
        give(made)
        say("\(style.strong(TerminalText.line(made.token)))  for \(TerminalText.line(made.name)), shown this once")
    }

    private func line(_ program: SignalProgram) -> String {
        let age = program.lastUsedAt.map { TerminalText.age($0, at: clock.now) }
        let used = age.map { $0 == "now" ? "heard just now" : "heard \($0) ago" } ?? "never heard"
        let muted = program.mutedUntil.map { ", muted until \(WireCoding.instant($0).prefix(16))Z" } ?? ""
        let id = style.faint(String(program.id.prefix(8)))
        return "\(id)  \(style.strong(TerminalText.line(program.name)))  \(used)\(muted)"
    }

    private func program(_ text: String) async throws -> SignalProgram {
        let found = try await client.signalPrograms().filter { $0.id.hasPrefix(text.lowercased()) }
        guard text.utf8.count >= 4, found.count == 1 else {
            throw TerminalError(.refused, "program_not_found", "No one program of yours begins with \(text).")
        }
        return found[0]
    }
}
