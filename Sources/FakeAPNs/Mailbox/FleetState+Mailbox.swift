import Platform

/// From acceptance to the device: accepted is not delivered (APNs facts §9, §15).
extension FleetState {
    /// Takes a push for the token at `tokenIndex` and sends, stores or discards it.
    mutating func accept(_ draft: PushDraft, token: Int, _ now: ClockReading, _ effects: inout FleetEffects) -> Push {
        let install = tokens[token].install
        let device = devices[installs[install].device].id
        let push = Push(id: ledger.upcomingID, draft: draft, device: device, acceptedAt: now.wall)
        ledger.append(push)
        record(.accepted, push, now, &effects)
        noticeIfDead(token, now)
        if let cause = draft.treatment.discarded ?? obstacle(to: push, install: install, now, isArriving: false) {
            discard(push, cause, now, &effects)
        } else {
            route(push, install, draft.treatment, now, &effects)
        }
        return push
    }

    /// The first push to a dead token starts the late 410, if there ever is one (APNs facts §10).
    private mutating func noticeIfDead(_ token: Int, _ now: ClockReading) {
        guard tokens[token].state == .removed || tokens[token].state == .replaced,
            case .notAttempted = tokens[token].notice
        else { return }
        if configuration.neverUnregistered.happens(&unregisteredRandom) {
            tokens[token].notice = .never
            return
        }
        let delay = configuration.unregisteredDelay.draw(from: &unregisteredRandom)
        tokens[token].notice = .due(now.monotonic.advanced(by: delay), timestamp: now.wall.advanced(by: delay))
    }

    /// Why the push cannot reach its app whatever the network does; nil when nothing stands in its way. A push on its way
    /// is not stopped by its expiration: it may even arrive after it (APNs facts §3).
    private func obstacle(to push: Push, install: Int, _ now: ClockReading, isArriving: Bool) -> DiscardCause? {
        let app = installs[install]
        if devices[app.device].isReplaced { return .deviceReplaced }
        if let token = tokenIndex[push.token] {
            if tokens[token].state == .removed { return .appRemoved }
            if tokens[token].state == .replaced { return .tokenReplaced }
        }
        if push.isVisible, !app.notificationsEnabled { return .notificationsDisabled }
        if push.type == .background, app.isForceQuit, isArriving { return .appForceQuit }
        if !isArriving, case .at(let instant) = push.expiration, instant <= now.wall { return .expiredOnArrival }
        return nil
    }

    /// Why the device takes nothing of this priority now; nil when it does.
    func unreachability(of device: Int, for push: Push) -> StoreCause? {
        if !devices[device].isOnline { return .deviceOffline }
        guard devices[device].isPowerSaving else { return nil }
        return push.priority != .immediate || configuration.powerSavingHoldsImmediate ? .powerSaving : nil
    }

    private mutating func route(
        _ push: Push,
        _ install: Int,
        _ treatment: DeliveryTreatment,
        _ now: ClockReading,
        _ effects: inout FleetEffects
    ) {
        if let cause = unreachability(of: installs[install].device, for: push) {
            store(push, install, cause, now, &effects)
        } else {
            send(push, install, treatment, now, &effects)
        }
    }

    /// Puts the push on its way; it arrives in order unless it overtakes.
    mutating func send(
        _ push: Push,
        _ install: Int,
        _ treatment: DeliveryTreatment,
        _ now: ClockReading,
        _ effects: inout FleetEffects
    ) {
        displaceUnacknowledged(by: push, install, now, &effects)
        let isImmediate = push.priority == .immediate
        let table = isImmediate ? configuration.deliveryLatency : configuration.conservingLatency
        var arrival = now.monotonic.advanced(by: table.draw(from: &latencyRandom) + treatment.delay)
        let overtakes = configuration.reordering.happens(&orderRandom)
        if !overtakes, !treatment.mayOvertake {
            let lane = isImmediate ? \AppInstall.lastImmediateArrival : \AppInstall.lastConservingArrival
            arrival = max(arrival, installs[install][keyPath: lane])
            installs[install][keyPath: lane] = arrival
        }
        installs[install].inFlight.append(push)
        effects.timers.append((now.monotonic.duration(to: arrival), .arrival(push)))
    }

    private mutating func displaceUnacknowledged(
        by push: Push,
        _ install: Int,
        _ now: ClockReading,
        _ effects: inout FleetEffects
    ) {
        guard let older = installs[install].inFlight.last,
            configuration.overwritesUnacknowledged.happens(&mailboxRandom)
        else { return }
        installs[install].inFlight.removeLast()
        discard(older, .overwrittenUnacknowledged(by: push.reference), now, &effects)
    }

    /// The push reaches the device, if it still can.
    mutating func arrive(_ push: Push, _ now: ClockReading, _ effects: inout FleetEffects) {
        guard let token = tokenIndex[push.token] else { return }
        let install = tokens[token].install
        guard let place = installs[install].inFlight.firstIndex(where: { $0 === push }) else { return }
        installs[install].inFlight.remove(at: place)
        if let cause = obstacle(to: push, install: install, now, isArriving: true) {
            discard(push, cause, now, &effects)
        } else if let cause = unreachability(of: installs[install].device, for: push) {
            store(push, install, cause, now, &effects)
        } else if push.type == .background {
            takeBackground(push, install, now, &effects)
        } else {
            present(push, install, now, &effects)
        }
    }

    /// Shows an alert, replacing the earlier one with the same collapse id; hands anything else to the app.
    private mutating func present(_ push: Push, _ install: Int, _ now: ClockReading, _ effects: inout FleetEffects) {
        guard push.isVisible else { return deliver(push, now, &effects) }
        if let earlier = installs[install].displayed.show(push) {
            record(.replaced(by: push.reference), earlier, now, &effects)
        }
        ledger.settle(push.id, .displayed(at: now.wall))
        record(.displayed, push, now, &effects)
    }

    /// Hands the push to the app without showing anything.
    mutating func deliver(_ push: Push, _ now: ClockReading, _ effects: inout FleetEffects) {
        ledger.settle(push.id, .delivered(at: now.wall))
        record(.delivered, push, now, &effects)
    }
}
