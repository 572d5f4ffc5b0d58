import Configuration
import HTTP
import Platform
import Testing

@testable import Notifier

struct DeviceRouteTests {
    private let bench: ServerBench

    init() throws { bench = try ServerBench() }

    private func devices(_ session: String) throws -> String {
        try bench.call(.get, "/devices", session: session).bodyText
    }

    @Test func `a session belongs to the device that it registers`() throws {
        let session = try bench.register()
        let first = try bench.registerDevice("aa11", session)
        let device = try #require(first.text("deviceId"))
        let bound = try #require(first.text("token"))
        #expect(try devices(bound).contains("\"isCurrent\":true"))
        let second = try bench.registerDevice("aa11", bound)
        #expect(second.status == 200 && second.text("deviceId") == device && second.text("token") == nil)
    }

    @Test func `a device's session changes the token of that very device`() throws {
        let session = try bench.register()
        let device = try #require(try bench.registerDevice("aa11", session).text("deviceId"))
        let changed = try bench.registerDevice("aa22", session)
        #expect(changed.status == 200 && changed.text("deviceId") == device)
        #expect(changed.bodyText.contains(#""replacedToken":true"#))
        #expect(try !bench.registerDevice("aa22", session).bodyText.contains("replacedToken"))
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        #expect(try bench.call(.post, "/notifications/test", session: session).status == 202)
        bench.world.advance(by: .seconds(5))
        #expect(bench.apns.requests.map(\.path) == ["/3/device/aa22"])
        #expect(try bench.call(.get, "/status", session: session).bodyText.contains("\"active\":1"))
    }

    @Test func `what was given up at a device's former token goes to its next one`() throws {
        var configuration = ServerBench.unhurried
        configuration.deliveryAttempts = 2
        configuration.retryDelays = [.seconds(1)]
        let bench = try ServerBench(configuration)
        bench.apns.answer { request, _ in
            guard request.target.hasSuffix("aa11") else { return .status(200) }
            return .status(410, "{\"reason\":\"ExpiredToken\",\"timestamp\":1}")
        }
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        #expect(try bench.call(.post, "/notifications/test", session: session).status == 202)
        bench.world.advance(by: .seconds(10))
        #expect(bench.apns.requests.map(\.path) == ["/3/device/aa11", "/3/device/aa11"])
        #expect(try bench.registerDevice("aa22", session).bodyText.contains("replacedToken"))
        bench.world.advance(by: .seconds(5))
        #expect(bench.apns.requests.map(\.path).suffix(1) == ["/3/device/aa22"])
    }

    @Test func `what APNs took for a device's former token goes to its next one, under the same id`() throws {
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        #expect(try bench.call(.post, "/notifications/test", session: session).status == 202)
        bench.world.advance(by: .seconds(5))
        #expect(bench.apns.requests.map(\.path) == ["/3/device/aa11"])
        #expect(try bench.registerDevice("aa22", session).bodyText.contains("replacedToken"))
        #expect(try bench.registerDevice("aa22", session).status == 200)
        bench.world.advance(by: .seconds(5))
        #expect(bench.apns.requests.map(\.path) == ["/3/device/aa11", "/3/device/aa22"])
        #expect(Set(bench.apns.requests.map { $0.fields["apns-id"] }).count == 1)
    }

    @Test func `a session does not become another device's`() throws {
        let session = try bench.register()
        let phone = try #require(try bench.registerDevice("aa11", session).text("deviceId"))
        let mac = try bench.registerDevice("bb22", session, platform: "macos")
        #expect(mac.status == 409 && mac.text("code") == "device_session_taken")
        let list = try devices(session)
        #expect(list.contains(phone) && list.contains("\"ios\"") && !list.contains("\"macos\""))
        #expect(try bench.registerDevice("bb22", try bench.register(), platform: "macos").status == 201)
    }

    @Test(arguments: [("production", "production"), ("sandbox", "sandbox"), ("development", "sandbox")])
    func `an environment has the names that Apple gives it`(name: String, kept: String) throws {
        let session = try bench.register()
        let body = #"{"apnsToken": "aa11", "platform": "ios", "environment": "\#(name)"}"#
        #expect(try bench.call(.post, "/devices", body, session: session).status == 201)
        #expect(try devices(session).contains("\"environment\":\"\(kept)\""))
    }

