import Duties
import FoundationEssentials
import NotifierKit

/// `duties` and `duty`: what you do in turn with others, and what became of it.
extension Terminal {
    private struct All: Encodable {
        var duties: [SharedDuty]
        /// When the server last told them; absent before it has.
        var fetchedAt: Date?
        /// Whether the server could not be asked now.
        var offline: Bool
        /// How many choices wait to be sent.
        var waiting: Int
    }

    func duties() async throws {
        _ = try await signedIn()
        try await changeDuties()
        if arguments["--mute"] != nil || arguments["--unmute"] != nil { return try await muteDuty() }
        if let text = arguments["--invite"] { return try await invite(to: text) }
        let isOffline = try await exchangeIfReached()
        let list = try await turns.list()
        let duties = Self.shown(list.copy)
        give(All(duties: duties, fetchedAt: list.fetchedAt, offline: isOffline, waiting: list.waitingCount))
        for duty in duties {
            let id = style.faint(String(duty.id.description.prefix(8)))
            let waits = list.copy.turns(of: duty.id).contains { list.waiting.contains($0.id) }
            var notes = waits ? ["waits"] : []
            if let end = duty.mutedUntil, end > clock.now { notes.append(Self.mute(until: end)) }
            let suffix = notes.isEmpty ? "" : style.faint("  (\(notes.joined(separator: ", ")))")
            say("\(id)  \(style.strong(TerminalText.line(duty.title, atMost: 60)))\(suffix)")
            for turn in duty.occurrences { say(line(turn, of: duty)) }
        }
        if duties.isEmpty { say("No duties.") }
    }

    /// How many occurrences of a duty are listed.
    private static let mostTurns = 5

    /// Each duty with the next occurrences that are not over, as this device knows them.
    private static func shown(_ copy: DutyCopy) -> [SharedDuty] {
        copy.list.map { duty in
            var duty = duty
            duty.occurrences = Array(copy.turns(of: duty.id).lazy.filter { !$0.isOver }.prefix(mostTurns))
            return duty
        }
    }

    private struct Muted: Encodable {
        var duty: SharedDuty
        /// False while the choice waits for the server.
        var sent: Bool
    }

    /// `--mute` and `--unmute`: kept here first, and sent as soon as the server can be reached.
    private func muteDuty() async throws {
        let (ended, begun) = (arguments["--unmute"], arguments["--mute"])
        guard let text = begun ?? ended, begun == nil || ended == nil else {
            throw TerminalError.usage("--mute does not go with --unmute")
        }
        let end =
            begun == nil ? nil : try muteEnd("--mute needs --for or --until", "gitlab-notify duties --mute ID --for 2d")
        let id = try await knownDuty(text).id
        let isSent = try await engine.send(try await turns.mute(id, until: end))
        guard let now = try await turns.list().copy.duty(id) else { return }
        give(Muted(duty: now, sent: isSent))
        let state = now.mutedUntil.flatMap { $0 > clock.now ? Self.mute(until: $0) : nil } ?? "audible"
        say("\(TerminalText.line(now.title, atMost: 60)): \(state)")
        if !isSent { throw TerminalError.waiting(hint: "gitlab-notify duties shows what waits") }
    }

    private static func mute(until end: Date) -> String { "muted until \(WireCoding.instant(end).prefix(16))Z" }

    /// The one duty whose id begins so; the server is asked only where none is known.
    private func knownDuty(_ text: String) async throws -> SharedDuty {
        if let known = try? duty(text, among: try await turns.list().copy.list) { return known }
        _ = try await exchangeIfReached()
        return try duty(text, among: try await turns.list().copy.list)
    }

    /// What the server alone can do: who takes part in what.
    private func changeDuties() async throws {
        if let code = arguments["--join"] {
            guard let name = arguments["--as"] else { throw TerminalError.usage("--join needs --as with your name") }
            _ = try await client.joinDuty(code: code, as: name)
        }
        if let title = arguments["--add"] { _ = try await client.make(try await newDuty(title)) }
        if let text = arguments["--end"] {
            try await client.endDuty(try duty(text, among: try await client.duties()).id)
        }
    }

    private func invite(to text: String) async throws {
        let invitation = try await client.invite(to: try duty(text, among: try await client.duties()).id)
        give(invitation)
        let end = WireCoding.instant(invitation.expiresAt).dropFirst(11).prefix(5)
        say("\(style.strong(TerminalText.line(invitation.invitationCode)))  good until \(end)Z, once")
    }

