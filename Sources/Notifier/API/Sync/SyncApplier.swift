import Configuration
import JSON
import Platform

/// Carries changes of a device out, one after the other, inside the transaction of their envelope.
struct SyncApplier: Sendable {
    /// What became of one change.
    enum Outcome: Sendable {
        /// It holds now. `over` is another device's that it took the place of, unknown to this device.
        case applied(over: JSONValue?)
        /// A later one stands.
        case overtaken
        case refused(APIError)
    }

    /// An item that the person may see, with what there is of it already.
    struct Reading: Sendable {
        var details: ItemDetails
        var baseline: ItemBaseline
    }

    /// What a watch may begin with, by item; an item that is not among them was not asked for.
    typealias Readings = [ItemReference: Result<Reading, APIError>]

    let context: APIContext
    let account: AccountID
    /// What stands in stamps for the device.
    let device: String
    let baseRevision: Int64
    /// When the envelope came first: an envelope that comes again means the same.
    let receivedAt: WallTime
    /// Whether it has come before, and its answer may have been lost.
    let isRepeated: Bool
    let now: WallTime
    let readings: Readings
    /// The last choice about each item that the envelope makes.
    let lastChoices: [ItemReference: ItemChoice]

    /// Choices of a kind that are remembered for one account at most.
    static let choiceLimit = 5_000

    /// What carrying out changes has led to.
    struct Effects: Sendable {
        var added: [ItemReference] = []
        var removed: [ItemReference] = []
        var settings = false
        var kinds = false
        var recomputed = RecomputedOccurrences()
        /// Numbers of duties' rows.
        var touchedDuties: Set<Int64> = []
        var told: DutyTeller.Told = []
    }

    /// The stamp of a change of this envelope.
    func stamp(_ change: SyncChange) -> ChangeStamp {
        MergePolicy.stamp(chosenAt: change.changedAt, device: device, change: change.id, receivedAt: receivedAt)
    }

    /// Carries one change out.
    ///
    /// - Parameters:
    ///   - change: what is wanted.
    ///   - store: the database, inside the envelope's transaction.
    ///   - effects: what it leads to is added.
    /// - Returns: What became of it.
    /// - Throws: `SQLiteError`.
    func apply(_ change: SyncChange, in store: Store, _ effects: inout Effects) throws -> Outcome {
        if case .duty(let wanted) = change.wanted { return try apply(wanted, change, in: store, &effects) }
        let (entity, key) = change.wanted.row
        let stamp = stamp(change)
        let revision = try store.syncRevision(entity, key, of: account) ?? 0
        let standing = try standingStamp(change.wanted, in: store)
        let isForeign = standing.map { !$0.by.hasPrefix(device + "/") && $0 != stamp } ?? false
        var before: JSONValue?
        if revision > baseRevision, isForeign { before = try value(of: change.wanted, in: store) }
        do {
            let isTaken = try take(change.wanted, stamp, in: store, &effects)
            if isTaken { return .applied(over: before) }
            // What the person chose later on this very device is no conflict.
            let standing = try standingStamp(change.wanted, in: store)
            let isOwn = standing?.by.hasPrefix(device + "/") ?? false
            return isOwn || isOvertakenByOwn(change.wanted, standing) ? .applied(over: nil) : .overtaken
        } catch let error as APIError {
            return .refused(error)
        }
    }

    /// Whether a later choice of the envelope takes the place of what stands, too.
    private func isOvertakenByOwn(_ wanted: SyncChange.Wanted, _ standing: ChangeStamp?) -> Bool {
        guard case .choice(let item, _) = wanted, let last = lastChoices[item] else { return false }
        return MergePolicy.takes(last.stamp, over: standing)
    }

    private func take(
        _ wanted: SyncChange.Wanted,
        _ stamp: ChangeStamp,
        in store: Store,
        _ effects: inout Effects
    ) throws -> Bool {
        switch wanted {
        case .choice(let item, let choice) where try isOvertakenWithin(item, choice, stamp, in: store):
            if choice != .watched { try store.noteEnd(of: item, for: account, stamp) }
            return false
        case .choice(let item, .watched): return try watch(item, stamp, in: store, &effects)
        case .choice(let item, let choice): return try end(item, choice, stamp, in: store, &effects)
        case .mute(let item, let end):
            if try store.stamp(.mute, item.syncKey, of: account) == nil { try checkCount(.mute, in: store) }
            let isLast = try store.chooseMute(until: end, on: item, of: account, stamp)
            if isLast, let end, now < end, let watch = try store.watch(item, of: account) {
                try store.settleAsks(onWatch: watch.id, by: .silenced, at: stamp.at)
            }
            return isLast
        case .actor(let actor, let isDenied): return try choose(actor, isDenied, stamp, in: store)
        case .settings(let patch):
            let lost = try RESTAPI.change(patch, of: account, stamp, at: now, context, in: store)
            effects.settings = true
            if patch.activityKinds != nil { effects.kinds = true }
            return lost.isEmpty
        case .readMark(let id, let isRead):
            guard let notification = try store.notification(publicID: id, of: account) else {
                throw APIError.notificationUnknown
            }
            let instant = RESTAPI.bounded(stamp.at, from: notification.createdAt, to: max(now, notification.createdAt))
            try store.endFormerMark(of: notification.id, at: now)
            try store.setRead(isRead, notification.id, chosenAt: instant, by: stamp.by)
            return try store.readStamp(notification.id) == ChangeStamp(at: instant, by: stamp.by)
        case .dutyMute(let id, let end):
            guard let duty = try store.duty(id, of: account) else { throw APIError.dutyNotFound }
            return try store.muteDuty(duty, until: end, of: account, stamp, at: now)
        case .duty: preconditionFailure("duties are carried out by their book")
        }
    }

