import FoundationEssentials
import Testing

@testable import NotifierKit

/// When a device tells the server where its pushes go.
struct DeviceTests {
    private static let phone = DeviceDescription(apnsToken: "aabb", platform: .ios, environment: "production")

    private static func make(state: String = "active") async throws -> (SignedIn, DeviceManager) {
        let device = try await SignedIn.make { request in
            switch request.line {
            case "POST /devices":
                .json(201, #"{"deviceId":"d1","expiresAt":"2026-03-09T09:00:00Z","token":"token-1"}"#)
            case "GET /devices":
                .json(
                    200,
                    """
                    {"devices":[{"deviceId":"d1","isCurrent":true,"platform":"ios","registeredAt":"2026-03-02T09:00:00Z",\
                    "state":"\(state)"}]}
                    """
                )
            case "POST /devices/unregister": .json(200, #"{"unregistered":true}"#)
            default: .refusal(404, "not_found")
            }
        }
        return (device, DeviceManager(client: device.client, store: device.store, board: device.board))
    }

    @Test func `the first launch registers, the next with the same token does not`() async throws {
        let (device, manager) = try await Self.make()
        #expect(try await manager.launched(with: Self.phone))
        let next = DeviceManager(client: device.client, store: device.store, board: device.board)
        #expect(try await next.launched(with: Self.phone) == false)
        #expect(await device.transport.lines == ["POST /devices", "GET /devices"])
    }

    @Test func `another token registers again`() async throws {
        let (device, manager) = try await Self.make()
        try await manager.launched(with: Self.phone)
        var replaced = Self.phone
        replaced.apnsToken = "ccdd"
        #expect(try await manager.launched(with: replaced))
        #expect(await device.transport.lines == ["POST /devices", "POST /devices"])
    }

    @Test(arguments: ["held", "dead", "paired"])
    func `a device that the server does not push to registers again with the same token`(state: String) async throws {
        let (_, manager) = try await Self.make(state: state)
        try await manager.launched(with: Self.phone)
        #expect(try await manager.launched(with: Self.phone))
    }

    @Test func `a device of another sign-in registers again`() async throws {
        let (device, manager) = try await Self.make()
        try await manager.launched(with: Self.phone)
        let client = NotifierClient(
            transport: device.transport,
            credentials: CredentialStore(device.keys, key: "other"),
            tasks: .unstructured
        )
        try await CredentialStore(device.keys, key: "other").write(try SignedIn.credentials(1, deviceID: "d9"))
        let other = DeviceManager(client: client, store: device.store, board: device.board)
        #expect(try await other.launched(with: Self.phone))
    }

    @Test func `a registration that failed is tried at the next launch`() async throws {
        let (device, manager) = try await Self.make()
        await device.transport.answer { _ in .failure(.offline) }
        #expect(await NotifierError.of { try await manager.launched(with: Self.phone) }?.kind == .offline)
        await device.transport.answer { _ in
            .json(201, #"{"deviceId":"d1","expiresAt":"2026-03-09T09:00:00Z","token":"token-1"}"#)
        }
        #expect(try await manager.launched(with: Self.phone))
    }

    @Test func `who switches notifications off is pushed nothing, and registers when they are on again`() async throws {
        let (device, manager) = try await Self.make()
        try await manager.launched(with: Self.phone)
        try await manager.notificationsSwitchedOff()
        #expect(await device.transport.requests.last?.text == #"{"apnsToken":"aabb"}"#)
        #expect(try await manager.launched(with: Self.phone))
    }
}

/// What is shown of the connection.
struct StatusTests {
    private static func error(_ kind: NotifierError.Kind) -> NotifierError {
        NotifierError(kind, code: "code", "message")
    }

    @Test func `the state follows what is under way and how it ended`() {
        var status = ConnectionStatus()
        #expect(status.state == .connected)
        status.began()
        #expect(status.state == .syncing)
        status.ended(Self.error(.unreachable))
        #expect(status.state == .offline)
        status.began()
        #expect(status.state == .syncing)
        status.ended()
        #expect(status.state == .connected)
        status.ended(Self.error(.unavailable))
        #expect(status.state == .error(Self.error(.unavailable)))
        status.ended(Self.error(.cancelled))
        #expect(status.state == .error(Self.error(.unavailable)))
        status.network(isOnline: false)
        #expect(status.state == .offline)
    }

    @Test func `an ended session shows also while something is under way`() {
        var status = ConnectionStatus()
        status.ended(Self.error(.signedOut))
        status.began()
        #expect(status.state == .error(Self.error(.signedOut)))
    }

    @Test func `a reader gets the present state, and of those it misses the newest`() async throws {
        let board = StatusBoard()
        var states = await board.states().makeAsyncIterator()
        #expect(await states.next() == .connected)
        try await board.during { () async throws(NotifierError) in }
        _ = await NotifierError.of {
            try await board.during { () async throws(NotifierError) in throw Self.error(.offline) }
        }
        #expect(await states.next() == .offline)
        await board.close()
        #expect(await states.next() == nil)
    }
}
