import FoundationEssentials
import NotifierKit
import Platform

/// `items`, `watch`, `unwatch`, `list`, `mute` and `unmute`.
extension Terminal {
    func items() async throws {
        _ = try await signedIn()
        let limit = try arguments.number("--limit", 1...100)
        let page = try await client.items(ItemQuery(state: arguments["--state"], limit: limit))
        give(page)
        for item in page.items {
            let name = "\(item.projectPath ?? String(item.projectId))\(item.type.sign)\(item.iid)"
            let mark = item.watched ? style.accent("watched") : "       "
            say("\(mark)  \(style.strong(TerminalText.line(name)))  \(TerminalText.line(item.title, atMost: 72))")
        }
        if page.items.isEmpty { say("Nothing that you have to do with.") }
    }

    /// What became of one item.
    private struct Outcome: Encodable {
        var item: String
        /// False while the choice waits for the server.
        var sent: Bool
        var title: String?
        /// Why the choice was taken back.
        var refusal: Refusal?
    }

    private struct Refusal: Encodable {
        var code: String
        var message: String
    }

    private struct Outcomes: Encodable {
        var items: [Outcome]
    }

    func watch() async throws {
        try await choose(verb: "Watching") { name in
            let (item, title, path) = try await locate(name)
            let isSent = try await watches.watch(item, title: title ?? name.description, projectPath: path)
            return (isSent, title)
        }
    }

    func unwatch() async throws {
        try await choose(verb: "No longer watching") { name in
            let entry = try await entry(name)
            return (try await watches.unwatch(entry.item), entry.title)
        }
    }

    func mute() async throws {
        let end = try muteEnd("mute needs --for or --until", "gitlab-notify mute 'team/app!1' --for 8h")
        try await choose(verb: "Muted") { name in
            let entry = try await entry(name)
            return (try await watches.mute(entry.item, until: end), entry.title)
        }
    }

    func unmute() async throws {
        try await choose(verb: "Audible again:") { name in
            let entry = try await entry(name)
            return (try await watches.mute(entry.item, until: nil), entry.title)
        }
    }

    /// When what is muted speaks again, as `--for` or `--until` says.
    func muteEnd(_ usage: String, _ hint: String) throws(TerminalError) -> Date {
        switch (try arguments.duration("--for"), arguments["--until"]) {
        case (let length?, nil): return clock.now + Double(length.components.seconds)
        case (nil, let text?):
            guard let end = WireCoding.date(text) else {
                throw .usage("--until must be an instant such as 2026-03-02T09:00:00Z")
            }
            return end
        default: throw .usage(usage, hint: hint)
        }
    }

    /// Does `body` for each item, and goes on behind a refusal.
    private func choose(
        verb: String,
        _ body: (ItemName) async throws -> (isSent: Bool, title: String?)
    ) async throws {
        _ = try await signedIn()
        let names = try arguments.operands.map { text throws(TerminalError) in try ItemName(text) }
        var outcomes: [Outcome] = []
        var failure: TerminalError?
        var waits = false
        for name in names {
            do {
                let (isSent, title) = try await body(name)
                waits = waits || !isSent
                outcomes.append(Outcome(item: name.description, sent: isSent, title: title))
                let text = "\(verb) \(style.strong(TerminalText.line(name.description)))"
                say(text + (title.map { "  \(TerminalText.line($0, atMost: 72))" } ?? ""))
            } catch {
                let refused = TerminalError(error)
                guard refused.exit == .refused else { throw refused }
                outcomes.append(
                    Outcome(
                        item: name.description,
                        sent: true,
                        refusal: Refusal(code: refused.code, message: refused.message)
                    )
                )
                if names.count > 1, !isJSON { warn("\(TerminalText.line(name.description)): \(refused.message)") }
                failure = refused
            }
        }
        give(Outcomes(items: outcomes))
        if let failure { throw failure }
        if waits { throw TerminalError.waiting(hint: "gitlab-notify list shows what waits") }
    }

    private struct List: Encodable {
        var items: [WatchedItem]
        /// When the server last told the list; absent before it has.
        var fetchedAt: Date?
        /// Whether the server could not be asked now.
        var offline: Bool
        /// How many choices wait to be sent.
        var waiting: Int
    }

