import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §3 headers")
struct HeaderTests {
    @Test(arguments: [
        (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
        (String(repeating: "ü", count: 32), true), (String(repeating: "ü", count: 32) + "x", false),
        (String(repeating: "🙂", count: 16), true), (String(repeating: "🙂", count: 17), false),
    ])
    func `a collapse id has at most 64 bytes, not characters`(id: String, passes: Bool) throws {
        let reply = try World().send(fields: [("apns-collapse-id", id)])
        #expect(reply.reason == (passes ? nil : "BadCollapseId"))
    }

    @Test(arguments: [
        ("3f2504e0-4f89-41d3-9a0c-0305e82c3301", true), ("3F2504E0-4F89-41D3-9A0C-0305E82C3301", true),
        ("3f2504e04f8941d39a0c0305e82c3301", false), ("3f2504e0-4f89-41d3-9a0c-0305e82c330", false),
        ("3f2504e0-4f89-41d3-9a0c-0305e82c330g", false), ("", false), ("3f2504e04-f89-41d3-9a0c-0305e82c3301", false),
    ])
    func `a message id is a canonical UUID`(id: String, passes: Bool) throws {
        let reply = try World().send(fields: [("apns-id", id)])
        #expect(reply.reason == (passes ? nil : "BadMessageId"))
        #expect(reply.response.fields["apns-id"] == id)
    }

    @Test func `upper-case message ids can be refused by a switch`() throws {
        let world = try World { service, _ in service.acceptsUpperCaseMessageIDs = false }
        #expect(try world.send(fields: [("apns-id", "3F2504E0-4F89-41D3-9A0C-0305E82C3301")]).reason == "BadMessageId")
        #expect(try world.send(fields: [("apns-id", "3f2504e0-4f89-41d3-9a0c-0305e82c3301")]).reason == nil)
    }

    @Test(arguments: [
        ("0", true), ("1800086400", true), ("-1", false), ("1.5", false), ("", false), ("soon", false),
        ("18000864000000000000000000", false),
    ])
    func `an expiration is whole epoch seconds`(expiration: String, passes: Bool) throws {
        let reply = try World().send(fields: [("apns-expiration", expiration)])
        #expect(reply.reason == (passes ? nil : "BadExpirationDate"))
    }

    @Test(arguments: ["10", "5", "1"])
    func `documented priorities pass`(priority: String) throws {
        #expect(try World().send(fields: [("apns-priority", priority)]).response.status == 200)
    }

    @Test(arguments: ["0", "2", "11", "", "high", "010"])
    func `other priorities are refused`(priority: String) throws {
        #expect(try World().send(fields: [("apns-priority", priority)]).reason == "BadPriority")
    }

    @Test(arguments: [("10", "BadPriority"), (nil, "BadPriority"), ("5", nil), ("1", nil)] as [(String?, String?)])
    func `a background push never goes at once`(priority: String?, reason: String?) throws {
        let reply = try World().send(
            fields: [("apns-push-type", "background"), ("apns-priority", priority)],
            body: #"{"aps":{"content-available":1}}"#
        )
        #expect(reply.reason == reason)
    }

    /// The suffixes of the fact sheet, written down a second time.
    static let suffixes: [(PushType, String)] = [
        (.alert, ""), (.background, ""), (.mdm, ""), (.complication, ".complication"),
        (.controls, ".push-type.controls"), (.fileprovider, ".pushkit.fileprovider"),
        (.liveactivity, ".push-type.liveactivity"), (.location, ".location-query"), (.pushtotalk, ".voip-ptt"),
        (.voip, ".voip"), (.widgets, ".push-type.widgets"),
    ]

    @Test(arguments: suffixes)
    func `each push type needs its topic suffix`(type: PushType, suffix: String) throws {
        let fields = [("apns-push-type", type.rawValue), ("apns-priority", "5")]
        let world = try World()
        let topic = World.bundleID + suffix
        #expect(try world.send(fields: fields + [("apns-topic", topic)]).response.status == 200)
        guard !suffix.isEmpty else { return }
        #expect(try world.send(fields: fields + [("apns-topic", World.bundleID)]).reason == "BadTopic")
    }

    @Test func `the table of push types is complete`() {
        #expect(Set(Self.suffixes.map(\.0)) == Set(PushType.allCases))
    }

    @Test(arguments: FakeAPNs.MissingPushType.allCases)
    func `a missing push type is inferred, refused or fatal by a switch`(rule: FakeAPNs.MissingPushType) throws {
        let world = try World { service, _ in service.missingPushType = rule }
        let reply = try world.send(fields: [("apns-push-type", nil)])
        world.time.advance(by: .seconds(2))
        switch rule {
        case .inferred: #expect(world.notifications.count == 1)
        case .refused: #expect(reply.reason == "InvalidPushType")
        case .discarded:
            #expect(reply.response.status == 200)
            guard case .discarded(.missingPushType, _) = world.lastFate else {
                Issue.record("the push was not discarded")
                return
            }
        }
    }

    @Test(arguments: [
        "authorization", "apns-topic", "apns-push-type", "apns-id", "apns-expiration", "apns-priority",
        "apns-collapse-id",
    ])
    func `any APNs header twice is refused`(name: String) throws {
        let reply = try World().send { request in
            let value = request.fields[name] ?? "1"
            request.fields[name] = value
            request.fields.append(name, value)
        }
        #expect(reply.reason == "DuplicateHeaders")
    }

    @Test func `what HTTP libraries add is ignored`() throws {
        let reply = try World().send { request in
            for name in ["user-agent", "accept", "content-type", "content-length", "host", "apns-channel-id"] {
                request.fields.append(name, "x")
                request.fields.append(name, "y")
            }
        }
        #expect(reply.response.status == 200)
    }

    @Test(arguments: ["Bearer ", "basic ", "bearer", ""])
    func `the scheme is bearer in lower case`(scheme: String) throws {
        let world = try World()
        let token = try world.signer.currentToken(at: world.time.wallNow)
        #expect(try world.send(fields: [("authorization", scheme + token)]).reason == "MissingProviderToken")
    }

    @Test func `a switch lets any case of bearer pass`() throws {
        let world = try World { service, _ in service.acceptsAnyBearerCase = true }
        let token = try world.signer.currentToken(at: world.time.wallNow)
        #expect(try world.send(fields: [("authorization", "BEARER " + token)]).response.status == 200)
    }

    @Test(arguments: ["", "com/example", "com.exämple", "com.example app"])
    func `a malformed topic is refused`(topic: String) throws {
        #expect(try World().send(fields: [("apns-topic", topic)]).reason == "BadTopic")
    }

    @Test func `an expiration in the past is accepted and discarded, or refused by a switch`() throws {
        let world = try World()
        #expect(try world.send(fields: [("apns-expiration", "1799999999")]).response.status == 200)
        guard case .discarded(.expiredOnArrival, _) = world.lastFate else {
            Issue.record("an expired push set out")
            return
        }
        let strict = try World { service, _ in service.pastExpirationReason = .badExpirationDate }
        #expect(try strict.send(fields: [("apns-expiration", "1799999999")]).reason == "BadExpirationDate")
    }
}
