import FoundationEssentials
import NotifierKit
import Platform

/// `inbox`, `history`, `read`, `unread`, `done` and `dismiss`.
extension Terminal {
    private struct Inbox: Encodable {
        var count: Int
        var notifications: [AppNotification]
        var fetchedAt: Date
        /// Whether the server could not be asked now.
        var offline: Bool
    }

    func inbox() async throws {
        _ = try await signedIn()
        let (inbox, isOffline) = try await currentInbox()
        give(
            Inbox(
                count: inbox.count,
                notifications: inbox.notifications,
                fetchedAt: inbox.fetchedAt,
                offline: isOffline
            )
        )
        for notification in inbox.notifications { say(line(notification)) }
        if inbox.notifications.isEmpty { say("Nothing unread.") }
        let shown = inbox.notifications.count(where: \.counts)
        if inbox.count > shown { say(style.faint("and \(inbox.count - shown) older")) }
    }

    private func currentInbox() async throws -> (InboxCache, isOffline: Bool) {
        do {
            try await sendWaiting()
            return (try await InboxCache.fetch(client, into: store, at: clock.now), false)
        } catch let error as NotifierError where error.isTemporary && error.kind != .storage {
            guard var last = try await InboxCache.last(in: store) else { throw error }
            warnOfCache(error)
            last.apply(try await notifications().inbox().pendingMarks)
            return (last, true)
        }
    }

    func history() async throws {
        _ = try await signedIn()
        var query = HistoryQuery(limit: try arguments.number("--limit", 1...100))
        if let text = arguments["--since"] {
            if let length = DurationNotation.parse(text) {
                query.since = clock.now - Double(length.components.seconds)
            } else if let instant = WireCoding.date(text) {
                query.since = instant
            } else {
                throw TerminalError.usage("--since must be such as 2d, or an instant")
            }
        }
        if let text = arguments.operands.first { query.item = try await locate(try ItemName(text)).item }
        let page = try await client.history(query)
        give(page)
        for notification in page.notifications { say(line(notification)) }
        if page.notifications.isEmpty { say("Nothing yet.") }
    }

    /// One notification on one line.
    func line(_ notification: AppNotification) -> String {
        let mark = notification.readAt == nil ? style.accent("●") : " "
        let age = TerminalText.age(notification.sentAt, at: clock.now)
        let padded = String(repeating: " ", count: max(0, 4 - age.count)) + age
        let title = style.strong(TerminalText.line(notification.title, atMost: 80))
        let subtitle = notification.subtitle.map { "  " + TerminalText.line($0, atMost: 60) } ?? ""
        let body = TerminalText.line(notification.body, atMost: 60)
        let id = style.faint(String(notification.id.prefix(8)))
        return "\(mark) \(style.faint(padded))  \(id)  \(title)\(subtitle)  \(body)"
    }

    // MARK: Marking

    private struct Marked: Encodable {
        var marked: Int
        /// False while the mark waits for the server.
        var sent: Bool
    }

    func read() async throws {
        _ = try await signedIn()
        let all = arguments.has("--all")
        guard all != !arguments.operands.isEmpty else {
            throw TerminalError.usage("read needs either ids or --all", hint: "gitlab-notify inbox lists them")
        }
        let ids = try await ids(arguments.operands)
        try await mark(all ? .all : .ids(ids), count: ids.count, verb: all ? "Everything is read" : "Read")
    }

    func unread() async throws {
        _ = try await signedIn()
        let ids = try await ids(arguments.operands)
        try await mark(.unread(ids), count: ids.count, verb: "Unread again")
    }

    func done() async throws {
        _ = try await signedIn()
        for text in arguments.operands {
            if let ask = try await ask(text) {
                // What told of it is read with it.
                try await client.settle(ask.id, .done)
                say("Done: \(TerminalText.line(text)).")
                give(Marked(marked: 1, sent: true))
                continue
            }
            let item = try await locate(try ItemName(text)).item
            let subject = "\(item.projectID)/\(item.kind.rawValue)/\(item.iid)"
            try await mark(.subject(subject), count: 1, verb: "Done: \(TerminalText.line(text))")
            _ = try await settle(item, .done)
        }
    }

    private func mark(_ selection: ReadSelection, count: Int, verb: String) async throws {
        let manager = notifications()
        try await manager.mark(selection)
        let isSent = try await manager.inbox().pendingMarks.isEmpty
        say("\(verb).")
        give(Marked(marked: count, sent: isSent))
        guard isSent else { throw TerminalError.waiting() }
    }

    func dismiss() async throws {
        _ = try await signedIn()
        let id = try await ids(arguments.operands)[0]
        let isDismissed =
            arguments.has("--undo")
            ? try await client.undismiss(notification: id) : try await client.dismiss(notification: id)
        say(isDismissed ? "You hear no more of this item." : "This item may tell you news again.")
        give(["dismissed": isDismissed])
    }

    /// The whole ids of what was written, by their first letters.
    private func ids(_ texts: [String]) async throws -> [String] {
        guard texts.contains(where: { $0.utf8.count < 36 }) else { return texts }
        var known = try await InboxCache.last(in: store)?.notifications.map(\.id) ?? []
        let isKnown = { (text: String) in known.contains { $0.hasPrefix(text) } }
        if !texts.allSatisfy(isKnown) {
            known += try await client.history(HistoryQuery(limit: 100)).notifications.map(\.id)
        }
        return try texts.map { text in
            let found = Set(known.filter { $0.hasPrefix(text.lowercased()) })
            guard text.utf8.count >= 4, let id = found.first, found.count == 1 else {
                throw TerminalError(
                    .refused,
                    "notification_not_found",
                    found.count > 1
                        ? "Several notifications begin with \(text)." : "No notification begins with \(text).",
                    hint: "Give at least four letters of what inbox or history print."
                )
            }
            return id
        }
    }
}
