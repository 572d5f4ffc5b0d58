#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Devices, settings, the deny-list, and how the server is.
extension NotifierClient {
    private struct DeviceList: Decodable, Sendable {
        var devices: [RegisteredDevice]
    }

    /// The person's devices, oldest first.
    public func devices() async throws(NotifierError) -> [RegisteredDevice] {
        let list: DeviceList = try await value(.listDevices)
        return list.devices
    }

    private struct RegistrationAnswer: Decodable, Sendable {
        var deviceId: String
        var token: String?
        var expiresAt: Date?
    }

    /// Gives this device's push token to the server. The session belongs to the device from then on.
    ///
    /// - Returns: the server's id of the device.
    @discardableResult
    public func registerDevice(_ device: DeviceDescription) async throws(NotifierError) -> String {
        let answer: RegistrationAnswer = try await value(.registerDevice, body: device)
        try await amend { credentials in
            credentials.deviceID = answer.deviceId
            if let token = answer.token, let end = answer.expiresAt {
                (credentials.token, credentials.expiresAt) = (token, end)
            }
        }
        return answer.deviceId
    }

    /// Removes one of the person's devices: its session ends.
    public func removeDevice(_ id: String) async throws(NotifierError) {
        try await done(.removeDevice, id)
    }

    /// Signs this device out at the server. Refused with `device_session_missing` when the session belongs to none.
    public func removeCurrentDevice() async throws(NotifierError) {
        try await done(.removeOwnDevice)
        try await forgetCredentials()
    }

    private struct Unregistration: Encodable, Sendable {
        var apnsToken: String
    }

    private struct UnregistrationAnswer: Decodable, Sendable {
        var unregistered: Bool
    }

    /// Lets no more pushes go to a token; the session stays, and pulling goes on.
    ///
    /// - Returns: false when the person has no device of that token.
    @discardableResult
    public func unregisterDevice(apnsToken: String) async throws(NotifierError) -> Bool {
        let answer: UnregistrationAnswer = try await value(
            .unregisterDevice,
            body: Unregistration(apnsToken: apnsToken)
        )
        return answer.unregistered
    }

    private struct ActorList: Decodable, Sendable {
        var deniedActors: [DeniedActor]
    }

    /// Who is on the deny-list.
    public func deniedActors() async throws(NotifierError) -> [DeniedActor] {
        let list: ActorList = try await value(.listDeniedActors)
        return list.deniedActors
    }

    /// Puts somebody on the deny-list, or gives them another name there.
    public func deny(_ actor: DeniedActor) async throws(NotifierError) {
        try await done(.denyActor, body: actor)
    }

    /// Takes somebody off the deny-list, by GitLab's number of them.
    public func allowActor(_ gitlabUserID: Int64) async throws(NotifierError) {
        try await done(.allowActor, String(gitlabUserID))
    }

    /// When and of what the person wants to be notified.
    public func settings() async throws(NotifierError) -> PersonSettings {
        try await value(.getSettings)
    }

    /// Changes the settings that `change` names.
    public func changeSettings(_ change: SettingsChange) async throws(NotifierError) -> PersonSettings {
        try await value(.putSettings, body: change)
    }

    /// What the server knows and does for the person.
    public func status() async throws(NotifierError) -> ServerStatus {
        try await value(.status)
    }

    /// Whether a server runs there.
    public func health(of server: ServerAddress) async throws(NotifierError) -> ServerHealth {
        try Self.decode(try await open(.health, on: server))
    }

    /// Whether that server can do its work.
    ///
    /// - Throws: an error of kind `unavailable` when it cannot.
    public func readiness(of server: ServerAddress) async throws(NotifierError) {
        _ = try await open(.readiness, on: server)
    }

    /// The description of the API, as JSON.
    public func openAPIDocument(of server: ServerAddress) async throws(NotifierError) -> Data {
        try await open(.openAPI, on: server).body
    }
}
