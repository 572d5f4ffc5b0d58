import FoundationEssentials
import NotifierKit

/// `asks` and `later`, and what `done` says of who waits.
extension Terminal {
    private struct Waiting: Encodable {
        var asks: [Ask]
    }

    func asks() async throws {
        _ = try await signedIn()
        let asks = try await client.asks()
        give(Waiting(asks: asks))
        for ask in asks { say(line(ask)) }
        if asks.isEmpty { say("Nobody waits for you.") }
    }

    private func line(_ ask: Ask) -> String {
        let age = TerminalText.age(ask.raisedAt, at: clock.now)
        let padded = String(repeating: " ", count: max(0, 4 - age.count)) + age
        let again = ask.remindAt.map { "again at \(WireCoding.instant($0).dropFirst(11).prefix(5))Z" } ?? ""
        // Of a program the title says little.
        let what = ask.item == nil ? ask.itemTitle.map { "\(ask.title): \($0)" } : nil
        let title = style.strong(TerminalText.line(what ?? ask.title, atMost: 80))
        let id = ask.item == nil ? style.faint(String(ask.id.prefix(8))) + "  " : ""
        let link = ask.webUrl.map { "\n       \(style.faint(TerminalText.line($0)))" } ?? ""
        return "\(style.accent("▲")) \(style.faint(padded))  \(id)\(title)  \(style.faint(again))\(link)"
    }

    private struct Postponed: Encodable {
        var postponed: Int
    }

    func later() async throws {
        _ = try await signedIn()
        var count = 0
        for text in arguments.operands {
            let found = try await settle(text, .later)
            say(
                found == 0
                    ? "Nobody waits for you at \(TerminalText.line(text))." : "Later: \(TerminalText.line(text))."
            )
            count += found
        }
        give(Postponed(postponed: count))
    }

    /// Says it of one thing that is asked, by the first letters of its id, or of all that is asked on an item; returns of how much.
    private func settle(_ text: String, _ action: SettleAction) async throws -> Int {
        if let ask = try await ask(text) {
            try await client.settle(ask.id, action)
            return 1
        }
        return try await settle(try await locate(try ItemName(text)).item, action)
    }

    /// What is asked under an id that begins so; nil for what is no id, or the beginning of none or of several.
    func ask(_ text: String) async throws(NotifierError) -> Ask? {
        let isID =
            text.utf8.count >= 4 && text.utf8.allSatisfy { $0 == 0x2D || Character(Unicode.Scalar($0)).isHexDigit }
        guard isID else { return nil }
        let found = try await client.asks().filter { $0.id.hasPrefix(text.lowercased()) }
        return found.count == 1 ? found[0] : nil
    }

    /// Says it of all that is asked of the person on an item; returns of how much.
    func settle(_ item: ItemReference, _ action: SettleAction) async throws(NotifierError) -> Int {
        var count = 0
        for ask in try await client.asks() where ask.item == item {
            do throws(NotifierError) {
                try await client.settle(ask.id, action)
                count += 1
            } catch {
                // Dealt with elsewhere a moment ago.
                guard error.code == "ask_not_found" else { throw error }
            }
        }
        return count
    }
}
