import Duties
import FoundationEssentials
import NotifierKit

/// `duties` and `duty`: what you do in turn with others, and what became of it.
extension Terminal {
    private struct All: Encodable {
        var duties: [SharedDuty]
    }

    func duties() async throws {
        _ = try await signedIn()
        if let code = arguments["--join"] {
            guard let name = arguments["--as"] else { throw TerminalError.usage("--join needs --as with your name") }
            _ = try await client.joinDuty(code: code, as: name)
        }
        if let title = arguments["--add"] { _ = try await client.make(try await newDuty(title)) }
        if let text = arguments["--end"] {
            try await client.endDuty(try duty(text, among: try await client.duties()).id)
        }
        let duties = try await client.duties()
        if let text = arguments["--invite"] {
            let invitation = try await client.invite(to: try duty(text, among: duties).id)
            give(invitation)
            let end = WireCoding.instant(invitation.expiresAt).dropFirst(11).prefix(5)
            return say("\(style.strong(TerminalText.line(invitation.invitationCode)))  good until \(end)Z, once")
        }
        give(All(duties: duties))
        for duty in duties {
            let id = style.faint(String(duty.id.description.prefix(8)))
            say("\(id)  \(style.strong(TerminalText.line(duty.title, atMost: 60)))")
            for turn in duty.occurrences { say(line(turn, of: duty)) }
        }
        if duties.isEmpty { say("No duties.") }
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

    /// `duty done|skip|give OCCURRENCE`.
    func duty() async throws {
        _ = try await signedIn()
        let word = arguments.operands[0]
        let (turn, duty) = try await turn(arguments.operands[1])
        let to = try arguments["--to"].map { try member($0, of: duty) }
        guard (word == "give") == (to != nil) else {
            throw TerminalError.usage(to == nil ? "give needs --to with a name" : "--to goes with give")
        }
        let id = await EntityID.made(by: chance)
        let answer: OccurrenceAnswer
        switch (word, to) {
        case ("done", _):
            answer = try await client.end(turn.id, .done, id: id, at: clock.now, note: arguments["--note"])
        case ("skip", _):
            answer = try await client.end(turn.id, .skip, id: id, at: clock.now, note: arguments["--note"])
        case ("give", let to?): answer = try await client.give(turn.id, to: to.id, id: id, at: clock.now)
        default: throw TerminalError.usage("\"\(word)\" is not done, skip or give")
        }
        give(answer)
        let stands = answer.stands ? "" : " already, by what was said before"
        let owner = duty.member(answer.occurrence.assignee).map { TerminalText.line($0.name, atMost: 40) } ?? "nobody"
        say("\(TerminalText.line(duty.title, atMost: 60)): \(answer.occurrence.status)\(stands), \(owner)")
    }

    /// The one occurrence whose id begins so, among those that `duties` lists.
    private func turn(_ text: String) async throws -> (SharedDuty.Turn, SharedDuty) {
        let found = try await client.duties().flatMap { duty in duty.occurrences.map { ($0, duty) } }
            .filter { $0.0.id.description.hasPrefix(text.lowercased()) }
        guard text.utf8.count >= 4, found.count == 1 else {
            throw TerminalError(.refused, "occurrence_not_found", "No one occurrence of yours begins with \(text).")
        }
        return found[0]
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
