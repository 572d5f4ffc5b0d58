import ScenarioFixtures
import Scenarios
import Testing

@testable import Workbench

/// What programs said, from the lines of a bundle to the entries of a scenario.
struct IncidentProgramsTests {
    private static func signal(_ word: String, _ name: Int64, at minute: Int64, _ more: String = "") -> String {
        #"{"kind":"signal","account":1,"program":1,"of":"\#(word)","name":\#(name),"at":\#(BundleLines.at(minute))\#(more)}"#
    }

    private static func ended(_ how: String, at minute: Int64, run: Int64? = nil) -> String {
        #","settledBy":"\#(how)","settledAt":\#(BundleLines.at(minute))"# + (run.map { #","run":\#($0)"# } ?? "")
    }

    /// The entries of the timeline that are about programs, without spaces.
    private func entries(_ lines: [String]) throws -> String {
        let text = try IncidentScenario(BundleLines.bundle(lines), name: "imported").text()
        _ = try ScenarioReader.read(Array(text.utf8), file: "imported")
        return text.replacing("\n", with: "").replacing(" ", with: "")
    }

    @Test func `what a program asked is asked again, and ends as it ended`() throws {
        let text = try entries([
            Self.signal("approval_needed", 3, at: 20, Self.ended("done", at: 30)),
            Self.signal("approval_needed", 4, at: 40, Self.ended("program", at: 50)),
            Self.signal("settled", 4, at: 50),
            Self.signal("approval_needed", 5, at: 60, Self.ended("revoked", at: 70)),
        ])
        let by = #""by":"@person1","#
        let asked = #""action":"signal",\#(by)"says":"approval-needed","name":"signal"#
        #expect(text.contains(#""at":"20m",\#(asked)3""#) && text.contains(#""at":"40m",\#(asked)4""#))
        #expect(text.contains(#""at":"30m","action":"settle-signal",\#(by)"name":"signal3"}"#))
        #expect(text.contains(#""at":"50m","action":"signal",\#(by)"says":"settled","name":"signal4"}"#))
        #expect(text.contains(#""at":"1h10m","action":"revoke-program",\#(by.dropLast())}"#))
    }

    @Test func `the end of a run ends what was asked in it, and nothing else does`() throws {
        let text = try entries([
            Self.signal("approval_needed", 3, at: 20, Self.ended("run_ended", at: 30, run: 7)),
            Self.signal("approval_needed", 4, at: 25), Self.signal("run_completed", 4, at: 30),
            Self.signal("run_failed", 5, at: 40),
        ])
        #expect(text.contains(#""says":"approval-needed","name":"signal3","run":"run7"}"#))
        #expect(text.contains(#""says":"approval-needed","name":"signal4","run":"alone4"}"#))
        #expect(text.contains(#""says":"run-completed","name":"signal4","run":"run7"}"#))
        #expect(text.contains(#""says":"run-failed","name":"signal5"}"#))
    }

    @Test func `a mute of a program lies between what was told before and after, or lasts until its end`() throws {
        let muted = #","silenced":"muted","mutedUntil":\#(BundleLines.at(150))"#
        let text = try entries([
            Self.signal("run_failed", 1, at: 20), Self.signal("run_failed", 2, at: 24, #","silenced":"muted""#),
            Self.signal("run_failed", 3, at: 60), Self.signal("run_failed", 4, at: 100, muted),
        ])
        let action = #""action":"mute-program","by":"@person1","for":"#
        // Half way from 20m to 24m, and five minutes after that at the most.
        #expect(text.contains(#""at":"22m",\#(action)"7m"}"#) && text.contains(#""at":"1h35m",\#(action)"55m"}"#))
        #expect(text.contains("Guess:mutedbetween"))
    }

    @Test func `a mute that ended what was asked began then`() throws {
        let until = #","mutedUntil":\#(BundleLines.at(150))"#
        let text = try entries([
            Self.signal("approval_needed", 1, at: 20, Self.ended("silenced", at: 30)),
            Self.signal("run_failed", 2, at: 60),
            Self.signal("approval_needed", 3, at: 70, Self.ended("silenced", at: 90) + until),
        ])
        let action = #""action":"mute-program","by":"@person1","for":"#
        #expect(text.contains(#""at":"30m",\#(action)"5m"}"#) && text.contains(#"{"at":"1h30m",\#(action)"1h"}"#))
    }

    @Test func `a word that is not known, and a person who is not, say nothing`() throws {
        let text = try entries([
            Self.signal("other", 1, at: 20),
            Self.signal("run_failed", 2, at: 20).replacing(#""account":1"#, with: #""account":9"#),
        ])
        #expect(!text.contains(#""action":"signal""#))
    }

    @Test func `what programs said is not counted as left out`() throws {
        let fact = BundleLines.fact(1, account: 1, at: 20, of: "signal", notification: nil)
        #expect(!(try entries([fact, Self.signal("run_failed", 1, at: 20)]).contains("leftout")))
    }
}
