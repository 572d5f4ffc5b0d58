import Crypto
import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §7 provider token")
struct ProviderTokenTests {
    private static let now = 1_800_000_000

    /// The reason given for a provider token, each asked from an address of its own: what changes too often is another story.
    private func reason(_ world: World, _ token: String, on connection: Int64 = 1) throws -> String? {
        try world.send(on: connection, from: "10.0.1.\(connection)") { request in
            request.fields["authorization"] = "bearer " + token
        }.reason
    }

    @Test(arguments: ["1800000000", "1800000000.25", "\"1800000000\"", "1.8e9", "\"1800000000.5\""])
    func `iat passes as integer, float and numeric string`(issuedAt: String) throws {
        let world = try World()
        #expect(try reason(world, world.signer.token(issuedAt: issuedAt)) == nil)
    }

    @Test(arguments: ["\"soon\"", "null", "true", "[]", "1e99", "\"nan\"", "\"inf\"", "{}"])
    func `iat of another kind is invalid`(issuedAt: String) throws {
        let world = try World()
        #expect(try reason(world, world.signer.token(issuedAt: issuedAt)) == "InvalidProviderToken")
    }

    @Test(
        arguments: [
            ("1799996400", nil), ("1799996399", "ExpiredProviderToken"), ("1799996399.9", "ExpiredProviderToken"),
            ("1800003600", nil), ("1800003601", "InvalidProviderToken"),
        ] as [(String, String?)]
    )
    func `the hour is exact on both sides`(issuedAt: String, expected: String?) throws {
        let world = try World()
        #expect(try reason(world, world.signer.token(issuedAt: issuedAt)) == expected)
    }

    @Test func `expiry goes by the fake's own wall clock`() throws {
        let world = try World()
        try world.send()
        world.time.stepWall(by: .hours(2))
        #expect(try world.send().reason == "ExpiredProviderToken")
    }

    @Test func `the reason for a token from the future is a switch`() throws {
        let world = try World { service, _ in service.issuedAheadReason = .tooManyProviderTokenUpdates }
        let token = try world.signer.token(issuedAt: "\(Self.now + 7_200)")
        #expect(try reason(world, token) == "TooManyProviderTokenUpdates")
    }

