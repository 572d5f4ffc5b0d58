import FoundationEssentials
import Testing

@testable import NotifierKit

/// How a session is refreshed: once, whoever asks, and without ever losing it.
struct SessionTests {
    private static let list = #"{"items":[]}"#

    /// Takes the newest tokens alone, and gives others for the refresh token that goes with it.
    private static func server(
        valid: String = "token-2",
        refresh: @escaping @Sendable () async -> Result<TransportResponse, TransportFailure> = { refreshed(2) }
    ) -> ScriptedTransport.Script {
        { request in
            if request.path == "/auth/refresh" { return await refresh() }
            return request.token == valid ? .json(200, list) : .refusal(401, "session_expired")
        }
    }

    /// Opens a latch once it has counted so far.
    private actor Countdown {
        private var left: Int
        let latch = Latch()

        init(_ count: Int) { left = count }

        func step() async {
            left -= 1
            if left == 0 { await latch.open() }
        }
    }

    @Test func `two hundred requests with an ended session cause one refresh`() async throws {
        // The refresh is answered when all of them have been refused.
        let refusals = Countdown(200)
        let device = try await SignedIn.make { request in
            if request.path == "/auth/refresh" {
                await refusals.latch.wait()
                return refreshed(2)
            }
            if request.token == "token-2" { return .json(200, Self.list) }
            await refusals.step()
            return .refusal(401, "session_expired")
        }
        let client = device.client
        let lists = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await client.watches().count } }
            return try await group.reduce(into: 0) { count, _ in count += 1 }
        }
        #expect(lists == 200)
        let refreshes = await device.transport.lines.filter { $0 == "POST /auth/refresh" }
        #expect(refreshes.count == 1)
        #expect(try await device.stored == SignedIn.credentials(2).ending(at: "2026-03-09T09:00:00Z"))
    }

    @Test func `a late refusal of the former token refreshes nothing`() async throws {
        let (isSent, mayAnswer) = (Latch(), Latch())
        let device = try await SignedIn.make { request in
            if request.path == "/auth/refresh" { return refreshed(2) }
            if request.token == "token-2" { return .json(200, Self.list) }
            if request.path == "/devices" {
                await isSent.open()
                await mayAnswer.wait()
            }
            return .refusal(401, "session_expired")
        }
        async let slow = device.client.devices()
        await isSent.wait()
        _ = try await device.client.watches()
        await mayAnswer.open()
        _ = try? await slow
        #expect(await device.transport.lines.filter { $0 == "POST /auth/refresh" }.count == 1)
        #expect(await device.transport.requests.last?.token == "token-2")
    }

    @Test func `a refresh ends although the one who asked for it was cancelled`() async throws {
        let (isAsked, mayAnswer) = (Latch(), Latch())
        let device = try await SignedIn.make(
            Self.server {
                await isAsked.open()
                await mayAnswer.wait()
                return Task.isCancelled ? .failure(.cancelled) : refreshed(2)
            }
        )
        let client = device.client
        // Cancelled below.
        let screen = Task { try await client.watches() }
        await isAsked.wait()
        screen.cancel()
        await mayAnswer.open()
        _ = await screen.result
        #expect(try await device.stored?.refreshToken == "refresh-2")
        _ = try await client.watches()
        #expect(await device.transport.lines.filter { $0 == "POST /auth/refresh" }.count == 1)
    }

    @Test func `new tokens are stored before one of them is used`() async throws {
        let device = try await SignedIn.make()
        let keys = device.keys
        await device.transport.answer { request in
            if request.path == "/auth/refresh" { return refreshed(2) }
            guard request.token == "token-2" else { return .refusal(401, "session_expired") }
            let stored = try? await CredentialStore(keys).read()
            return stored?.token == "token-2" ? .json(200, Self.list) : .refusal(500, "used_before_stored")
        }
        _ = try await device.client.watches()
    }

    @Test func `tokens that could not be stored are used by nobody, and stored at the next try`() async throws {
        let device = try await SignedIn.make()
        let keys = device.keys
        await device.transport.answer(
            Self.server {
                await keys.fail(.unavailable("locked"))
                return refreshed(2)
            }
        )
        let error = await NotifierError.of { try await device.client.watches() }
        #expect(error?.kind == .storage)
        #expect(await !device.transport.requests.contains { $0.token == "token-2" })
        await keys.fail(nil)
        #expect(try await device.stored?.token == "token-1")
        _ = try await device.client.watches()
        #expect(try await device.stored?.token == "token-2")
        #expect(await device.transport.lines.filter { $0 == "POST /auth/refresh" }.count == 1)
    }

    @Test(arguments: [503, 500, 429])
    func `a server that cannot refresh now ends no session`(status: Int) async throws {
        let device = try await SignedIn.make(Self.server { .refusal(status, "busy") })
        let error = await NotifierError.of { try await device.client.watches() }
        #expect(error?.kind == .unavailable)
        #expect(try await device.stored?.refreshToken == "refresh-1")
    }

    @Test(arguments: TransportFailure.allCases)
    func `a refresh without an answer ends no session, and works when it is answered`(
        failure: TransportFailure
    ) async throws {
        let device = try await SignedIn.make(Self.server { .failure(failure) })
        let error = await NotifierError.of { try await device.client.watches() }
        #expect(error?.isTemporary == true)
        #expect(try await device.stored?.refreshToken == "refresh-1")
        await device.transport.answer(Self.server())
        _ = try await device.client.watches()
    }

    @Test(arguments: ["refresh_token_invalid", "refresh_token_reused"])
    func `a refused refresh ends the session`(code: String) async throws {
        let device = try await SignedIn.make(Self.server { .refusal(401, code) })
        let error = await NotifierError.of { try await device.client.watches() }
        #expect(error?.kind == .signedOut && error?.code == code)
        #expect(try await device.stored == nil)
        let next = await NotifierError.of { try await device.client.watches() }
        #expect(next == .notSignedIn)
    }

    @Test func `a 401 of somebody in between ends no session and refreshes nothing`() async throws {
        let device = try await SignedIn.make { _ in .json(401, "<html>Sign in to this network</html>") }
        let error = await NotifierError.of { try await device.client.watches() }
        #expect(error?.kind == .unreadable)
        #expect(try await device.stored?.token == "token-1")
        #expect(await device.transport.requests.count == 1)
    }

    @Test func `a refused new token is not refreshed again`() async throws {
        let device = try await SignedIn.make(Self.server(valid: "none"))
        let error = await NotifierError.of { try await device.client.watches() }
        #expect(error?.kind == .signedOut)
        #expect(await device.transport.requests.count == 3)
    }

    @Test func `what another process has refreshed is taken, not refreshed again`() async throws {
        let device = try await SignedIn.make(Self.server(valid: "token-5"))
        _ = try await device.client.credentials()
        try await CredentialStore(device.keys).write(try SignedIn.credentials(5))
        _ = try await device.client.watches()
        #expect(await device.transport.requests.map(\.token) == ["token-5"])
    }

    @Test func `once another has signed in, the former one's client has no session any more`() async throws {
        let device = try await SignedIn.make { _ in .json(200, Self.list) }
        _ = try await device.client.watches()
        try await CredentialStore(device.keys).write(try SignedIn.credentials(7, signIn: 7))
        #expect(await NotifierError.of { try await device.client.watches() } == .notSignedIn)
        #expect(try await device.client.credentials() == nil)
        #expect(await device.transport.requests.count == 1, "nothing goes out with the other's session")
        await device.client.followSignIn()
        _ = try await device.client.watches()
        #expect(await device.transport.requests.map(\.token) == ["token-1", "token-7"])
    }

    @Test func `an answer that comes once another has signed in is nobody's`() async throws {
        let (isSent, mayAnswer) = (Latch(), Latch())
        let device = try await SignedIn.make { _ in
            await isSent.open()
            await mayAnswer.wait()
            return .json(200, Self.list)
        }
        let client = device.client
        async let slow = NotifierError.of { try await client.watches() }
        await isSent.wait()
        try await CredentialStore(device.keys).write(try SignedIn.credentials(7, signIn: 7))
        await mayAnswer.open()
        #expect(await slow == .signInEnded)
    }

    @Test(arguments: [true, false])
    func `a refresh under way neither brings the former session back nor ends the next`(isGiven: Bool) async throws {
        let (isAsked, mayAnswer) = (Latch(), Latch())
        let device = try await SignedIn.make { request in
            if request.path == "/pair/exchange" { return refreshed(7) }
            guard request.path == "/auth/refresh" else { return .refusal(401, "session_expired") }
            await isAsked.open()
            await mayAnswer.wait()
            return isGiven ? refreshed(2) : .refusal(401, "refresh_token_invalid")
        }
        let client = device.client
        async let slow = NotifierError.of { try await client.watches() }
        await isAsked.wait()
        let server = try ServerAddress("https://notifier.example.com")
        try await client.pair(on: server, code: "K7M2QX", platform: .macos, name: nil)
        await mayAnswer.open()
        #expect(await slow?.kind == .signedOut)
        #expect(try await device.stored?.token == "token-7")
        #expect(try await client.credentials()?.token == "token-7")
    }

    @Test func `a device that is registered keeps the tokens that a refresh has given meanwhile`() async throws {
        let device = try await SignedIn.make()
        let keys = device.keys
        await device.transport.answer { _ in
            // Another process has refreshed.
            try? await CredentialStore(keys).write(SignedIn.credentials(2))
            return .json(201, #"{"deviceId":"d1"}"#)
        }
        let phone = DeviceDescription(apnsToken: "ab", platform: .ios, environment: "production", appVersion: "1")
        try await device.client.registerDevice(phone)
        #expect(try await device.stored == SignedIn.credentials(2, deviceID: "d1"))
    }

    @Test func `a key store that is locked signs nobody out`() async throws {
        let device = try await SignedIn.make { _ in .json(200, Self.list) }
        await device.keys.fail(.unavailable("errSecInteractionNotAllowed"))
        let error = await NotifierError.of { try await device.client.watches() }
        #expect(error?.kind == .storage && error?.isTemporary == true)
        await device.keys.fail(nil)
        _ = try await device.client.watches()
    }

    @Test func `tokens are not printed`() throws {
        let credentials = try SignedIn.credentials(1)
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] {
            #expect(!text.contains("token-1") && !text.contains("refresh-1"), "\(text)")
        }
    }
}

extension Credentials {
    fileprivate func ending(at text: String) throws -> Credentials {
        var copy = self
        copy.expiresAt = try Date.ISO8601FormatStyle().parse(text)
        return copy
    }
}
