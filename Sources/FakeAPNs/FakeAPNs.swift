package import HTTP
package import Platform
import Synchronization

/// A strict, stateful imitation of one environment of the APNs provider API: HTTP in, HTTP out, in front of a
/// `DeviceFleet` that two environments may share. `docs/fake-apns.md` says what is imitated and what is not.
///
/// Isolation: any thread; one lock over one state. The fleet's lock is taken inside it, never the other way round.
package final class FakeAPNs: HTTPResponder {
    /// Where accepted pushes go.
    let fleet: DeviceFleet
    private let time: any TimeSource
    private let state: Mutex<ServiceState>
    private let tokenUpdateWindow: Duration

    /// A fake without keys, devices and faults. Keys come by `register`, devices live in `fleet`.
    package init(
        _ configuration: Configuration = Configuration(),
        fleet: DeviceFleet,
        time: any TimeSource,
        seed: UInt64
    ) {
        precondition(configuration.backendCount > 0, "there is at least one server behind the name")
        self.fleet = fleet
        self.time = time
        tokenUpdateWindow = configuration.tokenUpdateWindow
        state = Mutex(ServiceState(configuration, seed: seed))
    }

    /// A fake with a fleet of its own.
    convenience init(
        _ configuration: Configuration = Configuration(),
        devices: DeviceFleet.Configuration = DeviceFleet.Configuration(),
        time: any TimeSource,
        scheduler: any Scheduler,
        seed: UInt64
    ) {
        let fleet = DeviceFleet(devices, time: time, scheduler: scheduler, seed: seed)
        self.init(configuration, fleet: fleet, time: time, seed: seed)
    }

    /// Judges one request and, when it passes, hands the push to the fleet.
    package func respond(to request: HTTPRequest, from peer: HTTPPeer) -> SentResponse {
        let now = ClockReading(time)
        let (reply, effects) = state.withLock { $0.respond(request, peer, now, fleet) }
        if let effects { fleet.perform(effects) }
        return reply
    }

    /// Registers a key, or replaces the one with its id. Connections bound to it before keep its former topics.
    package func register(_ key: ProviderKey) {
        state.withLock { $0.verifier.register(key) }
    }

    /// Forgets a key: its provider tokens are invalid from now on.
    package func revokeKey(_ keyID: String) {
        state.withLock { $0.verifier.revoke(keyID) }
    }

    /// How long a client has to wait between two provider tokens from now on; nil is the configured time (APNs facts §7).
    package func setTokenUpdateWindow(_ window: Duration?) {
        state.withLock { $0.configuration.tokenUpdateWindow = window ?? tokenUpdateWindow }
    }

    /// How many streams a connection in good standing has from now on (APNs facts §8).
    package func setStreamLimit(_ limit: Int) {
        precondition(limit > 0, "a client may open a stream")
        state.withLock { $0.configuration.streamLimit = limit }
    }

    /// How many bad answers close a connection from now on, and how many `BadDeviceToken` (APNs facts §6).
    package func setTolerance(badAnswers: Int, badDeviceTokens: Int) {
        precondition(badAnswers > 0 && badDeviceTokens > 0, "the answer that closes the connection is one of them")
        state.withLock { state in
            state.configuration.badAnswerLimit = badAnswers
            state.configuration.badDeviceTokenLimit = badDeviceTokens
        }
    }

    /// Forgets what was counted against clients: provider tokens that changed too often, connections opened too fast, refusals that
    /// block a team. Provider tokens that wedged their connection stay so.
    package func forgetClients() {
        state.withLock { $0.forgetClients() }
    }

    /// From now on every answer leaves at once, as no real service does: for measuring what a client can do.
    package func answerAtOnce() {
        state.withLock { state in
            state.configuration.responseLatency = .constant(.zero)
            state.configuration.slowStart = .zero
        }
    }

    /// Starts a fault, or changes the one with its id.
    package func start(_ fault: Fault) {
        state.withLock { $0.faults.start(fault) }
    }

    /// Stops a fault; connections on which a sticky one took hold recover.
    package func stopFault(_ id: String) {
        state.withLock { $0.faults.stop(id) }
    }

    /// Totals since the start.
    var counters: Counters {
        state.withLock { state in
            var counters = state.counters
            counters.providerTokens = state.verifier.verifications
            return counters
        }
    }

    /// The newest requests, oldest first.
    var requests: [RequestRecord] { state.withLock { $0.ledger.entries } }
}
