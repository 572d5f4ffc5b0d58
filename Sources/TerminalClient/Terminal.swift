import FoundationEssentials
import JSON
import NotifierKit

/// What a command works with: the kit for this machine's sign-in, and where to write.
struct Terminal: Sendable {
    let client: NotifierClient
    let store: any KeyValueStore
    let clock: any KitClock
    let chance: any ChanceSource
    let console: any Console
    let board: StatusBoard
    /// What all devices of the person keep alike, and what waits to be sent.
    let engine: SyncEngine
    let arguments: ParsedArguments
    /// Keeps others out of what one process alone may do; nil when another does it.
    let claim: @Sendable (_ name: String) throws(TerminalError) -> Claim?
    /// Ends when the person asks the program to end.
    let interruption: @Sendable () async -> Void

    /// Something that this process alone does, until it gives it back.
    struct Claim: Sendable {
        var release: @Sendable () -> Void
    }

    var isJSON: Bool { arguments.has("--json") }
    var style: Style { Style(usesColour: console.usesColour && !isJSON) }

    var watches: WatchListManager { WatchListManager(engine: engine) }

    var turns: DutyManager { DutyManager(engine: engine, chance: chance) }

    func notifications(_ notifier: any LocalNotifier = NoNotifier()) -> NotificationManager {
        NotificationManager(client: client, store: store, notifier: notifier, clock: clock, board: board)
    }

    // MARK: Writing

    /// A line for people; nothing with `--json`.
    func say(_ line: String) {
        if !isJSON { console.print(line + "\n") }
    }

    /// A value for programs; nothing without `--json`.
    func give(_ value: some Encodable) {
        if isJSON { console.print(String(decoding: WireCoding.encode(value), as: UTF8.self) + "\n") }
    }

    /// What is no result, for people.
    func warn(_ line: String) { console.note("gitlab-notify: \(line)\n") }

    /// The person signed in, or an error that says how to.
    func signedIn() async throws -> Credentials {
        guard let credentials = try await client.credentials() else {
            throw TerminalError(
                .signedOut,
                "not_signed_in",
                "You are not signed in.",
                hint: "gitlab-notify login SERVER"
            )
        }
        return credentials
    }
}

/// Shows nothing, and says so.
struct NoNotifier: LocalNotifier {
    func delivered() async -> [DeliveredNotification] { [] }
    func show(_ notification: LocalNotification) async -> Bool { false }
    func withdraw(_ notificationIDs: [String]) async {}
    func setBadge(_ count: Int) async {}
}