    /// Whether the envelope itself makes a later choice about the item, for which this one need not be carried out. Who stopped a watch and
    /// began it again while away keeps it, with all that was seen of it; a watch that has ended again need not begin. Where nothing is
    /// watched, an end is carried out although a beginning follows, as that may be refused.
    private func isOvertakenWithin(
        _ item: ItemReference,
        _ choice: ItemChoice.Choice,
        _ stamp: ChangeStamp,
        in store: Store
    ) throws -> Bool {
        guard let last = lastChoices[item], stamp < last.stamp else { return false }
        return last.choice == .watched ? try store.watch(item, of: account) != nil : choice == .watched
    }

    private func watch(
        _ item: ItemReference,
        _ stamp: ChangeStamp,
        in store: Store,
        _ effects: inout Effects
    ) throws -> Bool {
        guard try store.isLast(stamp, on: item, of: account) else { return false }
        if let known = try store.watch(item, of: account) {
            let choice = ItemChoice(choice: .watched, stamp)
            try store.setChoice(choice, on: item, known.description, of: account, at: now)
            return true
        }
        let limit = context.configuration.watchLimit
        guard try store.watchCount(of: account) < limit else { throw APIError.watchLimitReached(limit: limit) }
        guard let reading = try readings[item]?.get() else { throw APIError.watchLater }
        let description = WatchDescription(reading.details)
        let publicID = context.entropy.uuidString()
        let watch = try store.insertWatch(publicID: publicID, item, description, of: account, at: now)
        try store.storeBaseline(reading.baseline, of: watch, at: now)
        try store.setChoice(ItemChoice(choice: .watched, stamp), on: item, description, of: account, at: now)
        effects.added.append(item)
        return true
    }

    private func end(
        _ item: ItemReference,
        _ choice: ItemChoice.Choice,
        _ stamp: ChangeStamp,
        in store: Store,
        _ effects: inout Effects
    ) throws -> Bool {
        if try store.choice(on: item, of: account) == nil { try checkCount(.end, in: store) }
        guard try store.isLast(stamp, on: item, of: account) else {
            try store.noteEnd(of: item, for: account, stamp)
            return false
        }
        let known = try store.watch(item, of: account)
        try store.setChoice(ItemChoice(choice: choice, stamp), on: item, known?.description, of: account, at: now)
        if try store.deleteWatch(item, of: account) { effects.removed.append(item) }
        return true
    }

    private func choose(
        _ actor: DeniedActor,
        _ isDenied: Bool,
        _ stamp: ChangeStamp,
        in store: Store
    ) throws -> Bool {
        let key = String(actor.gitlabUserID)
        if try store.stamp(.actor, key, of: account) == nil { try checkCount(.actor, in: store) }
        guard MergePolicy.takes(stamp, over: try store.stamp(.actor, key, of: account)?.stamp) else { return false }
        guard isDenied else {
            _ = try store.allowActor(actor.gitlabUserID, of: account, at: stamp.at, by: stamp.by)
            return true
        }
        let limit = RESTAPI.deniedActorLimit
        guard try store.isDenied(actor.gitlabUserID, of: account) || store.deniedActorCount(of: account) < limit
        else {
            throw APIError.deniedActorLimitReached(limit: limit)
        }
        return try store.denyActor(actor, of: account, at: stamp.at, by: stamp.by)
    }

    /// What is remembered of things that are nowhere else has a bound.
    private func checkCount(_ entity: StampedEntity, in store: Store) throws {
        guard try store.stampCount(entity, of: account) < Self.choiceLimit else {
            throw APIError.choiceLimitReached(limit: Self.choiceLimit)
        }
    }

    /// The stamp of what stands; nil when nothing was chosen yet, and for settings, of which each has its own.
    private func standingStamp(_ wanted: SyncChange.Wanted, in store: Store) throws -> ChangeStamp? {
        switch wanted {
        case .choice(let item, _): try store.choice(on: item, of: account)?.stamp
        case .mute(let item, _): try store.mute(on: item, of: account)?.stamp
        case .actor(let actor, _): try store.stamp(.actor, String(actor.gitlabUserID), of: account)?.stamp
        case .settings(let patch):
            try patch.names.compactMap { try store.stamp(.setting, $0, of: account)?.stamp }.max()
        case .readMark(let id, _):
            try store.notification(publicID: id, of: account).flatMap { try store.readStamp($0.id) }
        case .dutyMute(let id, _):
            try dutyMute(id, in: store)?.stamp
        case .duty: nil
        }
    }
}
