import Platform

/// One slot per app and device for what cannot be delivered now (APNs facts §9).
extension FleetState {
    /// Stores the push in its app's slot, or discards it; at most one of two survives.
    mutating func store(
        _ push: Push,
        _ install: Int,
        _ cause: StoreCause,
        _ now: ClockReading,
        _ effects: inout FleetEffects
    ) {
        if push.expiration == .immediately { return discard(push, .notStored(cause), now, &effects) }
        if let end = storageEnd(of: push), end.at <= now.wall { return discard(push, end.cause, now, &effects) }
        if let (stored, since) = installs[install].slot {
            if keeps(stored, since: since, over: push, now) {
                return discard(push, .overwritten(by: stored.reference), now, &effects)
            }
            discard(stored, .overwritten(by: push.reference), now, &effects)
        }
        installs[install].slot = (push, now.monotonic)
        ledger.settle(push.id, .stored(cause))
        record(.stored(cause), push, now, &effects)
        scheduleStorageEnd(of: push, now, &effects)
    }

    /// Mostly the newest survives; not always when they come in quickly.
    private mutating func keeps(
        _ stored: Push,
        since: MonotonicInstant,
        over push: Push,
        _ now: ClockReading
    ) -> Bool {
        if stored.id > push.id { return true }
        guard since.duration(to: now.monotonic) < configuration.quickSuccession else { return false }
        return configuration.keepsOlder.happens(&mailboxRandom)
    }

    /// Until when the mailbox keeps the push, and what ends it; nil when it is never stored.
    private func storageEnd(of push: Push) -> (at: WallTime, cause: DiscardCause)? {
        let longest = push.acceptedAt.advanced(by: configuration.longestStorage)
        switch push.expiration {
        case .immediately: return nil
        case .byPolicy: return (longest, .storedTooLong)
        case .at(let instant):
            return instant <= longest ? (instant, .expiredWhileStored) : (longest, .storedTooLong)
        }
    }

    private func scheduleStorageEnd(of push: Push, _ now: ClockReading, _ effects: inout FleetEffects) {
        guard let end = storageEnd(of: push) else { return }
        effects.timers.append((now.wall.duration(to: end.at), .storageEnd(push)))
    }

    /// Discards the push if it is still stored and its time has come; the wall clock may have been stepped since.
    mutating func endStorage(of push: Push, _ now: ClockReading, _ effects: inout FleetEffects) {
        guard let token = tokenIndex[push.token], let end = storageEnd(of: push),
            installs[tokens[token].install].slot?.push === push
        else { return }
        guard end.at <= now.wall else { return scheduleStorageEnd(of: push, now, &effects) }
        installs[tokens[token].install].slot = nil
        discard(push, end.cause, now, &effects)
    }

    /// Sends what is stored for the device's apps, now that it can be reached.
    mutating func releaseStored(on device: Int, _ now: ClockReading, _ effects: inout FleetEffects) {
        for install in devices[device].installs {
            guard let push = installs[install].slot?.push, unreachability(of: device, for: push) == nil else {
                continue
            }
            installs[install].slot = nil
            ledger.settle(push.id, .inFlight)
            send(push, install, DeliveryTreatment(), now, &effects)
        }
    }

    /// Discards what is stored, held or on its way for an app that is gone.
    mutating func discardPending(
        _ install: Int,
        _ cause: DiscardCause,
        _ now: ClockReading,
        _ effects: inout FleetEffects
    ) {
        let pending =
            installs[install].inFlight + [installs[install].slot?.push, installs[install].held].compactMap(\.self)
        installs[install].inFlight = []
        installs[install].slot = nil
        installs[install].held = nil
        for push in pending.sorted(by: { $0.id < $1.id }) {
            discard(push, cause, now, &effects)
        }
    }
}
