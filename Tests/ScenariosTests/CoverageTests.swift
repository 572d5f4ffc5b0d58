import FoundationEssentials
import JSON
import ScenarioFixtures
import Testing

@testable import Scenarios

/// A part of the format that no scenario uses is one that nobody has seen the notifier bear.
struct CoverageTests {
    /// What no scenario of the library can use, and why.
    private static let reasons: [String: String] = [
        "notifier.apnsEnvironment": "simulated apps always say which environment their token belongs to",
        "notifier.apnsEnvironment=production": "as above",
        "notifier.apnsEnvironment=sandbox": "as above",
        "notifier.apnsEnvironment=development": "as above",
    ]

    private static func readLibrary() throws -> FormatCoverage {
        var coverage = FormatCoverage()
        let files = try FileManager.default.subpathsOfDirectory(atPath: Places.scenarios)
        for file in files.sorted() where file.hasSuffix(".json") && !file.hasSuffix(".schema.json") {
            let data = try Data(contentsOf: URL(filePath: Places.scenarios + "/" + file))
            var reader = JSONReader(bytes: Array(data))
            coverage.read(try reader.read())
        }
        return coverage
    }

    @Test func `every action, fault, mode, reason, quirk, release, metric, probe and key stands in a scenario`() throws
    {
        let unused = try Self.readLibrary().unused.filter { Self.reasons[$0] == nil }
        #expect(unused.isEmpty, "give each a scenario, or a reason here: \(unused.joined(separator: ", "))")
    }

    @Test func `what has a reason is there and in no scenario`() throws {
        let coverage = try Self.readLibrary()
        for entry in Self.reasons.keys.sorted() {
            #expect(coverage.entries.contains(entry), "\(entry) is no part of the format")
            #expect(!coverage.used.contains(entry), "\(entry) needs no reason any more")
        }
    }

    @Test func `what is listed are keys and values of every table`() {
        let entries = FormatCoverage().entries
        let parts = [
            "gitlab.edition=ee", "action.commits", "action-push.action=push", "fault-gitlab-outage.mode=hang",
            "fault-apns-reason.reason=BadPath", "quirks.largeIdentifiers", "scenario.probes=device-held",
            "gate.excessLatency.p50", "fault-crash-at-step.step=before-poll", "notifier.overlap", "entry.weekdays",
        ]
        for part in parts { #expect(entries.contains(part), "\(part)") }
        #expect(FormatCoverage().unused == entries)
    }

    @Test func `what a scenario uses is noted, and nothing else`() throws {
        var coverage = FormatCoverage()
        let text = """
            { "timeline": [{ "rate": "1/h", "mix": { "close": 1 }, "by": "anyone" }, { "at": "1h", "fault": "crash", "downFor": "1m" }],
              "expect": [{ "missed": "= 0", "kind": "merge" }] }
            """
        var reader = JSONReader(bytes: Array(text.utf8))
        coverage.read(try reader.read())
        let expected: Set<String> = [
            "scenario.timeline", "scenario.expect", "mix.mix", "mix.by", "entry.rate", "entry.at",
            "action-close.action=close", "fault.fault", "fault-crash.fault=crash", "fault.downFor",
            "gate.missed",
            "gate.kind",
        ]
        #expect(coverage.used == expected)
    }
}
