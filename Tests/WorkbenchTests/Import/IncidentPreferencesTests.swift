import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Workbench

/// What people chose to be told of, from the lines of a bundle to the entries of a scenario.
struct IncidentPreferencesTests {
    private static func preferences(_ more: String) -> String { #"{"kind":"preferences","account":1,\#(more)}"# }

    private static func quiet(_ windows: [(weekday: Int, from: Int, until: Int)], bypass: Int = 1) -> String {
        let texts = windows.map { #"{"weekday":\#($0.weekday),"from":\#($0.from),"until":\#($0.until)}"# }
        let list = texts.joined(separator: ",")
        return preferences(#""urgentBypass":\#(bypass),"quiet":[\#(list)],"quietChangedAt":\#(BundleLines.at(10))"#)
    }

    private static func clock(_ minutes: Int, _ before: Int? = nil) -> String {
        #"{"kind":"clock","account":1,"minutesAhead":[\#(minutes),\#(before ?? minutes)]}"#
    }

    private static let night = (1...7).map { (weekday: $0, from: 1_320, until: 420) }

    /// What happens by a person's choice, as `action key=value`, in order.
    private func entries(_ more: [String]) throws -> [String] {
        let text = try IncidentScenario(BundleLines.bundle(more), name: "imported").text()
        let scenario = try ScenarioReader.read(Array(text.utf8), file: "imported")
        let plan = try scenario.plan(seed: 1)
        return plan.steps.compactMap { step in
            guard case .app(let action, let person) = step.action else { return nil }
            return "\(DurationNotation.text(step.offset)) \(person) \(action)"
        }
    }

    private func text(_ more: [String]) throws -> String {
        try IncidentScenario(BundleLines.bundle(more), name: "imported").text()
    }

    private func quietHours(_ more: [String]) throws -> QuietHours? {
        let scenario = try ScenarioReader.read(Array(try text(more).utf8), file: "imported")
        return try scenario.plan(seed: 1).steps.compactMap { step -> QuietHours? in
            guard case .app(.quietHours(let hours), by: _) = step.action else { return nil }
            return hours
        }.first
    }

    @Test func `quiet hours are those of the person, by the clock that they have`() throws {
        let hours = try #require(try quietHours([Self.quiet(Self.night, bypass: 0), Self.clock(60)]))
        #expect(hours.zone == .berlin && hours.from == 1_320 && hours.until == 420 && hours.weekdays == Array(1...7))
        #expect(!hours.letsUrgentThrough)
        #expect(try entries([Self.quiet(Self.night), Self.clock(60)]).first?.hasPrefix("10m @person1") == true)
    }

    @Test func `a clock that no scenario knows becomes UTC with the hours moved`() throws {
        // From ten in the evening to seven by a clock that is 5 h 45 min ahead.
        let hours = try #require(
            try quietHours([Self.quiet([(weekday: 1, from: 1_320, until: 420)]), Self.clock(345)])
        )
        #expect(hours.zone == .utc && hours.from == 975 && hours.until == 75 && hours.weekdays == [1])
        let early = try #require(try quietHours([Self.quiet([(weekday: 1, from: 60, until: 345)]), Self.clock(345)]))
        #expect(early.from == 1_155 && early.until == 1_440 && early.weekdays == [7])
    }

    @Test func `of windows at several times the commonest stands, and says that it is a guess`() throws {
        let lines = [Self.quiet(Self.night + [(weekday: 6, from: 720, until: 780)]), Self.clock(0)]
        #expect(try quietHours(lines)?.from == 1_320)
        #expect(try text(lines).contains("Guess: of several windows these are the commonest."))
        #expect(try text([Self.quiet(Self.night)]).contains("Guess: what the clock shows is not known."))
    }

    @Test func `who has no quiet hours and wants reminders chooses nothing`() throws {
        #expect(try entries([Self.preferences(#""urgentBypass":1,"reminders":1,"quiet":[]"#)]).isEmpty)
        #expect(try entries([Self.preferences(#""urgentBypass":1"#)]).isEmpty)
        let off = try text([Self.preferences(#""reminders":0,"remindersChangedAt":\#(BundleLines.at(20))"#)])
        #expect(off.contains("reminders-off"))
    }

    @Test func `items that are watched by themselves, and GitLab's subscriptions, follow what was chosen`() throws {
        let at = BundleLines.at(20)
        let on = try text([
            Self.preferences(
                #""autoWatch":1,"autoWatchChangedAt":\#(at),"mirrorsSubscriptions":1,"mirrorChangedAt":\#(at)"#
            )
        ])
        #expect(on.contains("auto-watch-on") && on.contains("mirror-on") && !on.contains("auto-watch-off"))
        // Off, which was said once, and on before only where an item says so.
        let off = Self.preferences(#""autoWatch":0,"autoWatchChangedAt":\#(BundleLines.at(60))"#)
        #expect(!(try text([off]).contains("auto-watch")))
        let watch = #"{"kind":"watch","account":1,"item":2,"origin":"auto","createdAt":\#(BundleLines.at(30))}"#
        let before = try text([off, watch, #"{"kind":"item","item":2,"project":1,"of":"issue"}"#])
        #expect(before.contains("auto-watch-on") && before.contains("auto-watch-off"))
        #expect(before.contains("Guess: it was watched by itself; here the person does it."))
    }

    @Test func `kinds of news are the server's where everybody has the same, and nobody's otherwise`() throws {
        func kinds(_ account: Int64, _ names: String) -> String {
            Self.preferences(#""kinds":\#(names)"#).replacing(#""account":1"#, with: #""account":\#(account)"#)
        }
        let same = [kinds(1, #"["pushes","comments","secret"]"#), kinds(2, #"["comments","pushes"]"#)]
        #expect(try text(same).contains(#""activities": "comments pushes""#))
        for others in [[same[0]], [same[0], kinds(2, #"["comments"]"#)], [kinds(1, "[]"), kinds(2, "[]")]] {
            #expect(!(try text(others).contains("activities\"")))
        }
        #expect(!(try text(same).contains("secret")))
    }

    @Test func `quiet hours before the last choice are guessed from what they held back`() throws {
        func held(_ number: Int64, at minute: Int64, until end: Int64) -> [String] {
            [
                BundleLines.fact(number, account: 1, at: minute, notification: number),
                BundleLines.notification(number, account: 1, at: end, of: "digest", action: "none"),
            ]
        }
        func chosen(at minute: Int64, _ quiet: String = "") -> String {
            Self.preferences(#""urgentBypass":1,"quiet":[\#(quiet)],"quietChangedAt":\#(BundleLines.at(minute))"#)
        }
        // The story begins at seven; held from 20m20s to 1h20s, so from 7:20 to 8:00.
        let ended = try text([chosen(at: 90)] + held(1, at: 20, until: 60))
        #expect(ended.contains(#""quiet": "07:20-08:00""#) && ended.contains("clear-quiet-hours"))
        #expect(ended.contains("Guess: what was told late"))
        let window = #"{"weekday":1,"from":1320,"until":420}"#
        let others = try text([chosen(at: 90, window), Self.clock(0)] + held(1, at: 20, until: 60))
        #expect(others.contains("07:20-08:00") && others.contains("22:00-07:00") && !others.contains("clear-quiet"))
        // What the choice itself let out ends at no known hour.
        let cut = try text([chosen(at: 50)] + held(1, at: 20, until: 50))
        #expect(cut.contains(#""quiet": "07:20-08:00""#))
        #expect(!(try text([chosen(at: 90)] + held(1, at: 57, until: 60)).contains("quiet-hours")))
        #expect(!(try text([chosen(at: 10)] + held(1, at: 20, until: 60)).contains("quiet-hours")))
    }

    @Test func `who is denied is a person of the story, under a name of its own`() throws {
        let text = try text([
            #"{"kind":"denied","account":1,"actor":4,"isDenied":1,"changedAt":\#(BundleLines.at(20))}"#,
            BundleLines.silenced(1, account: 1, at: 30, for: "deniedActor"),
            BundleLines.fact(1, account: 2, at: 30, notification: 1),
            BundleLines.notification(1, account: 2, at: 30, action: "commented"),
        ])
        #expect(text.contains(#""action": "deny-actor""#) && text.contains(#""user": "@denied4""#))
        #expect(text.contains(#""by": "@denied4""#) && text.contains(#""username": "@denied4""#))
    }

    @Test func `one who is denied and uses the notifier is that person, and whoever was told denies another`() throws {
        let denials = [(1, 4), (1, 5), (2, 4)].map {
            #"{"kind":"denied","account":\#($0.0),"actor":\#($0.1),"isDenied":1,"changedAt":\#(BundleLines.at(20))}"#
        }
        let text = try text(
            denials + [
                #"{"kind":"denied","account":2,"actor":7,"person":1,"isDenied":1,"changedAt":\#(BundleLines.at(20))}"#,
                BundleLines.silenced(1, account: 1, at: 30, for: "deniedActor"),
                BundleLines.fact(1, account: 2, at: 30, notification: 1),
                BundleLines.notification(1, account: 2, at: 30, action: "commented"),
            ]
        )
        #expect(text.contains(#""by": "@denied5""#) && text.contains(#""user": "@person1""#))
        #expect(!text.contains("@denied7"))
    }

    @Test func `who was let off a deny-list was on it before`() throws {
        let allowed = #"{"kind":"denied","account":1,"actor":4,"isDenied":0,"changedAt":\#(BundleLines.at(60))}"#
        #expect(try entries([allowed]).isEmpty)
        let kept = [BundleLines.silenced(1, account: 1, at: 30, for: "deniedActor")]
        let words = try entries([allowed] + kept).map { String($0.prefix { $0 != "(" }) }
        #expect(words == ["29m20s @person1 denyActor", "1h @person1 allowActor"])
    }

    @Test func `an imported row is not played`() throws {
        let kept = (1...2).map { BundleLines.silenced(1, account: $0, at: 30, for: "backdated") }
        #expect(!(try text(kept).contains(#""action": "comment""#)))
    }

    @Test func `what another source told is no activity of its own`() throws {
        let elsewhere = BundleLines.silenced(1, account: 1, at: 30, for: nil)
        #expect(!(try text([elsewhere]).contains(#""action": "comment""#)))
    }

    @Test func `a dismissal and the end of a watch come after what the person was told`() throws {
        func choice(_ kind: String) -> String {
            #"{"kind":"choice","account":1,"item":2,"choice":"\#(kind)","changedAt":\#(BundleLines.at(60))}"#
        }
        let item = #"{"kind":"item","item":2,"project":1,"of":"issue"}"#
        let told = [
            BundleLines.fact(1, account: 1, at: 30, notification: 1).replacing(#""item":1"#, with: #""item":2"#),
            BundleLines.notification(1, account: 1, at: 30, action: "commented"),
        ]
        #expect(try text([item, choice("dismissed")] + told).contains("tap-dismiss"))
        #expect(!(try text([item, choice("dismissed")]).contains("tap-dismiss")))
        let ended = try text([item, choice("unwatched")] + told)
        #expect(ended.contains(#""action": "unwatch""#) && ended.contains(#""imported/project1#2""#))
        #expect(!(try text([item, choice("unwatched")]).contains("unwatch")))
    }

    @Test func `what somebody is to finish by a day is theirs from the beginning, unless it was given to them`() throws
    {
        func text(_ day: String, _ more: [String] = []) throws -> String {
            let lines = [
                #"{"kind":"item","item":2,"project":1,"of":"issue"}"#,
                #"{"kind":"watch","account":1,"item":2,"createdAt":\#(BundleLines.at(1)),"dueOn":"\#(day)"}"#,
            ]
            return try self.text(lines + more).replacing("\n", with: "").replacing(" ", with: "")
        }
        let due = try text("2026-03-03")
        #expect(due.contains(#""author":"@author","assignees":["@person1"]}"#))
        #expect(due.contains(#""action":"set-due-date","by":"@author","on":"imported/project1#2","due":"2026-03-03"}"#))
        let given = [
            BundleLines.fact(1, account: 1, at: 30, of: "todo", notification: 1).replacing(
                #""item":1"#,
                with: #""item":2"#
            ),
            BundleLines.notification(1, account: 1, at: 30, action: "assigned")
                .replacing(#""item":1"#, with: #""item":2"#),
        ]
        #expect(!(try text("2026-03-03", given).contains("assignees")))
        #expect(!(try text("2026-03-03", [Self.preferences(#""dueReminders":0"#)]).contains("set-due-date")))
        #expect(try !text("tomorrow").contains("tomorrow"))
        #expect(try !text("2026-99-99").contains("2026-99-99"))
    }

    @Test func `a watch that ended and began again was there before`() throws {
        let (ended, again) = (BundleLines.at(60), BundleLines.at(90))
        let lines = [
            #"{"kind":"item","item":2,"project":1,"of":"issue"}"#,
            #"{"kind":"watch","account":1,"item":2,"createdAt":\#(again),"endedAt":\#(ended)}"#,
        ]
        let told = [
            BundleLines.fact(1, account: 1, at: 30, notification: 1).replacing(#""item":1"#, with: #""item":2"#),
            BundleLines.notification(1, account: 1, at: 30, action: "commented"),
        ]
        func plain(_ lines: [String]) throws -> String {
            try text(lines).replacing("\n", with: "").replacing(" ", with: "")
        }
        let both = try plain(lines + told)
        #expect(both.contains(#""watches":["imported/project1!1","imported/project1#2"]"#))
        #expect(both.contains(#""at":"1h","action":"unwatch""#) && both.contains(#""at":"1h30m","action":"watch""#))
        let late = try plain(lines)
        #expect(!late.contains("unwatch") && late.contains(#""at":"1h30m","action":"watch""#))
    }

    @Test func `who said in the app that it is done, or ticked it off in GitLab, does so again`() throws {
        func ask(_ how: String, at minute: Int64) -> String {
            let settled = #""settledAt":\#(BundleLines.at(minute)),"settledBy":"\#(how)""#
            return #"{"kind":"ask","account":1,"item":1,"of":"review_requested",\#(settled)}"#
        }
        let text = try text([ask("done", at: 40), ask("todo_done", at: 60), ask("item_ended", at: 80)])
            .replacing("\n", with: "").replacing(" ", with: "")
        let on = #""by":"@person1","on":"imported/project1!1"}"#
        #expect(text.contains(#"{"at":"40m","action":"settle",\#(on)"#))
        #expect(text.contains(#""at":"1h","action":"todo-done",\#(on)"#) && !text.contains("1h20m"))
        // Their own comment did that.
        let own = BundleLines.silenced(1, account: 1, at: 59, for: "ownAction")
        #expect(!(try self.text([ask("todo_done", at: 60), own]).contains("todo-done")))
    }

    @Test(arguments: [
        #""quiet":[{"weekday":8,"from":1,"until":2}]"#, #""quiet":[{"weekday":1,"from":1440,"until":2}]"#,
        #""quiet":[{"weekday":1,"from":1}]"#, #""quiet":7"#, #""quietChangedAt":"soon""#,
    ])
    func `settings that are none are refused`(more: String) {
        #expect(throws: IncidentFault.self) { try BundleLines.bundle([Self.preferences(more)]) }
    }

    @Test func `more people on deny-lists than anybody reads of are refused`() {
        let denials = (1...1_001).map {
            #"{"kind":"denied","account":1,"actor":\#($0),"isDenied":1,"changedAt":\#(BundleLines.at(20))}"#
        }
        #expect(throws: IncidentFault.self) { try BundleLines.bundle(denials) }
    }
}
