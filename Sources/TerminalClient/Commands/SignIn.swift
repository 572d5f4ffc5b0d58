import FoundationEssentials
import NotifierKit

/// `login`, `logout` and `status`.
extension Terminal {
    /// How a person signs in.
    private enum Way {
        case token(gitlab: String, token: String)
        case throughGitLab(gitlab: String)
        case code(String)
    }

    func login(to server: ServerAddress) async throws {
        let claim = try claimAlone()
        defer { claim.release() }
        switch try way() {
        case .token(let gitlab, let token):
            try await client.register(on: server, gitlab: gitlab, personalAccessToken: token)
        case .throughGitLab(let gitlab): try await agree(on: server, gitlab: gitlab)
        case .code(let code):
            try await client.pair(on: server, code: code, platform: .macos, name: arguments["--name"] ?? "terminal")
        }
        // What is kept here may be another person's.
        try await forgetState()
        say("Signed in at \(server).")
        give(["server": server.description])
    }

    /// Keeps a `tail` from running meanwhile: what it holds of the former person it would keep, and print, beside the next one's.
    private func claimAlone() throws -> Claim {
        guard let claim = try claim("tail") else {
            throw TerminalError(.refused, "tail_runs", "A tail runs here.", hint: "End it first, and try again.")
        }
        return claim
    }

    private func way() throws -> Way {
        let ways = ["--token-file", "--through-gitlab", "--code"].filter(arguments.has)
        guard ways.count <= 1 else {
            throw TerminalError.usage("\(ways.joined(separator: " and ")) exclude each other")
        }
        if let code = arguments["--code"] { return .code(code) }
        guard let gitlab = arguments["--gitlab"] else {
            throw TerminalError.usage(
                "login needs your GitLab's address, or a pairing code",
                hint: "--gitlab https://gitlab.example.com, or --code with what another device of yours shows"
            )
        }
        if arguments.has("--through-gitlab") { return .throughGitLab(gitlab: gitlab) }
        return .token(gitlab: gitlab, token: try token(of: gitlab))
    }

    private func token(of gitlab: String) throws -> String {
        let text: String
        if let path = arguments["--token-file"] {
            text = try console.readFile(path)
        } else if let typed = console.askSecret("Access token of \(gitlab) (scope read_api): ") {
            text = typed
        } else {
            throw TerminalError.usage(
                "nobody can be asked for a token",
                hint: "--token-file FILE, or - for standard input"
            )
        }
        let token = text.trimmed
        guard (1...1_024).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw TerminalError(.badInput, "no_token", "That is no access token.", hint: "It looks like glpat-….")
        }
        return token
    }

    private func agree(on server: ServerAddress, gitlab: String) async throws {
        let flow = try await client.startOAuth(on: server, gitlab: gitlab, kind: .code)
        let address = flow.verificationUrlComplete ?? flow.verificationUrl ?? gitlab
        console.note(
            """
            Open \(TerminalText.line(address)) on any device,
            sign in there and type in the code \(TerminalText.line(flow.userCode ?? "")).

            """
        )
        var pause = Duration.seconds(flow.pollSeconds ?? 5)
        while clock.now < flow.expiresAt {
            try await clock.sleep(for: pause)
            guard let next = try await client.finishOAuth(on: server, state: flow.state, code: nil) else { return }
            pause = next
        }
        throw TerminalError(.refused, "not_agreed", "The code was not typed in, in time.", hint: "Try again.")
    }

    func logout() async throws {
        guard try await client.credentials() != nil else {
            say("Nobody was signed in.")
            return give(["signedOut": false])
        }
        let claim = try claimAlone()
        defer { claim.release() }
        if arguments.has("--everywhere") {
            try await client.revokeAllSessions()
        } else {
            try await endSession()
            try await client.forgetCredentials()
        }
        try await forgetState()
        say("Signed out.")
        give(["signedOut": true])
    }

    /// Ends the session at the server, as far as that can be done now.
    private func endSession() async throws(NotifierError) {
        do throws(NotifierError) {
            try await client.removeCurrentDevice()
        } catch {
            // Over already, or of no device.
            if error.kind == .signedOut || ["device_session_missing", "device_not_found"].contains(error.code) {
                return
            }
            guard error.isTemporary else { throw error }
            warn("\(error.message) The session is forgotten here; another device can end it: gitlab-notify devices.")
        }
    }

    private func forgetState() async throws {
        try await engine.forget()
        try await notifications().forget()
        try await InboxCache.forget(in: store)
    }

    private struct Report: Encodable {
        var server: String
        var account: ServerStatus.Account
        var lastPollAt: Date?
        var watched: Int
        var asks: ServerStatus.Asks
        var unread: Int
        var sentLast24h: Int
        var waitingHere: Int
        var apns: [String: String]
    }

    func status() async throws {
        let credentials = try await signedIn()
        let status = try await client.status()
        let unread = try await client.unread()
        let marks = try await notifications().inbox().pendingMarks.count
        let waiting = try await engine.state().pending.count + marks
        let report = Report(
            server: credentials.server.description,
            account: status.account,
            lastPollAt: status.pollState.lastSuccessfulPollAt,
            watched: status.watchedItems.count,
            asks: status.asks,
            unread: unread.count,
            sentLast24h: status.notifications.sentLast24h,
            waitingHere: waiting,
            apns: status.apns
        )
        give(report)
        say("server    \(report.server)")
        say("GitLab    \(gitlabState(status))")
        say("watched   \(report.watched)")
        say("unread    \(report.unread) (\(report.sentLast24h) told in the last 24 hours)")
        say("asks      \(asksState(status.asks))")
        say("pushes    \(apnsState(status))")
        if waiting > 0 { say("waiting   \(waiting) of your choices, until the server answers") }
    }

    private func asksState(_ asks: ServerStatus.Asks) -> String {
        guard let oldest = asks.oldestAt else { return "nobody waits for you" }
        let again = asks.remindAt.map { ", told again at \(WireCoding.instant($0).prefix(16))Z" } ?? ""
        return "\(asks.open) since \(WireCoding.instant(oldest).prefix(16))Z\(again)"
    }

    private func gitlabState(_ status: ServerStatus) -> String {
        switch status.account.state {
        case "active":
            if let since = status.account.troubleSince {
                return style.bad("cannot be read for \(TerminalText.age(since, at: clock.now))")
            }
            guard let polled = status.pollState.lastSuccessfulPollAt else { return "connected, not read yet" }
            return "connected, read \(TerminalText.age(polled, at: clock.now)) ago".replacing(
                "now ago",
                with: "just now"
            )
        case "auth_expired": return style.bad(ErrorCatalogue.gitlabSessionExpired.message)
        default: return style.bad(TerminalText.line(status.account.state))
        }
    }

    private func apnsState(_ status: ServerStatus) -> String {
        let words = status.apns.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return TerminalText.line(words.joined(separator: ", "))
    }
}

extension String {
    /// Without blanks and line breaks at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
