import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What the person chooses about the watch list on this device, by the kit's own engine.
///
/// When it goes out: at once; as the kit's monitor finds it waiting, as long as the app is in the foreground; with growing pauses for a minute after
/// the choice where it is not; when the app is opened; when the device is back on the network; and by background refresh, every quarter of an hour
/// while something waits, for a week in which the app may run.
extension DeviceApp {
    /// How often the system lets an app refresh in the background.
    private static let refreshInterval = Duration.minutes(15)
    /// A week of it.
    static let refreshLimit = 672

    /// The person chooses something, in the app, which is started for it when it is not there.
    func choose(_ choice: WatchChoice, _ name: Scenarios::ItemReference, mutedUntil: Duration? = nil) {
        startedByPerson()
        let process = running()
        let item = client.reference(name)
        choices.chosen(choice, item, as: name, mutedUntil: mutedUntil, ahead: memory.clockOffset)
        process.choose(choice, item, title: name.description, project: name.project.text)
        refreshLater()
    }

    /// The person chooses something about the deny-list, the settings or the mute of a duty, in the app, which is started for it when it is not
    /// there.
    func choose(_ choice: PreferenceRecord.Choice, _ wanted: NotifierKit::SyncChange.Wanted) {
        startedByPerson()
        let process = running()
        choices.chosen(choice, wanted, ahead: memory.clockOffset)
        process.choose(wanted)
        refreshLater()
    }

    /// The person does something about a duty.
    func choose(_ deed: DutyDeed, _ wanted: NotifierKit::SyncChange.Wanted) {
        startedByPerson()
        let process = running()
        choices.chosen(deed, wanted)
        process.choose(wanted)
        refreshLater()
    }

    /// Sends what waits.
    func sendChoices() {
        guard choices.isWaiting, isOnline, memory.isSignedIn, !isQuit else { return }
        running().sendChoices()
    }

    /// The system has woken the app, or started it in the background, for a silent push. In the foreground it asks by itself.
    func woken() {
        guard memory.isSignedIn, !isInForeground, !isQuit else { return }
        running().pull()
    }

    /// An app that may not run asks for nothing: once it may, it is asked for anew.
    func refreshLater() {
        guard mayRunInBackground, !isRefreshDue, choices.isWaiting, refreshes < Self.refreshLimit else { return }
        isRefreshDue = true
        refreshes += 1
        surroundings.simulation.schedule(after: Self.refreshInterval) { [weak self] in
            guard let self else { return }
            isRefreshDue = false
            if mayRunInBackground { sendChoices() }
            refreshLater()
        }
    }

    /// The device, or the app on it, is gone.
    func abandon() {
        kill()
        choices.abandon()
    }
}

/// The part of an app's process that keeps the watch list.
///
/// Unchecked: simulation thread.
final class WatchListScreen: @unchecked Sendable {
    /// How long the system lets the app work in the background: generously.
    private static let refreshBudget = Duration.minutes(5)
    private let node: Node
    private let engine: SyncEngine
    private weak var app: DeviceApp?
    private var isSending = false
    /// Whether something was chosen, or the app was opened, since it last sent.
    private var isDue = false
    /// Until when the app counts as being in front of the person, who has just chosen something.
    private var inFrontUntil = MonotonicInstant(nanoseconds: 0)

    init(of app: DeviceApp, on node: Node, _ engine: SyncEngine) {
        (self.node, self.app, self.engine) = (node, app, engine)
    }

    func choose(_ choice: WatchChoice, _ item: NotifierKit::ItemReference, title: String, project: String) {
        inFrontUntil = node.clock.monotonicNow.advanced(by: .minutes(1))
        node.start { [self] in
            let manager = WatchListManager(engine: engine)
            do {
                switch choice {
                case .watch: try await manager.watch(item, title: title, projectPath: project)
                case .unwatch: try await manager.unwatch(item)
                case .mute(let end): try await manager.mute(item, until: end)
                }
            } catch let error as NotifierError where error.code == "too_many_waiting" {
                app?.choices.refused(choice, item)
            } catch let error as NotifierError where error.kind == .storage {
                app?.choices.notKept(choice, item, isLost: error.code == "state_lost")
            } catch {
                // A reversal has been noted, and what waits is sent again.
            }
            send()
        }
    }

    func choose(_ wanted: NotifierKit::SyncChange.Wanted) {
        inFrontUntil = node.clock.monotonicNow.advanced(by: .minutes(1))
        node.start { [self] in
            do throws(NotifierError) { try await engine.choose(wanted) } catch  where error.kind == .storage {
                app?.choices.notKept(wanted)
                app?.choices.dutyNotKept(wanted)
            } catch {
                // As many wait as may.
            }
            send()
        }
    }

    /// Sends what waits: at once, and again and again as long as the app is in front of the person. In the foreground the kit's monitor does that.
    func send() {
        isDue = true
        guard !isSending else { return }
        isSending = true
        node.start { [self] in
            defer { isSending = false }
            var pause = Duration.seconds(2)
            while let app, app.choices.isWaiting {
                if app.isOnline, app.memory.isSignedIn {
                    let isAsked = isDue
                    isDue = false
                    if !app.isInForeground {
                        try? await engine.sync(within: Self.refreshBudget)
                    } else if isAsked {
                        try? await engine.sync()
                    }
                }
                let isInFront = app.isInForeground || node.clock.monotonicNow < inFrontUntil
                guard app.choices.isWaiting, isInFront else { return }
                do { try await node.clock.sleep(for: pause) } catch { return }
                pause = min(pause * 2, .minutes(1))
            }
        }
    }
}
