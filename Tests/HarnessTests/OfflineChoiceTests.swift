import FoundationEssentials
import NotifierKit
import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Harness
@testable import Verdict

/// What people choose about the watch list, which waits on the device and is sent by the kit.
@Suite struct OfflineChoiceTests {
    /// Three hours in which a colleague writes every five minutes on an item that is watched from the start.
    private func run(_ events: String) throws -> RunRecord {
        let timeline = """
            {"every": "5m", "from": "4m", "until": "175m", "action": "comment", "by": "@lea", "on": "team/backend!1"}, \(events)
            """
        let scenario = try makeScenario(duration: "\"3h\"", timeline: timeline)
        return try ScenarioRun.perform(scenario.plan(seed: 1)).record
    }

    private static let offline = #"{"at": "30m", "action": "device-offline", "by": "@maria", "device": "phone"}"#
    private static let mute = #"{"at": "40m", "action": "mute", "by": "@maria", "on": "team/backend!1", "for": "100m"}"#
    private static let unwatch = #"{"at": "50m", "action": "unwatch", "by": "@maria", "on": "team/backend!1"}"#
    private static let kill = #"{"at": "60m", "action": "kill-app", "by": "@maria", "device": "phone"}"#
    private static let open = #"{"at": "85m", "action": "open-app", "by": "@maria", "device": "phone"}"#
    private static let online = #"{"at": "70m", "action": "device-online", "by": "@maria", "device": "phone"}, "# + open

    private func isSound(_ record: RunRecord) -> Bool {
        let whole = Assessment.assess(record).whole
        return record.violations.isEmpty && whole.missed == 0 && whole.unexpected == 0 && whole.expected > 0
    }

    private func wasSentLate(_ record: RunRecord) -> Bool { record.probes.contains { $0.probe == .choiceSentLate } }

    @Test func `a mute waits for the network, is dated by when it was chosen, and holds from its answer`() throws {
        let record = try run([Self.offline, Self.mute, Self.online].joined(separator: ", "))
        let mute = try #require(record.preferences.first)
        #expect(mute.requestedAt == .minutes(40))
        #expect((Duration.minutes(70)..<(.minutes(71))).contains(mute.answeredAt))
        #expect(wasSentLate(record) && isSound(record))
    }

    @Test func `what the person stops watching during an import need not be watched afterwards`() throws {
        let timeline = """
            {"at": "10m", "action": "import-watches", "by": "@maria"},
            {"at": "10m", "action": "unwatch", "by": "@maria", "on": "team/backend!1"}
            """
        let scenario = try makeScenario(
            duration: "\"1h\"",
            mergeRequests: #"{"iid": 1, "title": "First", "author": "@maria"}"#,
            timeline: timeline
        )
        let record = try ScenarioRun.perform(scenario.plan(seed: 1)).record
        #expect(record.watches.map(\.endRequestedAt) == [.minutes(10)] && record.violations.isEmpty)
    }

    private static let kinds = #"{"at": "40m", "action": "choose-kinds", "by": "@maria", "kinds": ["states"]}"#

    @Test func `kinds that are chosen without a network hold from their answer`() throws {
        let record = try run([Self.offline, Self.kinds, Self.online].joined(separator: ", "))
        let choice = try #require(record.preferences.first)
        #expect(choice.choice == .kinds([.states]) && choice.requestedAt == .minutes(40))
        #expect(choice.answeredAt < .minutes(75) && isSound(record))
        #expect(Assessment.assess(record).whole.expected < 20, "of 35 comments")
    }

    @Test func `what is chosen in an open app is written down once the server holds it`() throws {
        let open = #"{"at": "38m", "action": "open-app", "by": "@maria", "device": "phone", "for": "5m"}"#
        let lead = #"{"at": "41m", "action": "due-lead", "by": "@maria", "leadHours": 9}"#
        let off = #"{"at": "42m", "action": "due-reminders-off", "by": "@maria"}"#
        let record = try run([open, Self.kinds, lead, off].joined(separator: ", "))
        #expect(record.preferences.map(\.choice) == [.kinds([.states]), .dueLead(hours: 9), .dueReminders(false)])
        #expect(record.preferences.allSatisfy { $0.answeredAt < .minutes(43) } && isSound(record))
    }

    @Test func `what waits outlives the app`() throws {
        let record = try run([Self.offline, Self.unwatch, Self.kill, Self.online].joined(separator: ", "))
        let watch = try #require(record.watches.first)
        #expect(watch.endRequestedAt == .minutes(50))
        #expect(watch.endedAt.map { (Duration.minutes(70)..<(.minutes(71))).contains($0) } == true)
        #expect(wasSentLate(record) && isSound(record))
    }

    @Test func `what waits on a device that is replaced was never chosen`() throws {
        let replace = #"{"at": "65m", "action": "device-replace", "by": "@maria", "device": "phone"}"#
        let record = try run([Self.offline, Self.unwatch, replace].joined(separator: ", "))
        #expect(record.watches.allSatisfy { $0.endRequestedAt == nil } && !record.watches.isEmpty)
        #expect(!wasSentLate(record) && record.violations.isEmpty)
        #expect(Assessment.assess(record).whole.missed == 0)
    }