    func list() async throws {
        _ = try await signedIn()
        let isOffline = try await exchangeIfReached()
        let list = try await watches.list()
        let items = list.items
        give(List(items: items, fetchedAt: list.fetchedAt, offline: isOffline, waiting: list.waitingCount))
        for item in items {
            let name = "\(item.projectPath ?? String(item.projectId))\(item.itemType.sign)\(item.itemIid)"
            var notes: [String] = []
            if list.waiting.contains(item.item) { notes.append("waits") }
            if let end = item.mutedUntil, end > clock.now {
                notes.append("muted until \(WireCoding.instant(end).prefix(16))Z")
            }
            if item.missingSince != nil { notes.append("not there any more") }
            if item.watchSource == "auto" { notes.append("by a tag") }
            let suffix = notes.isEmpty ? "" : style.faint("  (\(notes.joined(separator: ", ")))")
            say("\(style.strong(TerminalText.line(name)))  \(TerminalText.line(item.title, atMost: 72))\(suffix)")
        }
        if items.isEmpty { say("You watch nothing.") }
    }

    /// Sends what waits and fetches what others changed, as far as somebody answers; true when nobody did.
    func exchangeIfReached() async throws(NotifierError) -> Bool {
        do throws(NotifierError) {
            try await exchangeAll()
            return false
        } catch {
            guard error.isTemporary, error.kind != .storage else { throw error }
            warnOfCache(error)
            return true
        }
    }

    /// Says that what is shown is not fresh: nobody answers, or somebody does and cannot do it now.
    func warnOfCache(_ error: NotifierError) {
        warn(
            "\(error.kind == .unavailable ? "Showing cached data." : "Offline - showing cached data.") \(error.message)"
        )
    }

    /// Sends what was chosen while nobody answered, fetches what other devices changed, and tells what was taken back.
    func exchangeAll() async throws(NotifierError) {
        var failure: NotifierError?
        do throws(NotifierError) { try await engine.sync() } catch { failure = error }
        for reversal in try await engine.takeReversals() {
            let title = reversal.change.label.map { TerminalText.line($0.title) } ?? "What you chose"
            warn("\(title): \(reversal.reason.message)")
        }
        if let failure { throw failure }
        try await notifications().sendPendingMarks()
    }

    /// As ``exchangeAll()`` where something was chosen; where nothing waits, nothing is asked.
    func sendWaiting() async throws(NotifierError) {
        guard try await engine.state().pending.isEmpty else { return try await exchangeAll() }
        try await notifications().sendPendingMarks()
    }

    // MARK: Finding items

    /// The entry of the watch list that is meant.
    private func entry(_ name: ItemName) async throws -> WatchedItem {
        let isMeant = { (item: WatchedItem) in
            item.itemType == name.kind && item.itemIid == name.iid
                && name.isIn(project: item.projectId, path: item.projectPath)
        }
        if let known = try await watches.list().items.first(where: isMeant) { return known }
        if try await !exchangeIfReached(), let known = try await watches.list().items.first(where: isMeant) {
            return known
        }
        throw TerminalError(
            .refused,
            "not_watched",
            "You do not watch \(TerminalText.line(name.description)).",
            hint: "gitlab-notify list"
        )
    }

    /// The item that is meant, with what it is called as far as that is known. The server asks GitLab by the project's number, so a path
    /// has to be found among what the person has to do with.
    func locate(_ name: ItemName) async throws -> (item: ItemReference, title: String?, path: String?) {
        let known = try await watches.list().items.first { name.isIn(project: $0.projectId, path: $0.projectPath) }
        if case .number(let number) = name.project {
            return (ItemReference(projectID: number, kind: name.kind, iid: name.iid), nil, known?.projectPath)
        }
        if let known {
            return (ItemReference(projectID: known.projectId, kind: name.kind, iid: name.iid), nil, known.projectPath)
        }
        var cursor: String?
        for _ in 0..<5 {
            let page = try await client.items(ItemQuery(state: "all", limit: 100, cursor: cursor))
            let inProject = page.items.filter { name.isIn(project: $0.projectId, path: $0.projectPath) }
            if let found = inProject.first {
                let same = inProject.first { $0.type == name.kind && $0.iid == name.iid }
                let item = ItemReference(projectID: found.projectId, kind: name.kind, iid: name.iid)
                return (item, same?.title, found.projectPath)
            }
            cursor = page.nextCursor
            if cursor == nil { break }
        }
        throw TerminalError(
            .refused,
            "project_unknown",
            "None of your items is in the project of \(TerminalText.line(name.description)).",
            hint: "Give the project's number, which its page in GitLab shows: 42\(name.kind.sign)\(name.iid)"
        )
    }
}
