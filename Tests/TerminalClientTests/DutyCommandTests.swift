import FoundationEssentials
import NotifierKit
import Testing

@testable import TerminalClient

/// `duties` and `duty`, with and without a network.
struct DutyCommandTests {
    private let server = DutyServer()
    private let turn = String(DutyServer.turns[0].prefix(8))

    private func makeMachine() async throws -> TestMachine {
        let machine = try await TestMachine(server)
        #expect(await machine.run("duties").status == 0)
        return machine
    }

    @Test func `a turn done offline shows at once, outlives the program, and is sent with its time`() async throws {
        let machine = try await makeMachine()
        let chosenAt = machine.clock.now
        server.change { $0.isAway = true }
        let done = await machine.run("duty", "done", turn, "--note", "on the train")
        #expect(done.status == 69 && done.printed == "Triage: completed, Maria\n")
        #expect(done.noted.contains("Changes will sync when you're back online. [waiting]"))
        let listed = await machine.run("duties")
        #expect(listed.status == 0 && listed.noted.contains("Offline - showing cached data."))
        #expect(listed.printed.contains("Triage  (waits)\n") && !listed.printed.contains(turn))
        #expect(server.changes.isEmpty)

        machine.clock.advance(by: 3_600)
        server.change { $0.isAway = false }
        // Any command that reaches the server sends it.
        #expect(await machine.run("list").status == 0)
        let sent = try #require(server.changes.first)
        #expect(server.changes.count == 1 && sent.entity == "completion" && sent.kind == "done")
        #expect(sent.occurrenceId == DutyServer.turns[0] && sent.note == "on the train" && sent.changedAt == chosenAt)
        let after = await machine.run("duties")
        #expect(after.noted.isEmpty && after.printed.contains("Triage\n") && !after.printed.contains(turn))
        #expect(server.changes.count == 1, "it is sent once")
    }

    @Test func `whose turn comes next is computed without a network`() async throws {
        let machine = try await makeMachine()
        #expect(await machine.run("duties").printed.contains("2026-03-03 13:30Z  Lea"))
        server.change { $0.isAway = true }
        // Who stands in comes later, so the next is Maria's no more.
        let given = await machine.run("duty", "give", turn, "--to", "lea")
        #expect(given.status == 69 && given.printed == "Triage: reassigned, Lea\n")
        let listed = await machine.run("duties").printed
        #expect(listed.contains("2026-03-02 13:30Z  Lea\n") && listed.contains("2026-03-03 13:30Z  you\n"))
        #expect(server.changes.isEmpty)
    }

    @Test func `with a network it is sent at once, and said how it stands`() async throws {
        let machine = try await makeMachine()
        let skipped = await machine.run("duty", "skip", turn, "--json")
        #expect(skipped.status == 0 && skipped.noted.isEmpty)
        #expect(skipped.printed.contains(#""sent":true,"stands":true"#), "\(skipped.printed)")
        #expect(server.changes.map(\.kind) == ["skip"])
        // It is over, and listed no more.
        let again = await machine.run("duty", "done", turn)
        #expect(again.status == 1 && again.noted.contains("[occurrence_not_found]"))
    }

    @Test(arguments: [
        ("occurrence_not_found", "There is no such occurrence."),
        ("item_not_found", "This item no longer exists or you don't have access to it."),
    ])
    func `what the server will not have is taken back and told once, in the words of the catalogue`(
        code: String,
        message: String
    ) async throws {
        let machine = try await makeMachine()
        server.change { $0.refusal = code }
        let refused = await machine.run("duty", "done", turn)
        #expect(refused.status == 1 && refused.printed.isEmpty && refused.noted.contains("\(message) [\(code)]"))
        #expect(await machine.run("duties").printed.contains(turn))

        server.change { $0.isAway = true }
        #expect(await machine.run("duty", "done", turn).status == 69)
        server.change { $0.isAway = false }
        let back = await machine.run("duties")
        #expect(back.noted == "gitlab-notify: Triage: \(message)\n" && back.printed.contains(turn))
        #expect(await machine.run("duties").noted.isEmpty)
    }

    @Test(arguments: [
        ["duties", "--join", "K7M2QX", "--as", "Maria"], ["duties", "--invite", "6f1d2c3a"],
        ["duties", "--end", "6f1d2c3a"],
    ])
    func `who takes part in what is the server's, and nothing of it waits`(arguments: [String]) async throws {
        let machine = try await makeMachine()
        server.change { $0.isAway = true }
        let outcome = await machine.run(arguments)
        #expect(outcome.status == 69 && outcome.printed.isEmpty && !outcome.noted.contains("[waiting]"))
        server.change { $0.isAway = false }
        #expect(await machine.run("duties", "--json").printed.contains(#""waiting":0"#))
        #expect(server.changes.isEmpty)
    }

    @Test func `a duty muted offline shows so at once, waits and is sent with its end, and speaks again`() async throws
    {
        let machine = try await makeMachine()
        server.change { $0.isAway = true }
        let muted = await machine.run("duties", "--mute", "6f1d2c3a", "--for", "2h")
        let end = machine.clock.now + 7_200
        let text = "muted until \(WireCoding.instant(end).prefix(16))Z"
        #expect(muted.status == 69 && muted.printed == "Triage: \(text)\n")
        #expect(await machine.run("duties").printed.contains("Triage  (\(text))\n") && server.changes.isEmpty)
        server.change { $0.isAway = false }
        #expect(await machine.run("list").status == 0)
        #expect(server.changes.map(\.entity) == ["dutyMute"] && server.changes.map(\.mutedUntil) == [end])
        let ended = await machine.run("duties", "--unmute", "6f1d2c3a")
        #expect(ended.status == 0 && ended.printed == "Triage: audible\n")
        #expect(server.changes.map(\.mutedUntil) == [end, nil])
        #expect(await machine.run("duties").printed.contains("Triage\n"))
    }

    @Test func `a command line that is wrong keeps nothing`() async throws {
        let machine = try await makeMachine()
        #expect(await machine.run("duty", "give", turn).status == 64)
        #expect(await machine.run("duty", "done", turn, "--to", "Lea").status == 64)
        #expect(await machine.run("duty", "swap", turn).status == 64)
        #expect(await machine.run("duties", "--mute", "6f1d2c3a").status == 64)
        #expect(await machine.run("duties", "--mute", "ffffffff", "--for", "2h").status == 1)
        #expect(await machine.run("duty", "give", turn, "--to", "Nobody").status == 1)
        #expect(await machine.run("duty", "done", "ffffffff").status == 1)
        #expect(await machine.run("duties", "--json").printed.contains(#""waiting":0"#))
    }
}