    @Test func `the choice that a later one of the same device replaces is not sent`() throws {
        let again = #"{"at": "55m", "action": "watch", "by": "@maria", "on": "team/backend!1"}"#
        let record = try run([Self.offline, Self.unwatch, again, Self.online].joined(separator: ", "))
        #expect(record.watches.allSatisfy { $0.endRequestedAt == nil } && isSound(record))
        #expect(record.watches.count == 2, "they go together, and the watch goes on")
    }

    @Test(arguments: ["crash", "restart"])
    func `background refresh sends what an absent server has not answered`(fault: String) throws {
        let events = Self.unwatch + #", {"at": "49m", "fault": "\#(fault)", "downFor": "20m"}"#
        let record = try run(events)
        let ended = try #require(record.watches.first?.endedAt)
        #expect((Duration.minutes(69)..<(.minutes(81))).contains(ended))
        #expect(wasSentLate(record) && isSound(record))
    }

    /// The server is away from just before the choice until ten minutes past the hour.
    private static let chosenInVain = unwatch + #", {"at": "49m", "fault": "crash", "downFor": "20m"}"#

    @Test func `an app that was closed for good sends what waits when it is opened, and not before`() throws {
        let quit = #"{"at": "52m", "action": "quit-app", "by": "@maria", "device": "phone"}"#
        let open = #"{"at": "100m", "action": "open-app", "by": "@maria", "device": "phone"}"#
        let closed = try run("\(Self.chosenInVain), \(quit)")
        #expect(closed.watches.first?.endedAt == nil && closed.violations.isEmpty)
        let opened = try run("\(Self.chosenInVain), \(quit), \(open)")
        let ended = try #require(opened.watches.first?.endedAt)
        #expect((Duration.minutes(100)..<(.minutes(101))).contains(ended))
        #expect(isSound(opened))
    }

    @Test func `an app that was closed for good sends what waits once it is started again`() throws {
        let events = ["52m", "175m"].map { at in
            let action = at == "52m" ? "quit-app" : "push-token-change"
            return #"{"at": "\#(at)", "action": "\#(action)", "by": "@maria", "device": "phone"}"#
        }
        let record = try run("\(Self.chosenInVain), \(events.joined(separator: ", "))")
        let ended = try #require(record.watches.first?.endedAt)
        #expect(ended > .minutes(175) && isSound(record))
    }

    @Test func `a device that saves power refreshes nothing in the background`() throws {
        let saving = ["on", "off"].map { word in
            #"{"at": "\#(word == "on" ? 51 : 90)m", "action": "power-saving-\#(word)", "by": "@maria", "device": "phone"}"#
        }
        let record = try run("\(Self.chosenInVain), \(saving.joined(separator: ", "))")
        let ended = try #require(record.watches.first?.endedAt)
        #expect((Duration.minutes(90)..<(.minutes(106))).contains(ended))
        #expect(isSound(record))
    }

    private static let item: Scenarios::ItemReference? = ProjectPath("team/backend").map {
        Scenarios::ItemReference(project: $0, kind: .mergeRequest, iid: 1)
    }

    /// Chosen at that minute and answered at once, by a clock that is so many minutes ahead.
    private func at(_ minute: Int, ahead: Int = 0, answered: Int? = nil) -> LastChoices.Dating {
        LastChoices.Dating(
            chosenAt: .minutes(minute),
            datedAt: .minutes(minute + ahead),
            answeredAt: .minutes(answered ?? minute)
        )
    }

