import Configuration
import Platform

/// What was read of where an issue went before a limit ended the reading, so that another goes on with it.
struct SuccessorProgress: Sendable {
    /// The issue that was moved.
    var old: ItemDetails?
    /// Where it went, once it is certain.
    var successor: ItemDetails?
    var baseline = BaselineProgress()
}

/// Keeps an issue watched that was moved to another project: its successor is watched, too, from the move on. The old entry stays, since
/// people go on writing there.
extension AccountPoller {
    /// Follows what was moved. What cannot be read now is tried again in a later cycle, for a while.
    func followMoves() async {
        guard mayHaveMoves else { return }
        mayHaveMoves = await takeUp({ [id] in try $0.movedIssues(of: id, limit: $1) }) { moved in
            try await follow(moved)
        }
        guard !mayHaveMoves else { return }
        successors = [:]
        movedWait.forgetAll()
    }

    /// True when the watch has followed or cannot.
    private func follow(_ moved: MovedIssue) async throws -> Bool {
        guard let item = polled?.items.first(where: { $0.watched.watch == moved.watch })?.watched.item else {
            return false
        }
        let (start, wallStart) = (context.time.monotonicNow, context.time.wallNow)
        let waited = movedWait.wait(of: moved, since: moved.noticedAt, at: start, wallNow: wallStart)
        switch await readSuccessor(of: item, moved) {
        case .success(let (details, baseline)):
            try await store(moved, details, baseline)
            return true
        case .failure(let error):
            if case .rateLimited = error { wereTagsHeldBack = !cycle.isWatchListFirst }
            // Of the others the next cycle asks again, in the same order: nothing is written while GitLab is away.
            guard error.isAboutItem else { return false }
            let now = context.time.wallNow
            guard MovedIssue.isGivenUp(after: waited, isForbidden: error == .forbidden(.permission)) else {
                try await context.store.transaction { try $0.setTried(moved.watch, at: now) }
                return false
            }
            context.log.write(.watchNotFollowed, fields(moved.watch) + [("error", .text(error.code))])
            try await context.store.transaction { try $0.deleteMovedIssue(moved.watch) }
            return true
        }
    }

    /// The issue that the text names, if it is the one that GitLab says the old one was moved to; with all that was there before.
    private func readSuccessor(
        of item: ItemReference,
        _ moved: MovedIssue
    ) async -> Result<(ItemDetails, ItemBaseline), GitLabError> {
        guard let client = polled?.reader.client else { return .failure(.notAsked) }
        var progress = successors.removeValue(forKey: moved) ?? SuccessorProgress()
        do throws(GitLabError) {
            try await gate.admit()
            let details = try await provenSuccessor(of: item, moved, by: client, goingOnWith: &progress)
            let successor = ItemReference(
                project: ProjectID(rawValue: details.projectID),
                kind: .issue,
                iid: details.iid
            )
            let reader = BaselineReader(client: client, time: context.time)
            let baseline = try await reader.itemBaseline(
                successor,
                before: moved.movedAt,
                goingOnWith: &progress.baseline
            )
            gate.noteSuccess()
            gate.charge(baseline.requests + 1)
            return .success((details, baseline))
        } catch {
            if error.isHeldBack { successors[moved] = progress }
            if error != .notAsked { gate.noteFailure(error) }
            return .failure(error)
        }
    }

    /// The issue at the other end, which the old one says is its successor.
    private func provenSuccessor(
        of item: ItemReference,
        _ moved: MovedIssue,
        by client: GitLabClient,
        goingOnWith progress: inout SuccessorProgress
    ) async throws(GitLabError) -> ItemDetails {
        if let known = progress.successor { return known }
        let old: ItemDetails
        if let known = progress.old { old = known } else { old = try await client.item(item) }
        progress.old = old
        let details = try await client.issue(moved.destination.resolved(from: old.projectPath))
        // What does not say it now may do so later: no reason to give the move up.
        guard old.tellsSuccessor, let id = details.id else { throw .undecodable(.unexpectedShape) }
        guard id == old.movedToID else { throw .notFound(isRoute: false) }
        progress.successor = details
        return details
    }

    /// What the person chose about the successor since stands, and so does the limit of the watch list.
    private func store(_ moved: MovedIssue, _ details: ItemDetails, _ baseline: ItemBaseline) async throws {
        let now = context.time.wallNow
        let limit = context.configuration.watchLimit
        let publicID = context.entropy.uuidString()
        let ended = endedItems
        let room = try await context.store.transaction { [id] store in
            try store.deleteMovedIssue(moved.watch)
            return try store.follow(moved, details, baseline, of: id, publicID: publicID, at: now) { store in
                try store.makeRoom(among: ended, of: id, limit: limit, at: now)
            }
        }
        try await tellAdded(room, .watchFollowed, fields(moved.watch))
    }
}

extension Store {
    /// Watches the successor as its predecessor was watched, unless the person has left or chosen otherwise, or their list is full.
    fileprivate func follow(
        _ moved: MovedIssue,
        _ details: ItemDetails,
        _ baseline: ItemBaseline,
        of account: AccountID,
        publicID: String,
        at now: WallTime,
        makeRoom: (Store) throws -> WatchListRoom
    ) throws -> WatchListRoom {
        let item = ItemReference(project: ProjectID(rawValue: details.projectID), kind: .issue, iid: details.iid)
        guard let old = try watch(moved.watch, of: account), try watch(item, of: account) == nil,
            try isLast(moved.movedAt, on: item, of: account)
        else { return .notNeeded }
        let room = try makeRoom(self)
        guard room.isThere else { return room }
        let description = WatchDescription(details)
        // Since the move, so that what was written there meanwhile does not count as older than the watch.
        let since = min(moved.movedAt, now)
        let watch = try insertWatch(publicID: publicID, item, description, of: account, at: since, origin: old.origin)
        try storeBaseline(baseline, of: watch, at: now)
        if let end = old.mutedUntil { _ = try setMute(until: end, of: watch, changedAt: moved.movedAt) }
        let choice = ItemChoice(choice: .watched, changedAt: moved.movedAt)
        try setChoice(choice, on: item, description, of: account, at: now)
        return room
    }
}
