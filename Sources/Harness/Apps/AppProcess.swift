import NotifierKit
import Platform
import Scenarios
import Simulation

/// The process of an app that is open, or was: it asks for news while it is in the foreground.
///
/// Unchecked: simulation thread.
final class AppProcess: @unchecked Sendable {
    /// Counts the processes of one device.
    let number: Int
    let node: Node
    let notifications: NotificationManager
    private let monitor: VersionMonitor
    private let watchList: WatchListScreen
    private let engine: SyncEngine
    private let kit: NotifierClient
    private weak var app: DeviceApp?
    private(set) var isInForeground = false
    /// Counts the runs of the monitor, so that the end of a former one is not taken for that of the present one.
    private var runs = 0
    private var isRunning = false
    /// Whether the last fetch of each kind succeeded: what is shown is what the server knew at the last answer.
    private(set) var isUpToDate = false

    init(_ number: Int, of app: DeviceApp, on node: Node, _ kit: NotifierClient) {
        (self.number, self.app, self.node, self.kit) = (number, app, node, kit)
        let (clock, board) = (DeviceClock(memory: app.memory, time: node.clock, entropy: node.entropy), StatusBoard())
        let notifications = NotificationManager(
            client: kit,
            store: app.memory,
            notifier: app.screen,
            clock: clock,
            board: board
        )
        self.notifications = notifications
        let store = DeviceStore(of: app, on: node)
        let engine = SyncEngine(client: kit, store: store, clock: clock, chance: clock, board: board)
        self.engine = engine
        watchList = WatchListScreen(of: app, on: node, engine)
        monitor = VersionMonitor(
            client: kit,
            clock: clock,
            chance: clock,
            reachability: DeviceReachability(app: app),
            board: board,
            notifications: { [weak app] () async throws(NotifierError) in
                app?.process?.isUpToDate = false
                try await app?.takePushes(into: notifications)
                try await notifications.fetchNew()
                app?.process?.isUpToDate = true
            },
            data: { [weak app] () async throws(NotifierError) in
                app?.process?.isUpToDate = false
                var failure: NotifierError?
                // What was read elsewhere and is not known yet still counts here.
                defer { app?.process?.isUpToDate = failure == nil }
                do throws(NotifierError) {
                    if try await !notifications.fetchMarks().isEmpty {
                        app?.surroundings.recorder.reach(.readElsewhere)
                    }
                } catch {
                    failure = error
                }
                // Neither waits for the other.
                try await engine.sync()
                if let failure { throw failure }
            },
            isWaiting: { () async throws(NotifierError) in
                if try await engine.hasPending() { return true }
                return try await notifications.hasPendingMarks()
            },
            nothingNew: { [weak app] in
                await notifications.repeatBadge()
                app?.process?.isUpToDate = true
            }
        )
    }

    /// Asks from now on, as long as there is a session; called again once there is one.
    func enterForeground() {
        guard let app, !isInForeground || !isRunning else { return }
        isInForeground = true
        sendChoices()
        guard app.memory.isSignedIn else { return }
        runs += 1
        isRunning = true
        let mine = runs
        node.start { [self] in
            while self.app?.isRefreshing == true {
                do { try await node.clock.sleep(for: .milliseconds(200)) } catch { return }
            }
            if mine == runs, isInForeground {
                isUpToDate = false
                await kit.followSignIn()
                // It ends when the app leaves the foreground, or when the session is over.
                try? await monitor.run()
            }
            if mine == runs { isRunning = false }
        }
    }

    /// The device is signed in anew.
    func followSignIn() async { await kit.followSignIn() }

    /// The person chooses something about the watch list.
    func choose(_ choice: WatchChoice, _ item: NotifierKit::ItemReference, title: String, project: String) {
        watchList.choose(choice, item, title: title, project: project)
    }

    /// They choose something about anything else.
    func choose(_ wanted: NotifierKit::SyncChange.Wanted) { watchList.choose(wanted) }

    /// Sends what they have chosen and nobody has answered.
    func sendChoices() { watchList.send() }

    /// The system has started the app once the device was on again: it opens its store, and sends what waits there.
    func reopen() {
        node.start { [self] in
            guard (try? await engine.state()) != nil else { return }
            app?.surroundings.recorder.reach(.storeReopened)
            sendChoices()
        }
    }

    /// Fetches in the wake of a silent push what was changed on another device, and takes off the screen what was read there.
    func pull() {
        node.start { [self] in
            guard let app, (try? await engine.pull()) != nil else { return }
            app.surroundings.recorder.reach(.silentPushPulled)
            _ = try? await notifications.fetchMarks()
        }
    }

    /// Asks no more; a question that is under way counts no more.
    func leaveForeground() {
        isInForeground = false
        node.start { [monitor] in await monitor.stop() }
    }
}

/// Whether the device has a network, as its system says.
private struct DeviceReachability: Reachability {
    weak var app: DeviceApp?

    var isOnline: Bool { app?.isOnline ?? false }
}
