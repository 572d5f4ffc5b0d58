import CommandTable
import FoundationEssentials
import HTTP
import NotifierKit
import Platform

/// `gitlab-notify`: arguments in, exit status out.
package struct TerminalProgram: Sendable {
    private let arguments: [String]
    private let surroundings: Surroundings

    /// What the program gets from whoever starts it.
    struct Surroundings: Sendable {
        var console: any Console
        var clock: any KitClock
        var chance: any ChanceSource
        /// Secrets, the server's address and what is remembered lie there.
        var keys: any KeyStore
        var store: any KeyValueStore
        var localStore: any LocalStore
        /// Speaks to servers whose certificates the system trusts, or an authority in a file.
        var transport: @Sendable (_ authorityFile: String?) -> any Transport
        var claim: @Sendable (_ name: String) throws(TerminalError) -> Terminal.Claim?
        var interruption: @Sendable () async -> Void
    }

    static let version = "0.1.0"

    init(_ arguments: [String], _ surroundings: Surroundings) {
        (self.arguments, self.surroundings) = (arguments, surroundings)
    }

    /// Does what the arguments ask for.
    package func run() async -> Int32 {
        // Errors of a command that was to print JSON are JSON, too.
        let isJSON = arguments.contains("--json")
        do {
            try await carryOut()
            return 0
        } catch {
            let error = TerminalError(error)
            report(error, isJSON: isJSON)
            return error.exit.rawValue
        }
    }

    private func carryOut() async throws {
        guard let name = arguments.first else { throw TerminalError.usage("no command was given") }
        if ["help", "--help", "-h"].contains(name) { return surroundings.console.print(HelpText.program) }
        guard let syntax = CommandSyntax.named(name == "--version" ? "version" : name) else {
            let nearest = NearestName.find(name, in: CommandSyntax.all.map(\.name)).map { "did you mean \($0)?" }
            throw TerminalError.usage("there is no command \"\(name)\"", hint: nearest)
        }
        let parsed = try ParsedArguments(arguments.dropFirst(), syntax: syntax)
        if parsed.has("--help") { return surroundings.console.print(HelpText.command(syntax)) }
        switch syntax.name {
        case "version": surroundings.console.print("gitlab-notify \(Self.version)\n")
        case "completion": try complete(for: parsed.operands[0])
        case "man": try manual(date: parsed["--date"] ?? "")
        case "login": try await login(parsed)
        default: try await Self.perform(syntax.name, try await terminal(parsed))
        }
    }

    private static func perform(_ name: String, _ terminal: Terminal) async throws {
        switch name {
        case "logout": try await terminal.logout()
        case "status": try await terminal.status()
        case "items": try await terminal.items()
        case "watch": try await terminal.watch()
        case "unwatch": try await terminal.unwatch()
        case "list": try await terminal.list()
        case "mute": try await terminal.mute()
        case "unmute": try await terminal.unmute()
        case "inbox": try await terminal.inbox()
        case "history": try await terminal.history()
        case "tail": try await terminal.tail()
        case "read": try await terminal.read()
        case "unread": try await terminal.unread()
        case "done": try await terminal.done()
        case "asks": try await terminal.asks()
        case "later": try await terminal.later()
        case "dismiss": try await terminal.dismiss()
        case "settings": try await terminal.settings()
        case "devices": try await terminal.devices()
        case "programs": try await terminal.programs()
        case "duties": try await terminal.duties()
        case "duty": try await terminal.duty()
        case "pair": try await terminal.pair()
        case "test": try await terminal.test()
        default: preconditionFailure("\(name) stands in the table and does nothing")
        }
    }

    private func complete(for shell: String) throws(TerminalError) {
        guard let shell = ShellCompletion(rawValue: shell) else {
            throw .usage(
                "\"\(shell)\" is not a shell that is known",
                hint: ShellCompletion.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        surroundings.console.print(shell.script(CommandSyntax.program))
    }

    private func manual(date: String) throws(TerminalError) {
        guard date.isEmpty || ManualPage.isDate(date) else {
            throw .usage("\"\(date)\" is not a date", hint: "--date 2026-03-02")
        }
        surroundings.console.print(ManualPage.text(CommandSyntax.program, date: date))
    }

    // MARK: Sign-in

    /// How this machine reaches the server it is signed in at.
    private struct Connection: Codable {
        static let key = "connection"

        /// A PEM file with the authorities to trust; nil for the system's.
        var authorityFile: String?
    }

    private func login(_ parsed: ParsedArguments) async throws {
        let text = parsed.operands[0]
        let server: ServerAddress
        do throws(ServerAddress.Failure) {
            server = try ServerAddress(text, allowsPlainHTTP: parsed.has("--plain-http"))
        } catch {
            switch error {
            case .malformed:
                throw TerminalError.usage(
                    "\"\(text)\" is not the address of a server",
                    hint: "https://notifier.example.com"
                )
            case .plainHTTP:
                throw TerminalError.usage(
                    "over http:// everybody on the way can read your session",
                    hint: "https://\(text.dropFirst(7)), or --plain-http where that is no concern"
                )
            }
        }
        let authority = parsed["--authority"]
        if let authority { _ = try surroundings.console.readFile(authority) }
        let connection = Connection(authorityFile: authority.map(LiveSurroundings.absolute))
        let terminal = terminal(parsed, connection)
        try await terminal.login(to: server)
        try await surroundings.store.update(Connection.key) { $0 = WireCoding.encode(connection) }
    }

    private func terminal(_ parsed: ParsedArguments) async throws -> Terminal {
        let data = try await surroundings.store.value(for: Connection.key)
        let connection = data.flatMap { try? WireCoding.decode(Connection.self, $0) }
        return terminal(parsed, connection ?? Connection())
    }

    private func terminal(_ parsed: ParsedArguments, _ connection: Connection) -> Terminal {
        let client = NotifierClient(
            transport: surroundings.transport(connection.authorityFile),
            credentials: CredentialStore(surroundings.keys),
            tasks: .unstructured,
            userAgent: "gitlab-notify/\(Self.version)"
        )
        let board = StatusBoard()
        return Terminal(
            client: client,
            store: surroundings.store,
            clock: surroundings.clock,
            chance: surroundings.chance,
            console: surroundings.console,
            board: board,
            engine: SyncEngine(
                client: client,
                store: surroundings.localStore,
                clock: surroundings.clock,
                chance: surroundings.chance,
                board: board
            ),
            arguments: parsed,
            claim: surroundings.claim,
            interruption: surroundings.interruption
        )
    }

    private struct Report: Encodable {
        struct Failure: Encodable {
            var code: String
            var message: String
            var hint: String?
        }

        var error: Failure
    }

    private func report(_ error: TerminalError, isJSON: Bool) {
        let message = TerminalText.line(error.message)
        let hint = error.hint.map { TerminalText.line($0) }
        if isJSON {
            let report = Report(error: .init(code: error.code, message: message, hint: hint))
            return surroundings.console.print(String(decoding: WireCoding.encode(report), as: UTF8.self) + "\n")
        }
        guard error.exit != .interrupted else { return }
        surroundings.console.note(
            "gitlab-notify: \(message) [\(error.code)]\n" + (hint.map { "  hint: \($0)\n" } ?? "")
        )
    }
}
