import FoundationEssentials
import HTTP
import NotifierKit
import Platform
import Scenarios
import Verdict

/// What a person asks of the server by the app on one device: the client kit, asked again and again as somebody does who waits for the answer.
///
/// Unchecked: simulation thread.
final class AppClient: @unchecked Sendable {
    let kit: NotifierClient
    let memory: DeviceMemory
    let time: any TimeSource
    private let numbers: GitLabNumbers
    private let devices: DeviceManager

    /// Some hours of patience.
    private static let patience = 200
    static let server = ServerAddress.of(WorldBuilder.notifierOrigin)

    init(kit: NotifierClient, memory: DeviceMemory, time: any TimeSource, numbers: GitLabNumbers) {
        (self.kit, self.memory, self.time, self.numbers) = (kit, memory, time, numbers)
        devices = DeviceManager(client: kit, store: memory, board: StatusBoard())
    }

    /// Whether the app has a session, as far as it knows.
    var isSignedIn: Bool { memory.isSignedIn }

    /// GitLab's number of somebody.
    func number(of user: Username) -> Int64 { numbers.people[user] ?? 0 }

    /// An item as the API names it.
    func reference(_ item: ItemReference) -> NotifierKit::ItemReference {
        NotifierKit::ItemReference(
            projectID: numbers.projects[item.project] ?? 0,
            kind: item.kind == .issue ? .issue : .mergeRequest,
            iid: item.iid
        )
    }

    /// An item of the API as the scenario names it; nil for one of a project that it does not have.
    func scenarioItem(_ item: NotifierKit::ItemReference) -> ItemReference? {
        guard let project = numbers.projects.first(where: { $0.value == item.projectID })?.key else { return nil }
        return ItemReference(project: project, kind: item.kind == .issue ? .issue : .mergeRequest, iid: item.iid)
    }

    /// What became of a question.
    enum Outcome<Value: Sendable>: Sendable {
        case answered(Value)
        /// For good.
        case refused
        /// Patience has ended, or nobody wants it any more: the server may have heard of it.
        case unanswered
    }

    /// Asks until there is an answer for good.
    func ask<Value: Sendable>(
        attempts: Int = patience,
        while isWanted: () -> Bool = { true },
        _ call: (NotifierClient) async throws -> Value
    ) async -> Outcome<Value> {
        var pause = Duration.seconds(2)
        for _ in 0..<attempts {
            guard isWanted() else { return .unanswered }
            do {
                return .answered(try await call(kit))
            } catch let error as NotifierError {
                guard error.isTemporary else { return .refused }
                pause = max(pause, min(error.retryAfter ?? .zero, .hours(1)))
            } catch {
                return .unanswered
            }
            do { try await time.sleep(for: pause) } catch { return .unanswered }
            pause = min(pause * 2, .seconds(60))
        }
        return .unanswered
    }

    /// Asks until there is an answer for good; nil for a refusal, when patience ends, or when nobody wants it any more.
    func patiently<Value: Sendable>(
        attempts: Int = patience,
        while isWanted: () -> Bool = { true },
        _ call: (NotifierClient) async throws -> Value
    ) async -> Value? {
        guard case .answered(let value) = await ask(attempts: attempts, while: isWanted, call) else { return nil }
        return value
    }

    /// Takes something away; true when it is gone. An earlier attempt, whose answer was lost, may have done it.
    func goneAfter(_ call: (NotifierClient) async throws -> Void) async -> Bool {
        let isGone: Bool? = await patiently { kit in
            do {
                try await call(kit)
            } catch let error as NotifierError where error.status == 404 {
                return true
            }
            return true
        }
        return isGone ?? false
    }

    // MARK: Signing in

    /// Signs in with a GitLab token; true when the server took it.
    func register(gitlabURL: String, token: String) async -> Bool {
        await leave()
        return await patiently { kit in
            try await kit.register(on: Self.server, gitlab: gitlabURL, personalAccessToken: token)
        } != nil
    }

    /// The device's sign-in is forgotten, as before another one.
    private func leave() async {
        // The simulated key chain never fails.
        try? await kit.forgetCredentials()
    }

    /// A code for another device; nil when the server gives none.
    func startPairing() async -> String? {
        await patiently { try await $0.startPairing().pairingCode }
    }

    /// Signs in with a code; returns the device's id, or nil when the code is not taken.
    func exchange(_ code: String, platform: String, name: String) async -> String? {
        guard let platform = DevicePlatform(rawValue: platform) else { return nil }
        return await patiently { kit in
            try await kit.pair(on: Self.server, code: code, platform: platform, name: name)
            return try await kit.credentials()?.deviceID ?? ""
        }
    }

    /// What became of a sign-in through GitLab.
    enum OAuthProgress { case signedIn, pending, refused }

    /// Begins a sign-in through GitLab.
    func startOAuth(gitlabURL: String, _ kind: OAuthSignIn.Kind) async -> OAuthSignIn? {
        await leave()
        return await patiently { try await $0.startOAuth(on: Self.server, gitlab: gitlabURL, kind: kind) }
    }

    /// Ends it, when the person has agreed.
    func finishOAuth(state: String, code: String?) async -> OAuthProgress {
        let pause: Duration?? = await patiently {
            try await $0.finishOAuth(on: Self.server, state: state, code: code)
        }
        guard let pause else { return .refused }
        return pause == nil ? .signedIn : .pending
    }

    // MARK: Devices

    /// Tells the server of this device, if there is anything to tell and as long as the app is there; returns the device's id, or nil when the
    /// server did not take it.
    func registerDevice(
        token: String,
        platform: String,
        environment: String,
        while isAppThere: () -> Bool
    ) async -> String? {
        guard let platform = DevicePlatform(rawValue: platform) else { return nil }
        let description = DeviceDescription(
            apnsToken: token,
            platform: platform,
            environment: environment,
            appVersion: "1.0.0"
        )
        return await patiently(while: isAppThere) { [devices] kit in
            try await devices.launched(with: description)
            return try await kit.credentials()?.deviceID
        } ?? nil
    }

    /// Tells the server, if it was told of this device, that it is to push nothing there; true when it heard that.
    func switchPushesOff(while isAppThere: () -> Bool) async -> Bool {
        await patiently(while: isAppThere) { [devices] _ in try await devices.notificationsSwitchedOff() } != nil
    }

    /// Removes one of the person's devices; true when the server did.
    func removeDevice(_ id: String) async -> Bool {
        await goneAfter { try await $0.removeDevice(id) }
    }

    // MARK: Watching

    /// Watches an item; returns the id of the entry.
    func watch(_ item: ItemReference) async -> String? {
        let item = reference(item)
        return await patiently { try await $0.watch(item).watchedItemId } ?? nil
    }

    /// Tells what became of a notification, a few times at most; true when the server took it.
    func receive(_ notificationID: String, _ kind: ReceiptRecord.Kind) async -> Bool {
        await patiently(attempts: 3) { try await $0.confirm(notificationID, kind == .opened ? .opened : .delivered) }
            != nil
    }
}

extension ServerAddress {
    /// A server of a simulated network.
    fileprivate static func of(_ origin: HTTPOrigin) -> ServerAddress {
        guard let address = try? ServerAddress(origin.description) else {
            preconditionFailure("the simulated server has an address")
        }
        return address
    }
}
