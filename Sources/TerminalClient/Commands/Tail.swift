import FoundationEssentials
import NotifierKit

/// `tail`: news as it comes.
extension Terminal {
    func tail() async throws {
        _ = try await signedIn()
        let limit = try arguments.number("--count", 1...1_000_000)
        guard let claim = try claim("tail") else {
            throw TerminalError(
                .refused,
                "tail_runs",
                "A tail runs here, or somebody is signing in or out.",
                hint: "Each piece of news is printed once, so there is one tail at a time."
            )
        }
        defer { claim.release() }
        let news = NewsPrinter(self, limit: limit.map { Int($0) })
        let manager = notifications(news)
        let monitor = VersionMonitor(
            client: client,
            clock: clock,
            chance: chance,
            board: board,
            notifications: { () async throws(NotifierError) in try await manager.fetchNew(atMost: await news.room) },
            data: { () async throws(NotifierError) in
                // What GitLab cannot take now keeps back no marks.
                var failure: NotifierError?
                do throws(NotifierError) { try await exchangeAll() } catch { failure = error }
                try await manager.fetchMarks()
                if let failure { throw failure }
            },
            isWaiting: { () async throws(NotifierError) in
                if try await engine.hasPending() { return true }
                return try await manager.hasPendingMarks()
            }
        )
        try await follow(monitor, news)
    }

    private enum End: Sendable {
        case enough, interrupted
        case over(NotifierError?)
    }

    private func follow(_ monitor: VersionMonitor, _ news: NewsPrinter) async throws {
        let states = await board.states()
        let end = await withTaskGroup(of: End?.self) { group in
            group.addTask {
                do throws(NotifierError) {
                    try await monitor.run()
                    return .over(nil)
                } catch {
                    return .over(error)
                }
            }
            group.addTask {
                await news.waitForLast()
                return .enough
            }
            group.addTask {
                await interruption()
                return .interrupted
            }
            group.addTask {
                await tell(states)
                return nil
            }
            var end = End.over(nil)
            for await ended in group {
                guard let ended else { continue }
                end = ended
                break
            }
            await monitor.stop()
            await news.close()
            await board.close()
            group.cancelAll()
            return end
        }
        switch end {
        case .enough: return
        case .interrupted: throw TerminalError(.interrupted, "interrupted", "Interrupted.")
        case .over(let error): if let error { throw error }
        }
    }

    /// Says when the connection goes and comes.
    private func tell(_ states: AsyncStream<ConnectionState>) async {
        var wasLost = false
        for await state in states {
            switch state {
            case .offline where !wasLost:
                warn("offline, trying again")
                wasLost = true
            case .error(let error) where !wasLost && error.kind != .signedOut:
                warn(error.message)
                wasLost = true
            case .connected where wasLost:
                warn("connected again")
                wasLost = false
            default: break
            }
        }
    }
}

/// Prints each notification, and knows when there were enough.
actor NewsPrinter: LocalNotifier {
    private let terminal: Terminal
    private var left: Int?
    private let last = AsyncStream<Void>.makeStream()

    init(_ terminal: Terminal, limit: Int?) {
        (self.terminal, left) = (terminal, limit)
    }

    /// How many more are wanted.
    var room: Int { left ?? .max }

    func delivered() -> [DeliveredNotification] { [] }

    func show(_ notification: LocalNotification) -> Bool {
        let told = notification.notification
        terminal.give(News(notification))
        let style = terminal.style
        let time = WireCoding.instant(told.sentAt).dropFirst(11).prefix(5)
        let link = told.webUrl.map { "\n       \(style.faint(TerminalText.line($0)))" } ?? ""
        let title = style.strong(TerminalText.line(notification.title))
        let subtitle = notification.subtitle.map { "  " + TerminalText.line($0, atMost: 80) } ?? ""
        let body = TerminalText.line(notification.body, atMost: 200)
        terminal.say("\(style.faint("\(time)Z")) \(title)\(subtitle)  \(body)\(link)")
        if let count = left {
            left = count - 1
            if count == 1 { last.continuation.finish() }
        }
        return true
    }

    func withdraw(_ notificationIDs: [String]) {}

    func setBadge(_ count: Int) {}

    /// Returns once as many were printed as were wanted; otherwise when the printer closes.
    nonisolated func waitForLast() async {
        for await _ in last.stream {}
    }

    func close() { last.continuation.finish() }

    /// One line of `tail --json`.
    private struct News: Encodable {
        var id: String
        var title: String
        var subtitle: String?
        var body: String
        var subject: String?
        var type: String
        var actionType: String?
        var sentAt: Date
        var webUrl: String?

        init(_ shown: LocalNotification) {
            let told = shown.notification
            (id, title, subtitle, body) = (shown.identifier, shown.title, shown.subtitle, shown.body)
            (subject, type, actionType) = (shown.thread, told.type, told.actionType)
            (sentAt, webUrl) = (told.sentAt, told.webUrl)
        }
    }
}
