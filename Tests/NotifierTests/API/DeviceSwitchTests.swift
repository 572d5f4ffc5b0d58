import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

/// `POST /devices/unregister` and `DELETE /devices/current`: how an app ends being pushed to, and how it signs out.
struct DeviceSwitchTests {
    private let bench: ServerBench
    private let phone: String

    init() throws {
        bench = try ServerBench()
        phone = try #require(try bench.registerDevice("aa11", bench.register()).text("token"))
    }

    private func unregister(_ token: String, _ session: String? = nil) throws -> HTTPResponse {
        try bench.call(.post, "/devices/unregister", #"{"apnsToken": "\#(token)"}"#, session: session ?? phone)
    }

    private func devices() throws -> String { try bench.call(.get, "/devices", session: phone).bodyText }

    @Test func `a token that is taken back is pushed to no more, and its app stays signed in`() throws {
        _ = try bench.tell(1, pushedTo: 1)
        #expect(try unregister("AA11").bodyText == #"{"unregistered":true}"#)
        #expect(try unregister("aa11").bodyText == #"{"unregistered":false}"#)
        _ = try bench.tell(2)
        bench.run(for: .minutes(1))
        #expect(bench.apns.requests.isEmpty)
        #expect(try devices().contains(#""state":"paired""#))
        #expect(try bench.call(.get, "/notifications?after=", session: phone).status == 200)
        #expect(bench.log.count(.deviceUnregistered) == 1)
    }

    @Test(arguments: ["aa11", "cc33"])
    func `a device that took its token back registers again, with the same one or another`(_ token: String) throws {
        let before = try #require(try bench.registerDevice("aa11", phone).text("deviceId"))
        _ = try unregister("aa11")
        let again = try bench.registerDevice(token, phone)
        #expect(again.status == 200 && again.text("deviceId") == before, "\(again.bodyText)")
        #expect(try devices().contains(#""state":"active""#))
        bench.run(for: .seconds(1))
        #expect(try bench.call(.post, "/notifications/test", session: phone).status == 202)
        bench.world.advance(by: .seconds(5))
        #expect(bench.apns.requests.map(\.path) == ["/3/device/\(token)"])
    }

    @Test func `what waits for a device that gets back the token of one that it was before goes there`() throws {
        #expect(try bench.call(.delete, "/devices/current", session: phone).status == 204)
        let again = try bench.register()
        _ = try bench.registerDevice("bb22", again)
        _ = try bench.registerDevice("cc33", bench.register(), platform: "macos")
        #expect(try bench.call(.post, "/notifications/test", session: again).status == 202)
        // The person's other device has it already.
        try bench.change("UPDATE deliveries SET state = 'accepted', accepted_at = 1 WHERE device_id = 3")
        #expect(try bench.registerDevice("aa11", again).status == 200)
        bench.run(for: .minutes(1))
        #expect(bench.apns.requests.map(\.path) == ["/3/device/aa11"])
    }

    @Test func `nobody takes another person's token back, or learns that it is there`() throws {
        let bert = try bench.register("glpat-bert")
        #expect(try unregister("aa11", bert).bodyText == unregister("dd44", bert).bodyText)
        #expect(try devices().contains(#""state":"active""#))
    }

    @Test func `an app signs out of the device that it runs on`() throws {
        let other = try bench.register()
        _ = try bench.registerDevice("bb22", other)
        #expect(try bench.call(.delete, "/devices/current", session: phone).status == 204)
        #expect(try bench.call(.get, "/devices", session: phone).text("code") == "session_invalid")
        let left = try bench.call(.get, "/devices", session: other).bodyText
        #expect(left.components(of: "deviceId") == 1, "\(left)")
        let loose = try bench.register()
        #expect(try bench.call(.delete, "/devices/current", session: loose).text("code") == "device_session_missing")
    }

    @Test(arguments: ["", "a", "xyz0", "aa11 "])
    func `a token that is none is refused`(_ token: String) throws {
        #expect(try unregister(token).text("code") == "invalid_field")
    }
}

extension String {
    /// How often `part` stands in the text.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
