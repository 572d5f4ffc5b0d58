import FoundationEssentials

@testable import NotifierKit

/// A device that is signed in, with everything it stands on.
struct SignedIn {
    let transport: ScriptedTransport
    let keys = MemoryKeyStore()
    let store = MemoryKeyValueStore()
    let local = MemoryLocalStore()
    let notifier = MemoryLocalNotifier()
    let board = StatusBoard()
    let clock: ManualClock
    let client: NotifierClient

    static let server = try? ServerAddress("https://notifier.example.com")

    static func make(
        clock: ManualClock = ManualClock(),
        deviceID: String? = nil,
        _ script: @escaping ScriptedTransport.Script = { _ in .failure(.cannotConnect) }
    ) async throws -> SignedIn {
        let device = SignedIn(ScriptedTransport(script), clock)
        try await CredentialStore(device.keys).write(try credentials(1, deviceID: deviceID))
        return device
    }

    private init(_ transport: ScriptedTransport, _ clock: ManualClock) {
        (self.transport, self.clock) = (transport, clock)
        client = NotifierClient(transport: transport, credentials: CredentialStore(keys), tasks: .unstructured)
    }

    /// `signIn` is the number of the first pair that the sign-in gave.
    static func credentials(_ number: Int, deviceID: String? = nil, signIn: Int = 1) throws -> Credentials {
        Credentials(
            server: try ServerAddress("https://notifier.example.com"),
            token: "token-\(number)",
            refreshToken: "refresh-\(number)",
            expiresAt: .at(Double(number) * 3_600),
            deviceID: deviceID,
            signIn: "token-\(signIn)"
        )
    }

    var stored: Credentials? {
        get async throws { try await CredentialStore(keys).read() }
    }

    var notifications: NotificationManager {
        NotificationManager(client: client, store: store, notifier: notifier, clock: clock, board: board)
    }

    /// Another process on the device each time: what it knows is what was kept.
    var engine: SyncEngine {
        SyncEngine(client: client, store: local, clock: clock, chance: CountingChance.shared, board: board)
    }

    var watches: WatchListManager { WatchListManager(engine: engine) }
}

/// What the server answers to a refresh.
func refreshed(_ number: Int) -> Result<TransportResponse, TransportFailure> {
    .json(
        200,
        #"{"expiresAt":"2026-03-09T09:00:00.000Z","refreshToken":"refresh-\#(number)","token":"token-\#(number)"}"#
    )
}

extension AppNotification {
    /// `n7` was made seven seconds after the start.
    static func make(_ number: Int, subject: String = "42/merge_request/847", readAt: Date? = nil) -> AppNotification {
        AppNotification(
            id: "n\(number)",
            subject: subject,
            sentAt: .at(Double(number)),
            title: "Ben commented on MR !847",
            body: "\(number)",
            readAt: readAt
        )
    }
}

extension NotificationPage {
    static func make(_ numbers: some Sequence<Int>, hasMore: Bool = false, reset: Bool = false) -> NotificationPage {
        NotificationPage(
            notifications: numbers.map { .make($0) },
            hasMore: hasMore,
            reset: reset,
            notificationVersion: 7
        )
    }
}

extension NotifierError {
    /// What `body` throws, as one of these.
    static func of(_ body: () async throws -> some Any) async -> NotifierError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? NotifierError
        }
    }
}

extension DeliveredNotification {
    /// A push of a notification, under its own id.
    static func pushed(_ id: String) -> DeliveredNotification {
        DeliveredNotification(identifier: id, notificationID: id)
    }
}
