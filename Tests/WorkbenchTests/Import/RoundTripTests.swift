import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Workbench

@Suite(.timeLimit(.minutes(5))) struct RoundTripTests {
    /// A scenario of the library, and what is planted in it.
    struct Case: CustomTestStringConvertible {
        var name: String
        /// Texts of the file and what stands there instead.
        var changes: [(String, String)] = []
        /// Whether everybody who misses something says so: nobody else can know of it.
        var isReported = false

        var testDescription: String { name + changes.map { " with \($0.1)" }.joined() }

        func scenario() throws -> Scenario {
            let path = "\(Places.scenarios)/\(name).json"
            var text = String(decoding: try FileBytes.read(path: path, limitBytes: 1_000_000), as: UTF8.self)
            for (part, other) in changes {
                try #require(text.contains(part))
                text = text.replacing(part, with: other)
            }
            return try ScenarioReader.read(Array(text.utf8), file: path)
        }
    }

    private static let noNewToken = (
        #"{ "at": "4h50m", "action": "replace-token", "by": "@maria" }"#,
        #"{ "at": "7h45m", "action": "comment", "by": "@lea", "on": "team/backend!847" }"#
    )

    @Test(arguments: [
        Case(name: "outage"), Case(name: "rate-limit", changes: [(#""period": "5m""#, #""period": "15m""#)]),
        Case(name: "token-expires"), Case(name: "token-expires", changes: [noNewToken], isReported: true),
        Case(name: "crash-storm"), Case(name: "quiet-hours"), Case(name: "silenced-overnight"),
        Case(name: "mute-and-dismiss"),
    ])
    func `what comes back is what went wrong`(of place: Case) throws {
        let trip = try RoundTrip(place.scenario(), isReported: place.isReported)
        #expect(trip.imported.missed == trip.original.missed)
        #expect(trip.imported.duplicates == trip.original.duplicates)
        #expect(trip.imported.unexpected == trip.original.unexpected)
        for owner in Set(trip.original.perhapsLate.keys).union(trip.imported.late.keys) {
            let range = (trip.original.surelyLate[owner] ?? 0)...(trip.original.perhapsLate[owner] ?? 0)
            #expect(range.contains(trip.imported.late[owner] ?? 0), "late by \(owner), not \(trip.original.late)")
        }
        #expect(abs(trip.imported.median - trip.original.median) * 5 <= trip.original.median)
        #expect(trip.imported.silenced == trip.original.silenced)
        #expect(abs(trip.imported.requests - trip.original.requests) * 10 <= trip.original.requests)
    }
}
