import FoundationEssentials
import HTTP
import Platform
import Testing

@testable import Notifier

/// `POST /notifications/…`: receipts, tests and redrives, over the whole server.
struct OutboxRouteTests {
    private let bench: ServerBench
    private let session: String

    init() throws {
        bench = try ServerBench()
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        session = try bench.register()
    }

    private func sendTest(_ body: String = "") throws -> HTTPResponse {
        try bench.call(.post, "/notifications/test", body, session: session)
    }

    private func post(_ id: String, _ verb: String, _ body: String = "", as session: String? = nil) throws
        -> HTTPResponse
    {
        try bench.call(.post, "/notifications/\(id)/\(verb)", body, session: session ?? self.session)
    }

    @Test func `a test goes through the outbox to every device`() throws {
        _ = try bench.registerDevice("aa11", session)
        _ = try bench.registerDevice("bb22", bench.register())
        let response = try sendTest()
        #expect(response.status == 202, "\(response.bodyText)")
        #expect(response.bodyText.contains(#""queued":true,"targetDevices":2"#))
        bench.world.advance(by: .seconds(5))
        let id = try #require(response.text("notificationId"))
        #expect(bench.apns.requests.map(\.path).sorted() == ["/3/device/aa11", "/3/device/bb22"])
        #expect(bench.apns.requests.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains(id) })
        #expect(try bench.call(.get, "/notifications", session: session).bodyText.contains(#""type":"test""#))
    }

    @Test func `a test for one device reaches that one`() throws {
        _ = try bench.registerDevice("aa11", session)
        let device = try #require(try bench.registerDevice("bb22", bench.register()).text("deviceId"))
        #expect(try sendTest(#"{"deviceId": "\#(device)"}"#).bodyText.contains(#""targetDevices":1"#))
        bench.world.advance(by: .seconds(5))
        #expect(bench.apns.requests.map(\.path) == ["/3/device/bb22"])
    }