    @Test func `an app that signs in anew takes its device over, and its former session ends`() throws {
        let (former, anew) = (try bench.register(), try bench.register())
        let device = try #require(try bench.registerDevice("aa11", former).text("deviceId"))
        #expect(try bench.registerDevice("aa11", anew).text("deviceId") == device)
        #expect(try bench.call(.get, "/watch", session: former).status == 401)
        #expect(try bench.call(.get, "/watch", session: anew).status == 200)
    }

    @Test func `an app that is paired anew takes its device over under the new id`() throws {
        let session = try bench.register()
        let former = try #require(try bench.registerDevice("aa11", session).text("deviceId"))
        let (paired, device) = try pair(session)
        #expect(try bench.registerDevice("aa11", paired).text("deviceId") == device)
        let list = try devices(paired)
        #expect(list.contains(device) && !list.contains(former))
        #expect(try bench.call(.get, "/watch", session: session).status == 401)
    }

    @Test func `a device that shows the token of another takes its place`() throws {
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        let (paired, device) = try pair(session)
        _ = try bench.registerDevice("bb22", paired)
        #expect(try bench.registerDevice("aa11", paired).text("deviceId") == device)
        let list = try devices(paired)
        #expect(list.components(of: "deviceId") == 1 && list.contains(device))
        #expect(try bench.call(.get, "/watch", session: session).status == 401)
    }

    @Test func `a removed device has no session, no refresh and no place in the list`() throws {
        let session = try bench.register()
        let (paired, device) = try pair(session)
        _ = try bench.registerDevice("bb22", paired)
        #expect(try bench.call(.delete, "/devices/\(device)", session: session).status == 204)
        #expect(try bench.call(.get, "/watch", session: paired).text("code") == "session_invalid")
        #expect(try devices(session) == #"{"devices":[]}"#)
        #expect(try bench.call(.delete, "/devices/\(device)", session: session).text("code") == "device_not_found")
        #expect(bench.log.count(.deviceRemoved) == 1)
    }

    @Test func `a device that was paired and has no push token can be removed`() throws {
        let session = try bench.register()
        let (paired, device) = try pair(session)
        #expect(try bench.call(.delete, "/devices/\(device)", session: session).status == 204)
        #expect(try bench.call(.get, "/watch", session: paired).status == 401)
    }

    @Test func `a removed device comes back by registering`() throws {
        let session = try bench.register()
        let device = try #require(try bench.registerDevice("aa11", session).text("deviceId"))
        #expect(try bench.call(.delete, "/devices/\(device)", session: session).status == 204)
        let again = try bench.register()
        #expect(try bench.registerDevice("aa11", again).status == 200)
        #expect(try devices(again).contains("\"active\""))
    }

    @Test func `paired devices count against the limit`() throws {
        var configuration = NotifierConfiguration()
        configuration.deviceLimit = 2
        let bench = try ServerBench(configuration)
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        let code = try #require(try bench.call(.post, "/pair/start", session: session).text("pairingCode"))
        let body = #"{"pairingCode": "\#(code)", "platform": "ios"}"#
        #expect(try bench.call(.post, "/pair/exchange", body).status == 201)
        let next = try #require(try bench.call(.post, "/pair/start", session: session).text("pairingCode"))
        let refused = try bench.call(.post, "/pair/exchange", #"{"pairingCode": "\#(next)", "platform": "ios"}"#)
        #expect(refused.text("code") == "device_limit")
        #expect(try bench.registerDevice("bb22", bench.register()).text("code") == "device_limit")
    }

    private func pair(_ session: String) throws -> (session: String, device: String) {
        let code = try #require(try bench.call(.post, "/pair/start", session: session).text("pairingCode"))
        let response = try bench.call(
            .post,
            "/pair/exchange",
            #"{"pairingCode": "\#(code)", "platform": "ios"}"#
        )
        return (try #require(response.text("token")), try #require(response.text("deviceId")))
    }
}

extension String {
    /// How often `text` stands in it.
    fileprivate func components(of text: String) -> Int {
        var (rest, count) = (self[...], 0)
        while let range = rest.firstRange(of: text) {
            rest = rest[range.upperBound...]
            count += 1
        }
        return count
    }
}
