import Configuration
import HTTP
import Platform

/// Watches items on which the person was tagged, once their baseline has been read (FR48).
extension AccountPoller {
    /// So many baselines are read per cycle; the rest waits for the next.
    private static let autoWatchesPerCycle = 5

    /// Reads baselines and adds entries to the watch list. What cannot be read now is tried again in a later cycle, and what GitLab does not
    /// show at all for a while.
    func watchTagged() async {
        guard mayHaveTags else { return }
        do {
            let limit = Self.autoWatchesPerCycle
            let requests = try await context.store.read { [id] in try $0.autoWatchRequests(of: id, limit: limit) }
            var isDone = requests.count < limit
            for request in requests { isDone = try await watchTagged(request) && isDone }
            mayHaveTags = !isDone
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        }
    }

    /// True when the request was met or cannot be.
    private func watchTagged(_ request: AutoWatchRequest) async throws -> Bool {
        switch await readTagged(request.item) {
        case .success(let (details, baseline)):
            try await store(request, details, baseline)
            return true
        case .failure(let error):
            // Of the others the next cycle asks again, in the same order: nothing is written while GitLab is away.
            guard error.isAboutItem else { return false }
            let now = context.time.wallNow
            let isGivenUp = request.isGivenUp(at: now)
            try await context.store.transaction { [id] store in
                if isGivenUp {
                    try store.deleteAutoWatchRequest(request.item, of: id)
                } else {
                    try store.setTried(request.item, of: id, at: now)
                }
            }
            return isGivenUp
        }
    }

    private func readTagged(_ item: ItemReference) async -> Result<(ItemDetails, ItemBaseline), GitLabError> {
        guard let client = polled?.reader.client else { return .failure(.notAsked) }
        do throws(GitLabError) {
            try await gate.admit()
            let details = try await client.item(item)
            let baseline = try await BaselineReader(client: client, time: context.time).itemBaseline(item)
            gate.noteSuccess()
            gate.charge(baseline.requests)
            return .success((details, baseline))
        } catch {
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
        let description = WatchDescription(
            title: details.title,
            projectPath: details.projectPath,
            webURL: details.webURL
        )
        let isAdded = try await context.store.transaction { [id, entropy = context.entropy] store in
            let item = request.item
            try store.deleteAutoWatchRequest(item, of: id)
            guard try store.watch(item, of: id) == nil, try store.isLast(request.requestedAt, on: item, of: id),
                try store.watchCount(of: id) < limit
            else { return false }
            let watch = try store.insertWatch(
                publicID: entropy.uuidString(),
                item,
                description,
                of: id,
                at: now,
                origin: .auto
            )
            try store.storeBaseline(baseline, of: watch, at: now)
            let choice = ItemChoice(choice: .watched, changedAt: request.requestedAt)
            try store.setChoice(choice, on: item, description, of: id, at: now)
            return true
        }
        guard isAdded else { return }
        context.log.write(.watchAutoAdded, [accountField])
        inbox.noteChange()
        wakeSignal.send()
    }
}
