import Platform
import Testing

@testable import Workbench

struct IncidentHooksTests {
    private static func hooks(_ minute: Int64, status: Int64 = 202) -> String {
        let answer =
            #"{"status":\#(status),"count":1,"first":\#(BundleLines.at(minute, 2)),"last":\#(BundleLines.at(minute, 2))}"#
        return
            #"{"kind":"traffic","at":\#(BundleLines.at(minute)),"service":"webhook","answers":[\#(answer)],"lengths":[1]}"#
    }

    /// Somebody was told of a comment.
    private static func comment(_ number: Int64, at minute: Int64) -> [String] {
        [
            BundleLines.fact(number, account: 1, at: minute, notification: number),
            BundleLines.notification(number, account: 1, at: minute, action: "commented"),
        ]
    }

    private static let comments = (1...8).flatMap { comment($0, at: $0 * 10) }

    private func silences(_ lines: [String]) throws -> [[Int64]] {
        let bundle = try BundleLines.bundle(lines)
        let timeline = try IncidentTimeline(bundle)
        let hooks = IncidentHooks(bundle, IncidentEvents(bundle, timeline).events, timeline)
        return hooks.silences.map { [$0.from, $0.until].map { ($0.microseconds - BundleLines.start) / 60_000_000 } }
    }

    @Test func `three activities that no webhook told of are a silence, up to where one did again`() throws {
        let lines = Self.comments + [1, 2, 6, 7, 8].map { Self.hooks($0 * 10) }
        // Nothing of 30, 40 and 50 minutes; five minutes from these at the most.
        #expect(try silences(lines) == [[25, 55]])
    }

    @Test func `what came no more at all was silent to the end`() throws {
        #expect(try silences(Self.comments + [1, 2, 3].map { Self.hooks($0 * 10) }) == [[35, 180]])
    }

    @Test func `two that were not told of are chance, and so is what happened while the process was down`() throws {
        #expect(try silences(Self.comments + [1, 2, 5, 6, 7, 8].map { Self.hooks($0 * 10) }).isEmpty)
        let down = [
            #"{"kind":"process","what":"end","at":\#(BundleLines.at(29))}"#,
            #"{"kind":"process","what":"start","at":\#(BundleLines.at(41))}"#,
        ]
        #expect(try silences(Self.comments + down + [1, 2, 6, 7, 8].map { Self.hooks($0 * 10) }).isEmpty)
    }

    @Test func `a GitLab whose webhooks were taken has them, and one that guessed the secret has none`() throws {
        func text(_ lines: [String]) throws -> String {
            try IncidentScenario(BundleLines.bundle(lines), name: "imported").text()
        }
        let silent = try text(Self.comments + [1, 2].map { Self.hooks($0 * 10) })
        #expect(silent.contains(#""webhooks": true"#) && silent.contains(#""link": "webhook""#))
        #expect(!(try text(Self.comments + [Self.hooks(10, status: 401)]).contains("webhook")))
        #expect(!(try text(Self.comments).contains("webhook")))
    }
}
