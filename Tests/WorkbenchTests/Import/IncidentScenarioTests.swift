import JSON
import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Workbench

struct IncidentScenarioTests {
    private func text(_ more: [String]) throws -> String {
        try IncidentScenario(BundleLines.bundle(more), name: "imported").text()
    }

    private func scenario(_ more: [String]) throws -> Scenario {
        try ScenarioReader.read(Array(try text(more).utf8), file: "imported")
    }

    @Test func `people, devices, items, release and settings are those of the bundle`() throws {
        let scenario = try scenario([BundleLines.minute(1, [(200, 100)])])
        #expect(scenario.world.people.compactMap(\.notified).map(\.devices.count) == [1, 1])
        #expect(scenario.world.person(try #require(Username("person1")))?.notified?.watches.count == 1)
        #expect(scenario.world.gitlab.version == .v17_9 && scenario.world.gitlab.edition == .community)
        #expect(scenario.notifier.values.map(\.key) == ["backoffMaximum"])
        #expect(scenario.start == WallTime(microseconds: BundleLines.start))
        // Three hours less the twenty minutes that a run adds.
        #expect(scenario.duration >= .minutes(160) && scenario.duration < .minutes(161))
    }

    private func bundle(_ lines: [String]) throws -> IncidentBundle {
        try IncidentBundle(bytes: Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    @Test func `where nobody watches anything there are duties still`() throws {
        let people = BundleLines.base.filter { !$0.contains(#""kind":"item""#) && !$0.contains(#""kind":"watch""#) }
        let now = BundleLines.at(0, 1)
        let rhythm = #""everyDays":1,"startDay":20514,"dueMinute":720,"leadSeconds":7200,"mode":"alternate""#
        let duty = [
            #"{"kind":"duty","duty":1,\#(rhythm),"escalates":1,"createdAt":\#(now)}"#,
            #"{"kind":"duty_member","duty":1,"member":1,"account":1,"position":1,"joinedAt":\#(now)}"#,
            #"{"kind":"duty_member","duty":1,"member":2,"account":2,"position":2,"joinedAt":\#(now)}"#,
        ]
        let text = try IncidentScenario(bundle(people + duty), name: "imported").text()
        let scenario = try ScenarioReader.read(Array(text.utf8), file: "imported")
        #expect(scenario.world.duties.count == 1 && scenario.world.itemReferences.isEmpty)
    }

    @Test func `a bundle without a person says that it is people who are missing`() throws {
        let nobody = try bundle([BundleLines.base[0], #"{"kind":"item","item":1,"project":1,"of":"issue"}"#])
        let fault = #expect(throws: IncidentFault.self) { _ = try IncidentScenario(nobody, name: "imported") }
        #expect(fault?.message == "it names no person who uses the notifier")
    }

    @Test func `who knew of it and was not told did it; what nobody knows of is a colleague's`() throws {
        let text = try text([
            BundleLines.fact(1, account: 1, at: 20, notification: 1),
            BundleLines.fact(1, account: 2, at: 20, notification: nil),
            BundleLines.notification(1, account: 1, at: 20, action: "approved"),
            BundleLines.fact(2, account: 1, at: 30, notification: 2),
            BundleLines.fact(2, account: 1, at: 30, of: "mention", notification: 2),
            BundleLines.notification(2, account: 1, at: 30, action: "mentioned"),
        ])
        #expect(
            text.replacing("\n", with: "").replacing(" ", with: "").contains(#""action":"approve","by":"@person2""#)
        )
        #expect(text.contains(#""mention": "@person1""#) && text.contains("@colleague2"))
        #expect(!text.contains("Guess: of"))
    }

    @Test func `what GitLab would refuse becomes a comment that says so`() throws {
        let merges = (1...3).flatMap { number in
            [
                BundleLines.fact(number, account: 1, at: 20 + number, notification: number),
                BundleLines.notification(number, account: 1, at: 20 + number, action: "merged"),
            ]
        }
        let text = try text(merges)
        #expect(text.components(of: #""action": "merge""#) == 1)
        #expect(text.components(of: "Guess: it was merge, which cannot happen here.") == 2)
    }

    @Test func `what somebody says they missed is what happened then, or else a comment`() throws {
        let told = [
            BundleLines.fact(1, account: 1, at: 20, notification: 1),
            BundleLines.fact(1, account: 2, at: 20, notification: nil),
            BundleLines.notification(1, account: 1, at: 20, action: "commented"),
        ]
        let near = try text(told + [#"{"kind":"report","account":2,"item":1,"at":\#(BundleLines.at(21))}"#])
        // Who says that they missed it did not write it.
        #expect(near.components(of: #""action": "comment""#) == 1 && near.contains(#""by": "@colleague1""#))
        let far = try text(told + [#"{"kind":"report","account":2,"item":1,"at":\#(BundleLines.at(90))}"#])
        #expect(
            far.components(of: #""action": "comment""#) == 2 && far.contains("Guess: a person says that they missed")
        )
    }

    @Test func `dead tokens and new devices are events of the story`() throws {
        let text = try text([
            BundleLines.device(3, account: 1, state: "dead", registered: 1, changed: 90),
            BundleLines.device(4, account: 1, registered: 100),
            BundleLines.notification(9, account: 2, at: 120, of: "auth_expired", action: "none"),
            BundleLines.fact(7, account: 2, at: 125, notification: 10),
            BundleLines.notification(10, account: 2, at: 140, action: "commented"),
        ])
        #expect(text.contains("device-replace") && text.contains("expire-token") && text.contains("replace-token"))
    }

    @Test func `a name in a bundle that is none comes nowhere`() throws {
        let text = try text([
            #"{"kind":"account","id":3,"createdAt":\#(BundleLines.at(0)),"username":"secret","gitlabVersion":"secret"}"#
        ])
        #expect(!text.contains("secret"))
    }
}

extension String {
    /// How often `part` stands in it.
    fileprivate func components(of part: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
