#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Why a device has to register, if it has to.
public enum DeviceRegistrationPolicy {
    /// Whether what the server knows is out of date.
    ///
    /// - Parameters:
    ///   - described: what the device would say of itself now.
    ///   - registered: what it said last; nil when it never did.
    ///   - state: what the server calls this device; nil when it does not list it.
    /// - Returns: true when it has to register.
    public static func mustRegister(
        _ described: DeviceDescription,
        registered: DeviceDescription?,
        state: String?
    ) -> Bool {
        guard described == registered else { return true }
        // A token that APNs refused for a while is tried again once its app says that it has it from Apple all the same.
        return state != "active"
    }
}

/// Tells the server where this device's pushes go.
///
/// An app gets its token from Apple at every launch. The server hears of it when it is another one, or anything else about the device is; and
/// when the server itself holds the device back or has lost it, which one question at each launch tells.
public actor DeviceManager {
    private static let key = "device"

    private let client: NotifierClient
    private let store: any KeyValueStore
    private let board: StatusBoard
    private let turn = Turn()

    /// Works for the sign-in of `client`, and keeps what it knows in `store`.
    public init(client: NotifierClient, store: any KeyValueStore, board: StatusBoard) {
        (self.client, self.store, self.board) = (client, store, board)
    }

    /// What was registered last, and with which session.
    private struct Registered: Codable, Sendable {
        var description: DeviceDescription
        var deviceID: String
    }

    /// Call it at every launch, with the token that Apple has just given.
    ///
    /// - Returns: whether the server was told. Then ``NotificationManager/fetchNew(atMost:)`` shows what went to a former token and nobody saw.
    @discardableResult
    public func launched(with device: DeviceDescription) async throws(NotifierError) -> Bool {
        try await turn.take { () async throws(NotifierError) in
            try await board.during { () async throws(NotifierError) in
                guard let credentials = try await client.credentials() else { throw .notSignedIn }
                let last = try await registered()
                var state: String?
                if let last, last.description == device, last.deviceID == credentials.deviceID {
                    state = try await client.devices().first { $0.deviceId == last.deviceID }?.state
                }
                guard DeviceRegistrationPolicy.mustRegister(device, registered: last?.description, state: state) else {
                    return false
                }
                let id = try await client.registerDevice(device)
                try await keep(Registered(description: device, deviceID: id))
                return true
            }
        }
    }

    /// The person has switched notifications off for this app: no push is sent any more, and pulling goes on.
    public func notificationsSwitchedOff() async throws(NotifierError) {
        guard let last = try await registered() else { return }
        try await board.during { () async throws(NotifierError) in
            _ = try await client.unregisterDevice(apnsToken: last.description.apnsToken)
        }
        try await keep(nil)
    }

    /// Forgets what was registered: somebody else signs in.
    public func forget() async throws(NotifierError) { try await keep(nil) }

    private func registered() async throws(NotifierError) -> Registered? {
        do {
            return try await store.value(for: Self.key).flatMap { try? WireCoding.decode(Registered.self, $0) }
        } catch {
            throw NotifierError(error)
        }
    }

    private func keep(_ registered: Registered?) async throws(NotifierError) {
        let data = registered.map { WireCoding.encode($0) }
        do { try await store.update(Self.key) { $0 = data } } catch { throw NotifierError(error) }
    }
}
