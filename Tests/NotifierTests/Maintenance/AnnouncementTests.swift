import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

/// What `notifierd announce` puts into the database of a server that runs.
struct AnnouncementTests {
    private let folder: TemporaryFolder
    private let bench: ServerBench
    private let session: String

    init() throws {
        folder = try TemporaryFolder()
        bench = try ServerBench(file: "\(folder.path)/notifier.db")
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        bench.world.advance(by: .minutes(1))
    }

    private func announce(_ title: String, to person: String? = nil) throws -> Maintenance.Announced {
        try Maintenance.announce(
            try #require(Announcement(title: title, body: "")),
            to: person,
            in: "\(folder.path)/notifier.db",
            ServerBench.unhurried,
            (bench.world, SeededEntropy(seed: 5), FixedZones())
        )
    }

    private var titles: [String] {
        bench.apns.requests.map { request in
            let body = String(decoding: request.body, as: UTF8.self)
            return body.split(separator: #""title":""#).last?.split(separator: "\"").first.map(String.init) ?? ""
        }
    }

    @Test func `a server that runs pushes it within half a minute`() throws {
        #expect(try announce("Hello") == Maintenance.Announced(accounts: 1, devices: 1, waiting: 0))
        #expect(titles == [])
        bench.world.advance(by: .seconds(31))
        #expect(titles == ["Hello"])
        let feed = try bench.call(.get, "/notifications?after=", session: session).bodyText
        #expect(feed.contains(#""type":"announcement""#))
        bench.world.advance(by: .hours(2))
        #expect(titles == ["Hello"])
    }

    @Test func `what an operator says waits for the end of quiet hours`() throws {
        let quiet = #"{"quietHours": [{"from": "08:00", "until": "10:00"}]}"#
        #expect(try bench.call(.put, "/settings", quiet, session: session).status == 200)
        #expect(try announce("Hello") == Maintenance.Announced(accounts: 1, devices: 1, waiting: 1))
        bench.world.advance(by: .minutes(50))
        #expect(titles == [])
        // What waits for the morning is not late.
        let page = try bench.call(.get, "/metrics").bodyText
        #expect(page.contains("\noutbox_oldest_age_seconds 0\n"))
        #expect(page.contains("\noutbox_depth{status=\"queued\"} 0\n"))
        bench.world.advance(by: .minutes(15))
        #expect(titles == ["Hello"])
    }

    @Test func `a held device that APNs takes again waits for the end of quiet hours`() throws {
        let quiet = #"{"quietHours": [{"from": "08:00", "until": "10:00"}]}"#
        #expect(try bench.call(.put, "/settings", quiet, session: session).status == 200)
        let database = try Database(path: "\(folder.path)/notifier.db")
        try Store(database).hold(DeviceID(rawValue: 1), reason: "BadDeviceToken", at: bench.world.wallNow)
        #expect(try announce("Hello") == Maintenance.Announced(accounts: 1, devices: 0, waiting: 1))
        // It is tried after ten minutes.
        bench.world.advance(by: .minutes(50))
        #expect(titles == [])
        bench.world.advance(by: .minutes(30))
        #expect(titles == ["Hello"])
    }

    @Test func `one person is told by name, and nobody who is called otherwise`() throws {
        #expect(try announce("Hello", to: "USER7").accounts == 1)
        #expect(try announce("Hello", to: "user70").accounts == 0)
    }

    @Test(arguments: [
        "", "  ", "a\u{7}b", "a\nb", String(repeating: "x", count: 101), String(repeating: "ü", count: 100),
    ])
    func `a title is one line that a push shows whole`(title: String) {
        #expect((Announcement(title: title, body: "") == nil) == (title.first != "ü"))
    }

    @Test func `a text may have lines, and an end`() {
        #expect(Announcement(title: "Hello", body: "a\nb") != nil)
        #expect(Announcement(title: "Hello", body: "a\tb") == nil)
        #expect(Announcement(title: "Hello", body: String(repeating: "x", count: 1_000)) != nil)
        #expect(Announcement(title: "Hello", body: String(repeating: "x", count: 1_001)) == nil)
        #expect(Announcement(title: "Hello", body: String(repeating: "漢", count: 900)) == nil)
    }
}
