import HTTP
import Platform
import Testing

@testable import Notifier

struct PairingTests {
    private let bench: ServerBench

    init() throws { bench = try ServerBench() }

    private func start(_ session: String) throws -> String {
        try #require(try bench.call(.post, "/pair/start", session: session).text("pairingCode"))
    }

    private func exchange(_ code: String, from address: String = "192.0.2.9") throws -> HTTPResponse {
        let body = #"{"pairingCode": "\#(code)", "platform": "macos", "deviceName": "MacBook Pro"}"#
        return try bench.call(.post, "/pair/exchange", body, from: address)
    }

    @Test func `a code is six unambiguous characters for five minutes`() throws {
        let session = try bench.register()
        let response = try bench.call(.post, "/pair/start", session: session)
        let code = try #require(response.text("pairingCode"))
        #expect(code.utf8.count == 6 && code.allSatisfy("ABCDEFGHJKMNPQRSTUVWXYZ23456789".contains))
        #expect(response.text("expiresAt") == "2026-03-02T09:05:00.000Z")
    }

    @Test func `a paired device has a session of its own, without GitLab being asked`() throws {
        let session = try bench.register()
        let code = try start(session)
        bench.gitlab.forgetExchanges()
        let paired = try exchange(code.lowercased().prefix(3) + "-" + code.suffix(3))
        #expect(paired.status == 201)
        #expect(bench.gitlab.count == 0)
        let token = try #require(paired.text("token"))
        let device = try #require(paired.text("deviceId"))
        let list = try bench.call(.get, "/devices", session: token).bodyText
        #expect(list.contains(device) && list.contains("MacBook Pro") && list.contains("\"paired\""))
        #expect(try bench.registerDevice("cc33", token, platform: "macos").text("deviceId") == device)
        #expect(try bench.call(.get, "/devices", session: token).bodyText.contains("\"active\""))
    }

    @Test func `a code works once`() throws {
        let code = try start(bench.register())
        #expect(try exchange(code).status == 201)
        #expect(try exchange(code).text("code") == "pairing_code_unknown")
    }

    @Test func `a new code takes the place of the one before`() throws {
        let session = try bench.register()
        let first = try start(session)
        let second = try start(session)
        #expect(try exchange(first).status == 404)
        #expect(try exchange(second).status == 201)
    }

    @Test func `a code is over after five minutes`() throws {
        let code = try start(bench.register())
        bench.world.stepWallClock(by: .minutes(5))
        #expect(try exchange(code).status == 404)
    }

    @Test func `an address has five wrong codes at once and one a minute`() throws {
        let code = try start(bench.register())
        for _ in 0..<5 { #expect(try exchange("222222").status == 404) }
        let refused = try exchange(code)
        #expect(refused.status == 429 && refused.text("code") == "too_many_attempts")
        #expect(refused.fields["Retry-After"] == "60")
        #expect(try exchange(code, from: "192.0.2.10").status == 201)
    }

    @Test func `right codes do not use up an address's attempts`() throws {
        let session = try bench.register()
        for _ in 0..<8 { #expect(try exchange(start(session)).status == 201) }
    }

    @Test func `nor a site's, and who is refused for the site's sake keeps the network's`() throws {
        let session = try bench.register()
        for _ in 0..<3 { #expect(try exchange(start(session), from: "2001:db8:1:99::1").status == 201) }
        for guess in 0..<20 { #expect(try exchange("222222", from: "2001:db8:1:\(guess)::1").status == 404) }
        for _ in 0..<9 { #expect(try exchange("222222", from: "2001:db8:1:99::1").status == 429) }
        bench.world.advance(by: .seconds(75))
        for _ in 0..<5 { #expect(try exchange("222222", from: "2001:db8:1:99::1").status == 404) }
    }

    @Test func `a code withstands so many guesses, wherever they come from`() throws {
        let code = try start(bench.register())
        for guess in 0..<CodeTable.missLimit {
            #expect(try exchange("222222", from: "198.51.\(guess / 256).\(guess % 256)").status == 404)
        }
        #expect(try exchange(code).text("code") == "pairing_code_unknown")
    }

    @Test func `ten strangers who guess as fast as they may do not end anybody's code`() throws {
        let code = try start(bench.register())
        for round in 0..<5 {
            for address in 0..<10 {
                for _ in 0..<(round == 0 ? 6 : 2) { _ = try exchange("222222", from: "198.51.100.\(address)") }
            }
            bench.world.advance(by: .seconds(55))
        }
        #expect(try exchange(code).status == 201)
    }

    @Test func `an IPv6 network counts as one address, and a site of many networks as four`() throws {
        for guess in 0..<5 { #expect(try exchange("222222", from: "2001:db8:1:1::\(guess)").status == 404) }
        #expect(try exchange("222222", from: "2001:db8:1:1:9::9").status == 429)
        for guess in 0..<15 { #expect(try exchange("222222", from: "2001:db8:1:\(guess + 2)::1").status == 404) }
        #expect(try exchange("222222", from: "2001:db8:1:99::1").status == 429)
        #expect(try exchange("222222", from: "2001:db8:2::1").status == 404)
    }

    @Test(arguments: [
        #"{"pairingCode": "K7M2Q", "platform": "ios"}"#, #"{"pairingCode": "K7M2Q0", "platform": "ios"}"#,
        #"{"pairingCode": "K7M2QX", "platform": "android"}"#, #"{"pairingCode": "K7M2QX"}"#,
        #"{"pairingCode": "K7M2QX", "platform": "ios", "deviceName": ""}"#,
        #"{"pairingCode": "K7M2QX", "platform": "ios", "deviceName": "a\nb"}"#,
    ])
    func `a pairing that cannot be is refused and costs no attempt`(body: String) throws {
        for _ in 0..<6 { #expect(try bench.call(.post, "/pair/exchange", body).text("code") == "invalid_field") }
    }

    @Test func `every code is looked at, and the right one found`() {
        let codes = (1...9).map { LiveCode(owner: $0, digest: [UInt8($0)]) }
        for code in codes { #expect(PairingPolicy.match(code.digest, among: codes) == code.owner) }
        #expect(PairingPolicy.match([99], among: codes) == nil)
    }
}
