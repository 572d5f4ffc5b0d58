package import Platform
import Synchronization

/// The simulated phones and Macs, their apps and tokens, the mailbox APNs keeps for them, and the ledger of everything
/// that reached them. Two `FakeAPNs` may share one fleet: a token belongs to one environment.
///
/// Isolation: any thread; one lock over one state. The observer and the scheduler are called outside the lock.
package final class DeviceFleet: Sendable {
    let time: any TimeSource
    private let scheduler: any Scheduler
    private let state: Mutex<FleetState>
    private let observer = Mutex<Observer?>(nil)

    /// A closure in a box: one that stands in a lock by itself gets wrapped once more at every access.
    private struct Observer {
        let notice: @Sendable (DeviceEvent) -> Void
    }

    /// An empty fleet. Deliveries run on `scheduler`; `seed` decides every draw.
    package init(
        _ configuration: Configuration = Configuration(),
        time: any TimeSource,
        scheduler: any Scheduler,
        seed: UInt64
    ) {
        self.time = time
        self.scheduler = scheduler
        state = Mutex(FleetState(configuration, seed: seed))
    }

    /// Calls `observer` for every later event, in order, outside the lock. Replaces the one before.
    package func observe(_ observer: @escaping @Sendable (DeviceEvent) -> Void) {
        self.observer.withLock { $0 = Observer(notice: observer) }
    }

    /// Runs one step under the lock, then its effects.
    func step<Result: Sendable>(_ body: (inout FleetState, ClockReading, inout FleetEffects) -> Result) -> Result {
        let now = ClockReading(time)
        var effects = FleetEffects()
        let result = locked { body(&$0, now, &effects) }
        perform(effects)
        return result
    }

    /// Reads or changes the state without effects.
    func locked<Result: Sendable>(_ body: (inout FleetState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// What the registry says of a token now; nil when it was never given.
    func standing(of token: DeviceToken) -> TokenStanding? {
        let now = ClockReading(time)
        return locked { state in
            guard let index = state.tokenIndex[token] else { return nil }
            let record = state.tokens[index]
            let refusal = record.refusal(at: now)
            return TokenStanding(
                index: index,
                environment: record.environment,
                bundleID: record.bundleID,
                refusal: refusal?.reason,
                timestamp: refusal?.timestamp
            )
        }
    }

    /// To which device a token leads, in the name of the first of those that came one in the place of the other; nil for a token that was never
    /// given.
    func origin(of token: DeviceToken) -> DeviceID? {
        locked { state in
            guard let index = state.tokenIndex[token] else { return nil }
            return state.devices[state.installs[state.tokens[index].install].device].origin
        }
    }

    /// Takes one place of the device's rate limit; false when it is reached.
    func takeRate(token: Int) -> Bool {
        let now = time.monotonicNow
        return locked { state in
            let limit = state.configuration.deviceRateLimit
            return state.tokens[token].rate.take(limit, at: now)
        }
    }

    /// Accepts a push; the caller performs the effects once it holds no lock.
    func accept(_ draft: PushDraft, token: Int) -> (push: Push, effects: FleetEffects) {
        let now = ClockReading(time)
        return locked { state in
            var effects = FleetEffects()
            let push = state.accept(draft, token: token, now, &effects)
            return (push, effects)
        }
    }

    /// Schedules timers and tells the observer. Never called under a lock.
    func perform(_ effects: FleetEffects) {
        for (delay, timer) in effects.timers {
            scheduler.schedule(after: delay) { [self] in fire(timer) }
        }
        guard !effects.events.isEmpty, let observer = observer.withLock({ $0 }) else { return }
        effects.events.forEach(observer.notice)
    }

    private func fire(_ timer: FleetEffects.Timer) {
        step { state, now, effects in
            switch timer {
            case .arrival(let push): state.arrive(push, now, &effects)
            case .storageEnd(let push): state.endStorage(of: push, now, &effects)
            case .backgroundRelease(let install): state.releaseHeld(install, now, &effects)
            }
        }
    }
}