    @Test func `only ES256 by a registered key of the right team is valid`() throws {
        let world = try World()
        let iat = "\(Self.now)"
        let stranger = try Signer()
        let bad = [
            try world.signer.token(issuedAt: iat, keyID: "UNKNOWN123"),
            try world.signer.token(issuedAt: iat, teamID: "OTHERTEAM1"),
            try world.signer.token(issuedAt: iat, algorithm: "HS256"),
            try world.signer.token(issuedAt: iat, algorithm: "none"),
            try stranger.token(issuedAt: iat),
            try world.signer.sign(header: #"{"alg":"ES256"}"#, claims: #"{"iss":"TEAM123456","iat":\#(iat)}"#),
            try world.signer.sign(header: #"{"alg":"ES256","kid":"ABCDE12345"}"#, claims: #"{"iat":\#(iat)}"#),
            try world.signer.sign(header: #"{"alg":"ES256","kid":"ABCDE12345"}"#, claims: #"{"iss":"TEAM123456"}"#),
            "a.b.c", "", "..", "a.b",
        ]
        for (index, token) in bad.enumerated() {
            #expect(try reason(world, token, on: Int64(100 + index)) == "InvalidProviderToken", "case \(index)")
        }
        #expect(try reason(world, world.signer.token(issuedAt: iat)) == nil)
    }

    @Test func `a changed claim or signature is found out`() throws {
        let world = try World()
        let parts = try world.signer.token(issuedAt: "\(Self.now)").split(separator: ".").map(String.init)
        let claims = Base64URL.encode(Array(#"{"iss":"TEAM123456","iat":\#(Self.now + 1)}"#.utf8))
        #expect(try reason(world, [parts[0], claims, parts[2]].joined(separator: ".")) == "InvalidProviderToken")
        var signature = try #require(Base64URL.decode(parts[2]))
        signature[0] ^= 1
        let forged = [parts[0], parts[1], Base64URL.encode(signature)].joined(separator: ".")
        #expect(try reason(world, forged, on: 2) == "InvalidProviderToken")
        #expect(try reason(world, parts.joined(separator: "."), on: 3) == nil)
    }

    /// As OpenSSL makes it, and as Apple's own sample has it (§16.9).
    @Test(arguments: [(false, "InvalidProviderToken"), (true, nil)] as [(Bool, String?)])
    func `a signature in DER form is refused, unless a switch says otherwise`(isAccepted: Bool, expected: String?)
        throws
    {
        let world = try World { service, _ in service.acceptsDERSignatures = isAccepted }
        let parts = try world.signer.token(issuedAt: "\(Self.now)").split(separator: ".").map(String.init)
        let signature = try #require(Base64URL.decode(parts[2]))
        let numbers = [signature.prefix(32), signature.suffix(32)].flatMap { half -> [UInt8] in
            let digits = Array(half.drop { $0 == 0 })
            let padded = (digits.first ?? 0) >= 0x80 ? [0] + digits : digits
            return [2, UInt8(padded.count)] + padded
        }
        let der = Base64URL.encode([0x30, UInt8(numbers.count)] + numbers)
        #expect(try reason(world, [parts[0], parts[1], der].joined(separator: ".")) == expected)
        #expect(
            try reason(world, [parts[0], parts[1], Base64URL.encode([0x30, 1])].joined(separator: "."), on: 2) != nil
        )
        #expect(try reason(world, parts.joined(separator: "."), on: 3) == nil)
    }

    @Test func `kid in the claims as well does no harm`() throws {
        let world = try World()
        let token = try world.signer.sign(
            header: #"{"typ":"JWT","alg":"ES256","kid":"ABCDE12345"}"#,
            claims: #"{"iss":"TEAM123456","iat":"\#(Self.now)","kid":"ABCDE12345"}"#
        )
        #expect(try reason(world, token) == nil)
    }

    @Test func `the first push binds the key to the connection`() throws {
        let world = try World()
        let sameTeam = try Signer(keyID: "SECONDKEY1")
        world.apns.register(sameTeam.key())
        try world.send()
        #expect(try reason(world, sameTeam.token(issuedAt: "\(Self.now)")) == "UnrelatedKeyIdInToken")
        #expect(try reason(world, sameTeam.token(issuedAt: "\(Self.now)"), on: 2) == nil)
    }

    @Test func `another team's token is invalid on a connection that is bound`() throws {
        let world = try World()
        let otherTeam = try Signer(keyID: "THIRDKEY12", teamID: "OTHERTEAM1")
        world.apns.register(otherTeam.key())
        try world.send()
        #expect(try reason(world, otherTeam.token(issuedAt: "\(Self.now)")) == "InvalidProviderToken")
        #expect(try reason(world, otherTeam.token(issuedAt: "\(Self.now)"), on: 2) == nil)
    }

    @Test func `a bundle id added to a key needs a new connection`() throws {
        let world = try World(topics: ["com.example.other"])
        #expect(try world.send().reason == "TopicDisallowed")
        world.apns.register(world.signer.key(topics: ["com.example.other", World.bundleID]))
        #expect(try world.send().reason == "TopicDisallowed")
        #expect(try world.send(on: 2).reason == nil)
    }

    @Test func `a revoked key signs nothing valid`() throws {
        let world = try World()
        try world.send()
        world.apns.revokeKey(world.signer.keyID)
        #expect(try world.send().reason == "InvalidProviderToken")
    }

    @Test func `an environment-bound key is refused on the other host`() throws {
        let world = try World()
        world.apns.register(world.signer.key(environments: [.sandbox]))
        #expect(try world.send().reason == "BadEnvironmentKeyIdInToken")
        world.apns.register(world.signer.key(environments: [.production]))
        #expect(try world.send().reason == nil)
    }

    @Test func `an expired token wedges its connection until the client opens another`() throws {
        let world = try World()
        try world.send()
        let old = try world.signer.token(issuedAt: "\(Self.now - 4_000)")
        #expect(try reason(world, old) == "ExpiredProviderToken")
        let wedged = try world.send()
        #expect(wedged.response.status == 403)
        #expect(wedged.reason == "ExpiredProviderToken")
        #expect(try world.send(on: 2).response.status == 200)
    }

    @Test func `each distinct token is verified once`() throws {
        let world = try World()
        for _ in 1...5 { try world.send() }
        #expect(world.apns.counters.providerTokens == 1)
        #expect(world.apns.counters.accepted == 5)
    }
}

@Suite("APNs facts §16.10 token updates")
struct TokenUpdateTests {
    /// Signs anew at every call: the signature differs, hence the token does.
    private func send(_ world: World, on connection: Int64 = 1, from address: String = "10.0.0.1") throws -> String? {
        let token = try world.signer.token(issuedAt: "\(world.time.wallNow.secondsSinceEpoch)")
        return try world.send(on: connection, from: address) { $0.fields["authorization"] = "bearer " + token }.reason
    }

    @Test func `the second change within 20 minutes is refused and the old token keeps working`() throws {
        let world = try World()
        #expect(try world.send().reason == nil)
        #expect(try send(world) == nil)
        #expect(try send(world) == "TooManyProviderTokenUpdates")
        #expect(try world.send().reason == nil)
    }

    @Test func `the window is 20 minutes to the millisecond`() throws {
        let world = try World()
        try world.send()
        #expect(try send(world) == nil)
        world.time.advance(by: .minutes(20) - .milliseconds(61))
        #expect(try send(world) == "TooManyProviderTokenUpdates")
        let later = try World()
        try later.send()
        #expect(try send(later) == nil)
        later.time.advance(by: .minutes(20) - .milliseconds(60))
        #expect(try send(later) == nil)
    }

    @Test func `a new connection from the same address does not help`() throws {
        let world = try World()
        for connection in 1...2 { #expect(try send(world, on: Int64(connection)) == nil) }
        #expect(try send(world, on: 3) == "TooManyProviderTokenUpdates")
        #expect(try send(world, on: 4, from: "10.0.0.2") == nil)
    }

    @Test func `two addresses on one connection are counted by the connection`() throws {
        let world = try World()
        #expect(try send(world, from: "10.0.0.1") == nil)
        #expect(try send(world, from: "10.0.0.2") == nil)
        #expect(try send(world, from: "10.0.0.3") == "TooManyProviderTokenUpdates")
    }

    @Test func `a token every 50 minutes is never refused`() throws {
        let world = try World()
        for _ in 1...30 {
            #expect(try send(world) == nil)
            world.time.advance(by: .minutes(50))
        }
    }

    @Test func `refused tokens are not admitted later by repetition`() throws {
        let world = try World()
        try world.send()
        #expect(try send(world) == nil)
        let third = try world.signer.token(issuedAt: "1800000000")
        for _ in 1...3 {
            let reply = try world.send { $0.fields["authorization"] = "bearer " + third }
            #expect(reply.reason == "TooManyProviderTokenUpdates")
        }
    }

    /// Supplement §6: first 403, then 429, and from another address 403 again.
    @Test func `tokens that were never valid count, too, and by their address`() throws {
        let world = try World()
        func reason(_ number: Int, from address: String) throws -> String? {
            let token = try Signer().token(issuedAt: "1800000000")
            return try world.send(on: Int64(number), from: address) {
                $0.fields["authorization"] = "bearer " + token
            }.reason
        }
        let reasons = try (1...4).map { try reason($0, from: "10.0.0.1") }
        #expect(
            reasons == Array(repeating: "InvalidProviderToken", count: 2) + [
                "TooManyProviderTokenUpdates", "TooManyProviderTokenUpdates",
            ]
        )
        #expect(try reason(5, from: "10.0.0.2") == "InvalidProviderToken")
    }

    @Test func `who tests on one machine can have it forgotten`() throws {
        let world = try World()
        #expect(try world.send().reason == nil)
        #expect(try send(world) == nil)
        #expect(try send(world) == "TooManyProviderTokenUpdates")
        world.apns.forgetClients()
        #expect(try send(world) == nil)
        #expect(try send(world, on: 2) == nil)
        #expect(try send(world, on: 3) == "TooManyProviderTokenUpdates")
    }

    @Test func `so can who opened too many connections, or was refused too often`() throws {
        let world = try World { service, devices in
            devices.deviceRateLimit = RateLimit(count: 1, window: .hours(1))
            service.churn.connections = 1
            service.penalty.refusals = 2
        }
        let second = DeviceID(rawValue: "second")
        world.fleet.addDevice(second)
        let other = world.fleet.installApp(World.bundleID, on: second)
        for _ in 1...3 { try world.send() }
        #expect(try world.send(to: other.hex).reason == "TooManyRequests")
        #expect(try world.send(on: 2).travel == .reset)
        world.apns.forgetClients()
        #expect(try world.send(to: other.hex).reason == nil, "the team is blocked no more")
        #expect(try world.send(on: 3).travel == .whole)
    }
}
