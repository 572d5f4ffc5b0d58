import NotifierKit
import Platform
import ScenarioFixtures
import Scenarios
import SimulatedStorage
import Testing

@testable import Harness
@testable import Verdict

/// What a person chose on a device whose battery dies, or whose disk fails.
@Suite struct DeviceDiskTests {
    /// Three hours in which a colleague writes every five minutes on an item that is watched from the start.
    private func run(_ events: [String]) throws -> RunRecord {
        let talk =
            #"{"every": "5m", "from": "4m", "until": "175m", "action": "comment", "by": "@lea", "on": "team/backend!1"}"#
        let scenario = try makeScenario(duration: "\"3h\"", timeline: ([talk] + events).joined(separator: ", "))
        return try ScenarioRun.perform(scenario.plan(seed: 1)).record
    }

    private static let offline = #"{"at": "30m", "action": "device-offline", "by": "@maria", "device": "phone"}"#
    private static let unwatch = #"{"at": "50m", "action": "unwatch", "by": "@maria", "on": "team/backend!1"}"#
    private static let open = #"{"at": "85m", "action": "open-app", "by": "@maria", "device": "phone"}"#
    private static let online = #"{"at": "70m", "action": "device-online", "by": "@maria", "device": "phone"}, "# + open

    private static func fault(_ name: String, at minute: Int = 49, _ members: String) -> String {
        #"{"at": "\#(minute)m", "fault": "\#(name)", "person": "@maria", "device": "phone", \#(members)}"#
    }

    private func isSound(_ record: RunRecord) -> Bool {
        let whole = Assessment.assess(record).whole
        return record.violations.isEmpty && whole.missed == 0 && whole.unexpected == 0 && whole.expected > 0
    }

    private func reached(_ probe: Probe, _ record: RunRecord) -> Bool { record.probes.contains { $0.probe == probe } }

    @Test(arguments: KeptWrites.allCases)
    func `a choice outlives the battery once the app has taken it`(keeps: KeptWrites) throws {
        let dies = Self.fault(
            "device-power-loss",
            at: 55,
            #""keeps": "\#(keeps.rawValue)", "offFor": "10m""#
        )
        let record = try run([Self.offline, Self.unwatch, dies, Self.online])
        let watch = try #require(record.watches.first)
        #expect(watch.endRequestedAt == .minutes(50))
        #expect(watch.endedAt.map { (Duration.minutes(70)..<(.minutes(71))).contains($0) } == true)
        #expect(reached(.devicePowerLost, record) && reached(.storeReopened, record) && isSound(record))
    }

    /// Opening the file, and the choice itself, take so many writes and syncs.
    @Test(arguments: 1...24)
    func `whenever the battery dies in a choice, it is there or was never taken`(occurrence: Int) throws {
        let dies = Self.fault("device-power-loss", #""occurrence": \#(occurrence), "keeps": "torn", "offFor": "5m""#)
        let record = try run([Self.offline, dies, Self.unwatch, Self.online])
        #expect(record.violations.isEmpty && isSound(record))
        let ended = record.watches.first?.endedAt
        #expect(ended == nil || ended.map { (Duration.minutes(70)..<(.minutes(71))).contains($0) } == true)
    }

    @Test func `a device that is off does nothing until it is charged, and hears what it missed then`() throws {
        let dies = Self.fault("device-power-loss", #""offFor": "30m""#)
        let record = try run([dies, Self.unwatch, Self.open])
        #expect(record.watches.first?.endRequestedAt == nil)
        let events = record.deviceEvents.filter(\.isShown).map(\.at)
        #expect(!events.contains { $0 > .minutes(49) && $0 < .minutes(79) } && events.contains { $0 >= .minutes(79) })
        #expect(isSound(record))
    }

    @Test(arguments: ["device-disk-full", "device-disk-error"])
    func `what cannot be kept is said, and never done`(name: String) throws {
        let more = name == "device-disk-error" ? #""operation": "write", "# : ""
        let fails = Self.fault(name, more + #""for": "10m""#)
        let record = try run([Self.offline, fails, Self.unwatch, Self.online])
        #expect(record.watches.first?.endRequestedAt == nil)
        #expect(reached(.choiceNotKept, record) && isSound(record))
    }

    @Test func `a store that is spoilt is said to be, and begun anew`() throws {
        // What is first on the disk is read first: each seed spoils some block.
        let damage = (1...6).map { Self.fault("device-block-damage", at: 70 + $0, #""id": "damage-\#($0)""#) }
        let open = #"{"at": "52m", "action": "open-app", "by": "@maria", "device": "phone", "for": "1h"}"#
        let record = try run([Self.unwatch, open] + damage)
        #expect(reached(.storeBegunAnew, record) && isSound(record))
    }

    @Test func `an app that ended is told by the disk what it had kept, and by nothing else`() throws {
        let disk = DeviceDisk(random: RandomStream(seed: 1, stream: "disk"))
        #expect(try disk.read() == nil)
        disk.losePower(.nothing)
        #expect(try disk.read() == nil)
        disk.discard()
    }
}
