import Configuration
import HTTP
import Platform

/// Watches items on which the person was tagged, once their baseline has been read (FR48).
extension AccountPoller {
    /// Reads baselines and adds entries to the watch list. What cannot be read now is tried again in a later cycle, and what GitLab does not
    /// show at all for a while.
    func watchTagged() async {
        guard mayHaveTags else { return }
        mayHaveTags = await takeUp({ [id] in try $0.autoWatchRequests(of: id, limit: $1) }) { request in
            try await watchTagged(request)
        }
        guard !mayHaveTags else { return }
        baselines = [:]
        taggedWait.forgetAll()
    }

    /// True when the request was met or cannot be.
    private func watchTagged(_ request: AutoWatchRequest) async throws -> Bool {
        let (ended, limit, now) = (endedItems, context.configuration.watchLimit, context.time.wallNow)
        let waited = taggedWait.wait(
            of: request,
            since: request.requestedAt,
            at: context.time.monotonicNow,
            wallNow: now
        )
        let mayTry = try await context.store.read { [id] store in
            // Whoever watches it already, or has chosen otherwise since, needs no room.
            if try store.watch(request.item, of: id) != nil { return true }
            guard try store.isLast(request.requestedAt, on: request.item, of: id) else { return true }
            return try store.hasRoom(among: ended, of: id, limit: limit, at: now)
        }
        guard mayTry else {
            let isGivenUp = try await putOff(request, after: waited)
            if isGivenUp { try await tellListIsFull() }
            return isGivenUp
        }
        switch await readTagged(request) {
        case .success(let (details, baseline)):
            try await store(request, details, baseline)
            return true
        case .failure(let error):
            if case .rateLimited = error { wereTagsHeldBack = !cycle.isWatchListFirst }
            // Of the others the next cycle asks again, in the same order: nothing is written while GitLab is away.
            guard error.isAboutItem else { return false }
            return try await putOff(request, after: waited, isForbidden: error == .forbidden(.permission))
        }
    }

    /// Leaves the request to a later cycle. True when it has waited long enough, and is forgotten.
    private func putOff(
        _ request: AutoWatchRequest,
        after wait: Duration,
        isForbidden: Bool = false
    ) async throws -> Bool {
        let now = context.time.wallNow
        let isGivenUp = AutoWatchRequest.isGivenUp(after: wait, isForbidden: isForbidden)
        try await context.store.transaction { [id] store in
            if isGivenUp {
                try store.deleteAutoWatchRequest(request.item, of: id)
            } else {
                try store.setTried(request.item, of: id, at: now)
            }
        }
        return isGivenUp
    }

    /// The item with all that was there before the tag.
    private func readTagged(
        _ request: AutoWatchRequest
    ) async -> Result<(ItemDetails, ItemBaseline), GitLabError> {
        guard let client = polled?.reader.client else { return .failure(.notAsked) }
        var progress = baselines.removeValue(forKey: request) ?? BaselineProgress()
        do throws(GitLabError) {
            try await gate.admit()
            let details: ItemDetails
            if let known = progress.details { details = known } else { details = try await client.item(request.item) }
            progress.details = details
            let reader = BaselineReader(client: client, time: context.time)
            let baseline = try await reader.itemBaseline(
                request.item,
                before: request.taggedAt,
                goingOnWith: &progress
            )
            gate.noteSuccess()
            gate.charge(baseline.requests)
            return .success((details, baseline))
        } catch {
            if error.isHeldBack { baselines[request] = progress }
            if error != .notAsked { gate.noteFailure(error) }
            return .failure(error)
        }
    }

    /// What the person chose about the item since stands, and so does the limit of the watch list.
    private func store(
        _ request: AutoWatchRequest,
        _ details: ItemDetails,
        _ baseline: ItemBaseline
    ) async throws {
        let now = context.time.wallNow
        let limit = context.configuration.watchLimit
        let description = WatchDescription(details)
        let ended = endedItems
        let room = try await context.store.transaction { [id, entropy = context.entropy] store -> WatchListRoom in
            let item = request.item
            try store.deleteAutoWatchRequest(item, of: id)
            guard try store.watch(item, of: id) == nil, try store.isLast(request.requestedAt, on: item, of: id) else {
                return .notNeeded
            }
            let room = try store.makeRoom(among: ended, of: id, limit: limit, at: now)
            guard room.isThere else { return room }
            // Since the tag, so that what was written meanwhile does not count as older than the watch.
            let watch = try store.insertWatch(
                publicID: entropy.uuidString(),
                item,
                description,
                of: id,
                at: min(request.taggedAt, now),
                origin: .auto
            )
            try store.storeBaseline(baseline, of: watch, at: now)
            let choice = ItemChoice(choice: .watched, changedAt: request.requestedAt)
            try store.setChoice(choice, on: item, description, of: id, at: now)
            return room
        }
        try await tellAdded(room, .watchAutoAdded, [accountField])
    }
}