    @Test func `a receipt is the word of the device that asks, and of no other`() throws {
        let own = try #require(try bench.registerDevice("aa11", session).text("deviceId"))
        let other = try bench.register()
        let another = try #require(try bench.registerDevice("bb22", other).text("deviceId"))
        let id = try #require(try sendTest().text("notificationId"))
        expectError(
            try post(id, "received", #"{"type": "delivered", "deviceId": "\#(another)"}"#),
            400,
            "invalid_field"
        )
        #expect(try post(id, "received", #"{"type": "delivered"}"#).status == 200)
        #expect(try post(id, "received", #"{"type": "delivered", "deviceId": "\#(own)"}"#).status == 200)
        #expect(try receipts() == [1])
        #expect(try post(id, "received", #"{"type": "opened"}"#, as: other).status == 200)
        #expect(try receipts() == [1, 2])
    }

    /// The devices that receipts stand for.
    private func receipts() throws -> [Int] {
        let dump = try bench.dump().split(separator: "\n")
        guard let start = dump.firstIndex(of: "receipts") else { return [] }
        return dump[(start + 1)...].prefix { $0.first?.isNumber == true }
            .compactMap { Int($0.split(separator: ",")[2].drop { $0 == " " }) }
    }

    @Test func `a test without a device, for a foreign one or too often is refused`() throws {
        expectError(try sendTest(), 409, "no_device")
        _ = try bench.registerDevice("aa11", session)
        let bert = try bench.register("glpat-bert")
        let foreign = try #require(try bench.registerDevice("cc33", bert).text("deviceId"))
        expectError(try sendTest(#"{"deviceId": "\#(foreign)"}"#), 404, "device_not_found")
        for _ in 1...6 { #expect(try sendTest(#"{"deviceId": "all"}"#).status == 202) }
        expectError(try sendTest(), 429, "too_many_tests")
        bench.world.advance(by: .minutes(2))
        #expect(try sendTest().status == 202)
    }

    @Test func `a receipt is acknowledged with the instant that stands, however often it comes`() throws {
        let device = try #require(try bench.registerDevice("aa11", session).text("deviceId"))
        let id = try #require(try sendTest().text("notificationId"))
        bench.world.advance(by: .seconds(3))
        let body = #"{"type": "delivered", "deviceId": "\#(device)"}"#
        let first = try post(id, "received", body)
        #expect(first.status == 200 && first.bodyText.contains(#""acknowledged":true"#), "\(first.bodyText)")
        bench.world.advance(by: .seconds(30))
        #expect(try post(id, "received", body).text("receivedAt") == first.text("receivedAt"))
        let history = try bench.call(.get, "/notifications", session: session).bodyText
        #expect(history.contains(#""deliveredAt":"2026-03-02T09:00:03.000Z""#), "\(history)")
        #expect(!history.contains("readAt"))
        _ = try post(id, "received", #"{"type": "opened", "deviceId": "\#(device)"}"#)
        #expect(try bench.call(.get, "/notifications", session: session).bodyText.contains("readAt"))
        let status = try bench.call(.get, "/status", session: session).bodyText
        #expect(status.contains(#""deliveredLast24h":1,"deliveryRate":1"#), "\(status)")
        #expect(status.contains(#""openedLast24h":1"#) && status.contains(#""acceptedLast24h":1"#))
    }

    @Test(arguments: [
        ("1999-01-01T00:00:00Z", "2026-03-02T09:00:00.000Z"), ("2999-01-01T00:00:00Z", "2026-03-02T09:01:00.000Z"),
        ("2026-03-02T09:00:30Z", "2026-03-02T09:00:30.000Z"),
    ])
    func `a device's clock counts only between the making and now`(_ claimed: String, _ stands: String) throws {
        _ = try bench.registerDevice("aa11", session)
        let id = try #require(try sendTest().text("notificationId"))
        bench.world.advance(by: .minutes(1))
        let response = try post(id, "received", #"{"type": "delivered", "at": "\#(claimed)"}"#)
        #expect(response.text("receivedAt") == stands)
    }

    @Test(arguments: [
        #"{"type": "eaten"}"#, #"{}"#, #"{"type": 5}"#, #"{"type": "opened", "at": "soon"}"#,
        #"{"type": "opened", "deviceId": 7}"#,
    ])
    func `a receipt that says nothing is refused`(_ body: String) throws {
        _ = try bench.registerDevice("aa11", session)
        let id = try #require(try sendTest().text("notificationId"))
        expectError(try post(id, "received", body), 400, "invalid_field")
    }

    @Test func `another person's notification is as unknown as none`() throws {
        let device = try #require(try bench.registerDevice("aa11", session).text("deviceId"))
        let id = try #require(try sendTest().text("notificationId"))
        let bert = try bench.register("glpat-bert")
        let body = #"{"type": "opened"}"#
        expectError(try post(id, "received", body, as: bert), 404, "notification_not_found")
        expectError(try post(id, "redrive", as: bert), 404, "notification_not_found")
        expectError(try post("nothing", "received", body), 404, "notification_not_found")
        expectError(try post("nothing", "redrive"), 404, "notification_not_found")
        _ = try bench.registerDevice("bb22", bert)
        let own = try #require(try bench.call(.post, "/notifications/test", session: bert).text("notificationId"))
        let stolen = #"{"type": "opened", "deviceId": "\#(device)"}"#
        expectError(try post(own, "received", stolen, as: bert), 400, "invalid_field")
        expectError(try post(own, "received", stolen, as: bench.register("glpat-bert")), 404, "device_not_found")
        #expect(!(try bench.call(.get, "/notifications", session: session).bodyText.contains("readAt")))
    }

    @Test func `a redrive sends what was given up again, unless it is too old`() throws {
        _ = try bench.registerDevice("aa11", session)
        bench.apns.answer { _, _ in .refusal(400, "PayloadEmpty") }
        let id = try #require(try sendTest().text("notificationId"))
        bench.world.advance(by: .minutes(1))
        let sent = bench.apns.requests
        #expect(try bench.call(.get, "/status", session: session).bodyText.contains(#""deadLetters":1"#))
        bench.apns.answer { _, _ in .status(200) }
        #expect(try post(id, "redrive").bodyText == #"{"redriven":1,"unreachable":0}"#)
        bench.world.advance(by: .minutes(1))
        let again = try #require(bench.apns.requests.last)
        #expect(bench.apns.requests.count == sent.count + 1)
        #expect(again.fields["apns-id"] == sent.last?.fields["apns-id"])
        #expect(again.fields["apns-collapse-id"] == sent.last?.fields["apns-collapse-id"])
        #expect(try post(id, "redrive").bodyText == #"{"redriven":0,"unreachable":0}"#)
        bench.world.advance(by: .hours(24))
        expectError(try post(id, "redrive"), 409, "notification_expired")
    }

    @Test(arguments: [
        "since=yesterday", "until=", "projectId=0", "projectId=x", "itemType=epic&projectId=1", "itemType=issue",
        "itemIid=4", "itemIid=4&projectId=1",
    ])
    func `a filter that makes no sense is refused`(_ query: String) throws {
        expectError(try bench.call(.get, "/notifications?\(query)", session: session), 400, "invalid_field")
    }

    @Test func `the status tells how fresh each source is`() throws {
        _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        bench.world.advance(by: .minutes(3))
        let status = try bench.call(.get, "/status", session: session).bodyText
        #expect(status.contains(#""lastTodosFetchedAt":"2026-03-02T09:0"#), "\(status)")
        #expect(status.contains(#""itemIid":847,"itemType":"merge_request","lastActivityFetchedAt":"2026-03-02T09:0"#))
        #expect(!status.contains("deliveryRate"), "nothing was accepted, so there is no rate")
    }
}