    /// What `--add` and the flags beside it say.
    private func newDuty(_ title: String) async throws -> NewDuty {
        let rhythm = (days: try arguments.number("--every", 1...366), weekdays: arguments["--on"])
        guard (rhythm.days == nil) != (rhythm.weekdays == nil) else {
            throw TerminalError.usage("--add needs either --every with days, or --on with days of the week")
        }
        guard let name = arguments["--as"] else { throw TerminalError.usage("--add needs --as with your name") }
        guard let day = arguments["--from"], let start = CivilDay(day) else {
            throw TerminalError.usage("--add needs --from with a day such as 2026-03-02")
        }
        guard let time = arguments["--at"] else {
            throw TerminalError.usage("--add needs --at with a time of day such as 09:30")
        }
        let zone: String
        if let named = arguments["--zone"] { zone = named } else { zone = try await client.settings().timeZone }
        var duty = NewDuty(
            id: await EntityID.made(by: chance),
            title: title,
            everyDays: rhythm.days.map { Int($0) },
            startOn: start,
            timeOfDay: time,
            timeZone: zone,
            members: [NewDuty.Member(name: name, isYou: true)]
                + arguments.all("--with").map { NewDuty.Member(name: $0) }
        )
        duty.weekdays = rhythm.weekdays.map { $0.split(separator: ",").map(String.init) }
        duty.everyWeeks = try arguments.number("--weeks", 1...52).map { Int($0) }
        duty.leadHours = try arguments.number("--lead", 0...336).map { Int($0) }
        duty.mode = arguments.has("--fixed") ? "fixed" : nil
        duty.escalates = arguments.has("--escalates") ? true : nil
        return duty
    }

    private func line(_ turn: SharedDuty.Turn, of duty: SharedDuty) -> String {
        let member = duty.member(turn.assignee)
        let name = member.map { $0.isYou ? "you" : TerminalText.line($0.name, atMost: 40) } ?? "nobody"
        let due = WireCoding.instant(turn.dueAt).prefix(16).replacing("T", with: " ") + "Z"
        let late = turn.dueAt < clock.now ? style.accent("  late") : ""
        return "   \(style.faint(String(turn.id.description.prefix(8))))  \(due)  \(name)\(late)"
    }

    /// How a turn stands behind what was said of it.
    private struct Standing: Encodable {
        var occurrence: SharedDuty.Turn
        /// False where something that was said before, or happened earlier, stands instead.
        var stands: Bool
        /// False while the choice waits for the server.
        var sent: Bool
    }

    /// `duty done|skip|give OCCURRENCE`.
    func duty() async throws {
        _ = try await signedIn()
        let (turn, duty) = try await turn(arguments.operands[1])
        let change = try await choose(turn, of: duty)
        let isSent = try await engine.send(change)
        let now = try await turns.list().copy.turns(of: duty.id).first { $0.id == turn.id } ?? turn
        let isOwn = now.decidedBy == change.wanted.event
        give(Standing(occurrence: now, stands: isOwn, sent: isSent))
        let already = isOwn ? "" : " already, by what was said before"
        let owner = duty.member(now.assignee).map { TerminalText.line($0.name, atMost: 40) } ?? "nobody"
        say("\(TerminalText.line(duty.title, atMost: 60)): \(now.status)\(already), \(owner)")
        if !isSent { throw TerminalError.waiting(hint: "gitlab-notify duties shows what waits") }
    }

    private func choose(_ turn: SharedDuty.Turn, of duty: SharedDuty) async throws -> PendingChange {
        let word = arguments.operands[0]
        let to = try arguments["--to"].map { try member($0, of: duty) }
        guard (word == "give") == (to != nil) else {
            throw TerminalError.usage(to == nil ? "give needs --to with a name" : "--to goes with give")
        }
        switch (word, to) {
        case ("done", _): return try await turns.end(turn.id, .done, note: arguments["--note"])
        case ("skip", _): return try await turns.end(turn.id, .skip, note: arguments["--note"])
        case ("give", let to?): return try await turns.give(turn.id, to: to.id)
        default: throw TerminalError.usage("\"\(word)\" is not done, skip or give")
        }
    }

    /// The one occurrence whose id begins so, among those that `duties` lists; the server is asked only where none is known.
    private func turn(_ text: String) async throws -> (SharedDuty.Turn, SharedDuty) {
        if let known = try await knownTurn(text) { return known }
        if try await !exchangeIfReached(), let known = try await knownTurn(text) { return known }
        throw TerminalError(
            .refused,
            "occurrence_not_found",
            "No one occurrence of yours begins with \(TerminalText.line(text)).",
            hint: "gitlab-notify duties"
        )
    }

    private func knownTurn(_ text: String) async throws -> (SharedDuty.Turn, SharedDuty)? {
        let found = Self.shown(try await turns.list().copy).flatMap { duty in duty.occurrences.map { ($0, duty) } }
            .filter { $0.0.id.description.hasPrefix(text.lowercased()) }
        return text.utf8.count >= 4 && found.count == 1 ? found[0] : nil
    }

    private func duty(_ text: String, among duties: [SharedDuty]) throws -> SharedDuty {
        let found = duties.filter { $0.id.description.hasPrefix(text.lowercased()) }
        guard text.utf8.count >= 4, found.count == 1 else {
            throw TerminalError(.refused, "duty_not_found", "No one duty of yours begins with \(text).")
        }
        return found[0]
    }

    private func member(_ text: String, of duty: SharedDuty) throws -> SharedDuty.Member {
        let found = duty.members.filter { $0.leftAt == nil && $0.name.lowercased() == text.lowercased() }
        guard found.count == 1 else {
            throw TerminalError(.refused, "member_not_found", "Nobody of that one name takes part: \(text).")
        }
        return found[0]
    }
}

extension SyncChange.Wanted {
    /// The id of what happened to an occurrence; nil for anything else.
    fileprivate var event: EntityID? {
        switch self {
        case .duty(.end(let id, _, _, _, _)), .duty(.give(let id, _, _)): id
        default: nil
        }
    }
}
