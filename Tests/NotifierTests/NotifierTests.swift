import FoundationEssentials
import HTTP
import Platform
import Testing

@testable import Notifier

/// The whole server, from a registration to a push.
struct NotifierTests {
    private struct Payload: Decodable {
        struct Apple: Decodable {
            struct Alert: Decodable {
                var title: String
                var subtitle: String?
                var body: String?
            }
            var alert: Alert
        }
        struct Content: Decodable { var facts: [String] }
        var aps: Apple
        var data: Content
    }

    private func payload(_ request: HTTPRequest) throws -> Payload {
        try JSONDecoder().decode(Payload.self, from: Data(request.body))
    }

    @Test func `a comment on a watched item reaches the phone once, within two minutes`() throws {
        let bench = try ServerBench()
        let notifier = bench.notifier
        let run = bench.world.start { try await notifier.run() }
        let session = try bench.register()
        #expect(try bench.registerDevice("aa11", session).status == 201)
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: session).status == 201)
        bench.world.advance(by: .minutes(5))
        #expect(bench.apns.requests.isEmpty, "what was there before is not told")

        bench.gitlab.add(.note(2, "Can we reuse the validator?", at: "2026-03-02T09:05:00.000Z"), at: ServerBench.notes)
        bench.world.advance(by: .minutes(2))
        #expect(bench.apns.requests.count == 1)
        let sent = try payload(#require(bench.apns.requests.first))
        #expect(sent.aps.alert.title.hasSuffix("commented on MR !847"))
        #expect(sent.aps.alert.subtitle == "Fix it")
        #expect(sent.aps.alert.body == "Can we reuse the validator?")
        #expect(sent.data.facts == ["note/42/2"])

        bench.world.advance(by: .hours(3))
        #expect(bench.apns.requests.count == 1)
        let history = try bench.call(.get, "/notifications", session: session)
        #expect(history.bodyText.contains("\"facts\":[\"note/42/2\"]"))
        let status = try bench.call(.get, "/status", session: session)
        #expect(status.bodyText.contains("\"pendingOutbox\":0"))
        #expect(try bench.call(.get, "/health").text("lastPollAt") != nil)

        notifier.stop()
        bench.world.drain()
        #expect(try bench.world.finish { try await run.value } != nil)
        #expect(bench.world.sleeperCount == 0)
    }

    @Test func `a phone registered after the news gets what no phone received (last day only)`() throws {
        let bench = try ServerBench()
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        let session = try bench.register()
        _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        bench.gitlab.add(.note(2, "First", at: "2026-03-02T09:00:10.000Z"), at: ServerBench.notes)
        bench.world.advance(by: .minutes(3))
        #expect(bench.apns.requests.isEmpty)
        _ = try bench.registerDevice("aa11", session)
        #expect(bench.apns.requests.count == 1)
        // A second phone does not get what the first accepted; the first does, for its next token.
        _ = try bench.registerDevice("bb22", bench.register())
        #expect(bench.apns.requests.count == 1)
        _ = try bench.registerDevice("cc33", session)
        #expect(bench.apns.requests.count == 2)
    }

    @Test func `a dead token is told once, and a new one brings back what happened meanwhile`() throws {
        let bench = try ServerBench()
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        let session = try bench.register()
        _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        _ = try bench.registerDevice("aa11", session)
        bench.world.advance(by: .minutes(2))
        bench.gitlab.trouble { _ in
            .response(
                makeJSON(401, #"{"error":"invalid_token","error_description":"Token was revoked."}"#)
            )
        }
        bench.world.advance(by: .hours(2))
        #expect(try bench.apns.requests.map { try payload($0).aps.alert.title } == ["GitLab connection expired"])
        #expect(try bench.call(.get, "/status", session: session).bodyText.contains("\"state\":\"auth_expired\""))

        bench.gitlab.add(.note(2, "While you were out", at: "2026-03-02T10:30:00.000Z"), at: ServerBench.notes)
        bench.gitlab.trouble(ServerBench.singleObjects())
        _ = try bench.register("glpat-anna-new")
        bench.world.advance(by: .minutes(2))
        #expect(try bench.apns.requests.map { try payload($0).aps.alert.body }.last == "While you were out")
        #expect(bench.apns.requests.count == 2)
    }

    @Test func `cancellation ends everything and leaves nobody waiting`() throws {
        let bench = try ServerBench()
        let notifier = bench.notifier
        let run = bench.world.start { try await notifier.run() }
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        bench.world.advance(by: .minutes(10))
        run.cancel()
        bench.world.drain()
        #expect(try bench.world.finish { try await run.value } != nil)
        #expect(bench.world.sleeperCount == 0)
    }

    @Test func `a stop does not wait for APNs beyond its deadline`() throws {
        let bench = try ServerBench()
        bench.apns.answer { _, _ in .outcome(.response(HTTPResponse(status: 200)), after: .hours(5)) }
        let notifier = bench.notifier
        let run = bench.world.start { try await notifier.run() }
        let session = try bench.register()
        _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        _ = try bench.registerDevice("aa11", session)
        bench.gitlab.add(.note(2, "First", at: "2026-03-02T09:00:10.000Z"), at: ServerBench.notes)
        bench.world.advance(by: .minutes(3))
        #expect(bench.apns.requests.count == 1)
        notifier.stop()
        bench.world.advance(by: .seconds(19))
        #expect(bench.world.sleeperCount > 0)
        bench.world.advance(by: .seconds(2))
        #expect(try bench.world.finish { try await run.value } != nil)
        #expect(bench.log.count(.leaseReleased) == 1)
    }

    @Test func `the same day twice leaves the same bytes on the wire`() throws {
        func day() throws -> [String] {
            let bench = try ServerBench()
            let notifier = bench.notifier
            bench.world.start { try await notifier.run() }
            let session = try bench.register()
            _ = try bench.registerDevice("aa11", session)
            _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
            for note in 2..<20 {
                bench.gitlab.add(.note(Int64(note), "n", at: "2026-03-02T10:00:00.000Z"), at: ServerBench.notes)
                bench.world.advance(by: .minutes(note))
            }
            // The signature of the provider token is random by nature (APNs facts §7).
            return bench.apns.exchanges.map { exchange in
                "\(exchange.at.microseconds) \(exchange.request.fields["apns-id"] ?? "") "
                    + String(decoding: exchange.request.body, as: UTF8.self)
            }
        }
        let first = try day()
        #expect(first.count > 10)
        #expect(try first == day())
    }
}