    @Test func `of two choices the earlier must not undo the later`() throws {
        let (person, item) = (try #require(Username("maria")), try #require(Self.item))
        var last = LastChoices()
        let results = [
            last.take(.watch, on: item, by: person, at(2)),
            last.take(.watch, on: item, by: person, at(1)),
            last.take(.mute(until: nil), on: item, by: person, at(1)),
            last.take(.unwatch, on: item, by: person, at(1)),
            last.take(.unwatch, on: item, by: person, at(3)),
        ]
        #expect(results == [true, true, true, false, true])
    }

    @Test func `of two choices the later must stand, whatever clock ran ahead when the earlier was answered`() throws {
        let (person, item) = (try #require(Username("maria")), try #require(Self.item))
        var last = LastChoices()
        let results = [
            last.take(.watch, on: item, by: person, at(10, ahead: 60)),
            last.lose(.unwatch, on: item, by: person, at(20)),
            last.lose(.unwatch, on: item, by: person, at(20, ahead: -5)),
            // By their clocks these were chosen before, and the last was in truth.
            last.lose(.unwatch, on: item, by: person, at(20, ahead: -15)),
            last.lose(.unwatch, on: item, by: person, at(9, ahead: 60, answered: 90)),
        ]
        #expect(results == [true, false, false, true, true])
    }

    @Test func `a choice that another overtook which says the same is not what stands`() throws {
        let (person, item) = (try #require(Username("maria")), try #require(Self.item))
        var last = LastChoices()
        let results = [
            last.take(.unwatch, on: item, by: person, at(10)),
            last.take(.unwatch, on: item, by: person, at(12, ahead: -8), isAnothers: true),
            // The server takes it for one of minute 5.
            last.lose(.watch, on: item, by: person, at(14, ahead: -9)),
            last.lose(.watch, on: item, by: person, at(15)),
            last.take(.watch, on: item, by: person, at(9), isAnothers: true),
        ]
        #expect(results == [true, true, true, false, false])
    }

    @Test func `of two choices that say the same the one that is dated later stands`() throws {
        let (person, item) = (try #require(Username("maria")), try #require(Self.item))
        var last = LastChoices()
        let results = [
            last.take(.watch, on: item, by: person, at(10)),
            // Asked by a route of its own, which answers that the item is watched, by a clock that is behind.
            last.take(.watch, on: item, by: person, at(20, ahead: -15)),
            last.lose(.unwatch, on: item, by: person, at(22, ahead: -15)),
            last.lose(.unwatch, on: item, by: person, at(30, ahead: -15)),
            last.take(.watch, on: item, by: person, at(32)),
            last.lose(.unwatch, on: item, by: person, at(34, ahead: -3)),
            last.lose(.unwatch, on: item, by: person, at(36)),
        ]
        #expect(results == [true, true, true, false, true, true, false])
    }

    @Test func `where only one device chose, its later choice must stand whatever its clock says`() throws {
        let (person, item) = (try #require(Username("maria")), try #require(Self.item))
        func on(_ device: String?, _ minute: Int, ahead: Int = 0) -> LastChoices.Dating {
            var dating = at(minute, ahead: ahead)
            dating.device = device.flatMap { DeviceName($0) }
            return dating
        }
        var last = LastChoices()
        _ = last.take(.mute(until: .distantFuture), on: item, by: person, on("phone", 10))
        let results = [
            last.loseToOwn(.mute(until: nil), on: item, by: person, on("phone", 20, ahead: -15)),
            last.loseToOwn(.mute(until: nil), on: item, by: person, on("phone", 5)),
            last.loseToOwn(.mute(until: .distantFuture), on: item, by: person, on("phone", 20, ahead: -15)),
            last.loseToOwn(.mute(until: nil), on: item, by: person, on("mac", 20, ahead: -15)),
            last.loseToOwn(.mute(until: nil), on: item, by: person, on(nil, 20, ahead: -15)),
        ]
        #expect(results == [false, true, true, true, true])
        last.opened(item, of: person)
        let open = last.loseToOwn(.mute(until: nil), on: item, by: person, on("phone", 20, ahead: -15))
        #expect(open, "another is under way")
    }

    @Test func `where clocks invert the order of two choices, or another is under way, nothing is said`() throws {
        let (person, item) = (try #require(Username("maria")), try #require(Self.item))
        var last = LastChoices()
        let inverted = [
            last.take(.watch, on: item, by: person, at(20, ahead: -15)),
            // Later by the clocks, and so for the server.
            last.take(.unwatch, on: item, by: person, at(10, answered: 30)),
            last.take(.watch, on: item, by: person, at(25)),
            last.take(.unwatch, on: item, by: person, at(10, ahead: 60, answered: 40)),
        ]
        last.opened(item, of: person)
        let open = last.lose(.watch, on: item, by: person, at(50))
        last.closed(item, of: person)
        let closed = last.lose(.watch, on: item, by: person, at(50))
        last.leaveAlone(item, of: person)
        let unknown = last.lose(.watch, on: item, by: person, at(50))
        #expect(inverted == [true, true, true, true])
        #expect([open, closed, unknown] == [true, false, true])
    }

    @Test func `a device's clock dates what is chosen there, and when a mute ends`() throws {
        let clock = #"{"at": "20m", "action": "device-clock", "by": "@maria", "device": "phone", "offset": "-7m"}"#
        let mend = #"{"at": "45m", "action": "device-clock", "by": "@maria"}"#
        let record = try run([clock, Self.mute, mend, Self.unwatch].joined(separator: ", "))
        let (mute, end) = (try #require(record.preferences.first), try #require(record.preferences.last))
        #expect(mute.requestedAt == .minutes(40) && abs(mute.datedAt - .minutes(33)) < .milliseconds(2))
        #expect(mute.choice.mutedUntil.map { abs($0 - .minutes(133)) <= .seconds(1) } == true)
        #expect(end.requestedAt == .minutes(50) && end.datedAt == .minutes(50))
        #expect(isSound(record))
    }
}

extension PreferenceRecord.Choice {
    fileprivate var mutedUntil: Duration? { if case .muted(_, let end) = self { end } else { nil } }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
