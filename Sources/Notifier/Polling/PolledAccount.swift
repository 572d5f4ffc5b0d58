import Configuration
import Platform

/// What the store knows of an account, ready for polling.
struct StoredAccount: Sendable {
    var account: Account
    var watches: [Watch]
    var seenTodos: [SeenIDs.Sighting]
    var tokenExpiry: TokenExpiry?
    /// When the person signed in through GitLab; nil for those with a token of their own.
    var grantedAt: WallTime?
    /// In the order of `watches`; nil for those that are polled already.
    var seen: [SeenItem?]
    /// What GitLab was found to offer, and when.
    var capabilities: (found: Capabilities, at: WallTime)?
    /// What the person has chosen to hear of; nil for what the configuration says.
    var activities: Set<ActivityKind>?
    /// The lists that do not begin with their next reading.
    var readLists: [WatchID: Set<MetadataList>]
    /// Those of kinds that the person has chosen only since the watch began, and when they did.
    var lateLists: [WatchID: [MetadataList: WallTime]]
    /// Nil when the process has not died while the account was read, since the last successful cycle.
    var deaths: PollDeaths?

    /// What was seen of one item.
    struct SeenItem: Sendable {
        var notes: [SeenIDs.Sighting]
        var beginning: WatchBeginning
        var stateEvents: [SeenIDs.Sighting]
        /// By when the person has to have it done.
        var dueOn: DueDay?
    }

    /// Reads everything, except what was seen of the watches in `polled`. Nil when there is no such account.
    init?(_ id: AccountID, polled: [WatchID], withTodos: Bool, from store: Store) throws {
        guard let account = try store.account(id) else { return nil }
        self.account = account
        capabilities = try store.capabilities(of: id).map { ($0.capabilities, $0.checkedAt) }
        watches = try store.watches(of: id)
        seenTodos = withTodos ? try store.seenTodos(of: id) : []
        tokenExpiry = try store.tokenExpiry(of: id)
        grantedAt = try store.grant(of: id)?.grantedAt
        activities = try store.settings(of: id).activityKinds.map { Set($0.compactMap(ActivityKind.init(rawValue:))) }
        readLists = try store.readLists(of: id)
        lateLists = try store.lateLists(of: id)
        deaths = try store.pollDeaths(of: id)
        let dueDays = try store.dueDays(of: id)
        seen = try watches.map { watch in
            if polled.contains(watch.id) { return nil }
            return SeenItem(
                notes: try store.seenNotes(of: watch.id),
                beginning: try store.beginning(of: watch.id),
                stateEvents: try store.seenStateEvents(of: watch.id),
                dueOn: dueDays[watch.id]
            )
        }
    }
}

/// An account as the poller knows it, built from the store. A class, since a cycle looks into it for every list; it never
/// leaves its actor.
final class PolledAccount {
    var account: Account
    let reader: ListReader
    private(set) var rules: FactRules
    var todos: PolledList
    /// Where the next reading of them goes on, since a limit has ended the last.
    var todosRest: TodosRest?
    /// What the to-dos' first page lists, as it is remembered; none where it is the only one, since nothing is asked of it while it is as it was.
    private(set) var firstTodos: [Int64] = []
    private(set) var items: [PolledItem]
    private var itemsByWatch: [WatchID: PolledItem] = [:]
    /// What GitLab was found to offer.
    var capabilities: Capabilities
    var capabilityWatch: CapabilityTracker
    /// The feeds of projects with items that are looked for there.
    var feeds: [ProjectID: ProjectFeed] = [:]
    /// Together they cover the items; none with detection per item.
    private(set) var sweeps: [SweptList] = []
    /// When a cycle last ended with everything read, for the store.
    var storedPollAt: MonotonicInstant?
    /// When the token ends, and of what of it the person was notified.
    var tokenExpiry: TokenExpiry
    /// After a failure GitLab is not asked for the token's end before then.
    var tokenCheckNotBefore: MonotonicInstant?
    /// When GitLab was asked last what the person is called; nil when it was not yet.
    var nameReadAt: MonotonicInstant?
    /// When the person signed in through GitLab; nil for those with a token of their own.
    let grantedAt: WallTime?

    /// Everything anew.
    ///
    /// - Throws: what opening the sealed token throws.
    init(_ stored: StoredAccount, gate: RequestGate, context: PollingContext) throws {
        account = stored.account
        grantedAt = stored.grantedAt
        let client = try context.client(for: stored.account, hasGrant: stored.grantedAt != nil, behind: gate)
        reader = ListReader(
            client: client,
            gate: gate,
            meter: ReadingMeter(metrics: context.metrics, account: stored.account.id, time: context.time)
        )
        rules = FactRules(
            person: Person(id: stored.account.gitlabUserID, username: stored.account.username),
            activities: stored.activities ?? context.configuration.activitySet
        )
        tokenExpiry = stored.tokenExpiry ?? TokenExpiry(expiresOn: stored.account.tokenExpiresOn)
        todos = PolledList(list: client.list(.todos), seen: Self.seen(stored.seenTodos, context))
        items = []
        capabilities = stored.capabilities?.found ?? Capabilities(version: stored.account.gitlabVersion)
        capabilityWatch = CapabilityTracker(
            age: stored.capabilities?.at.duration(to: context.time.wallNow),
            isLacking: capabilities.isLacking,
            now: context.time.monotonicNow
        )
        takeWatches(stored, context: context)
    }

    /// True when `other` can be polled without building everything anew. Access tokens change every two hours.
    func isPolledLike(_ other: StoredAccount) -> Bool {
        let (known, stored) = (account, other.account)
        return known.publicID == stored.publicID && known.username == stored.username
            && known.origin == stored.origin && known.gitlabUserID == stored.gitlabUserID
            && grantedAt == other.grantedAt && (grantedAt != nil || known.token == stored.token)
    }

    /// Takes over what the person wants to hear of. What they did not want for a while begins anew.
    func takeActivities(_ stored: StoredAccount, context: PollingContext) {
        let former = rules.activities
        rules = FactRules(person: rules.person, activities: stored.activities ?? context.configuration.activitySet)
        let chosen = rules.activities.subtracting(former)
        for item in items {
            let watch = item.watched.watch
            item.keepLists(stored.readLists[watch] ?? [], choosing: chosen)
            beginLate(item, stored, context)
        }
    }

    private func beginLate(_ item: PolledItem, _ stored: StoredAccount, _ context: PollingContext) {
        item.beginLate(
            stored.lateLists[item.watched.watch] ?? [:],
            offered: capabilities,
            at: context.time.monotonicNow,
            wallNow: context.time.wallNow
        )
    }

    /// Takes over what the person is called now; the store has it.
    func takeName(_ username: String) {
        account.username = username
        rules = FactRules(person: Person(id: rules.person.id, username: username), activities: rules.activities)
    }

    /// Ids that are remembered of an account at most: of its to-dos, of which somebody busy has two hundred a day for as long as they
    /// are remembered, and of each item.
    private static let rememberedTodos = 30_000
    private static let rememberedPerItem = 500
    /// What is remembered never shuts out what is new: a list may always bring as many rows as GitLab lets an item have comments (facts §8.1).
    /// How much that comes to in an hour is bounded by the account's requests.
    private static let leastNewRows = 5_000

    /// Bounds what the readings to come may bring, by what is remembered already.
    func boundNewRows() {
        let remembered = items.reduce(todos.seen.ids.count) { $0 + $1.rememberedIDs }
        let limit = Self.rememberedTodos + items.count * Self.rememberedPerItem
        reader.bounds.newRows = max(limit - remembered, Self.leastNewRows)
    }

    /// Forgets failures that turned out to be GitLab's as a whole.
    func forgive() {
        for item in items { item.health.forgive() }
        capabilityWatch.noteRecovery()
        for sweep in sweeps { sweep.progress.forgive() }
    }

    /// Takes over the watch list; what is known of items that stay is kept.
    func takeWatches(_ stored: StoredAccount, context: PollingContext) {
        let known = items
        items = zip(stored.watches, stored.seen).compactMap { watch, seen in
            if let item = known.first(where: { $0.watched.watch == watch.id }) { return item }
            let item = seen.map { makeItem(watch, $0, context: context) }
            if let item { beginLate(item, stored, context) }
            return item
        }
        itemsByWatch = Dictionary(items.map { ($0.watched.watch, $0) }) { first, _ in first }
        if context.configuration.changeDetection == .sweep { arrangeSweeps() }
    }

    /// Since when some item may have rows that were not read, at `now` at the latest. What GitLab does not show any more holds nobody up.
    func completeAt(_ now: MonotonicInstant) -> MonotonicInstant {
        items.lazy.filter { $0.missing.since == nil }.map(\.completeAt).min().map { min($0, now) } ?? now
    }

    /// The watched item, unless it is watched no more.
    func item(_ watch: WatchID) -> PolledItem? { itemsByWatch[watch] }

    /// Moves what is remembered of the scan state by what the store has just taken: the one place that does.
    func take(_ advance: ScanAdvance, of watch: WatchID?, at now: MonotonicInstant) {
        todos.seen.insert(advance.todos, at: now)
        if let watch { item(watch)?.take(advance, at: now) }
    }

    /// Every row of the to-dos' first page has been dealt with.
    func rememberTodos(_ page: PageMark, listing ids: [Int64]) {
        todos.memory = ListMemory(page, of: todos.list)
        firstTodos = page.head.nextPage == nil ? [] : ids
    }

    /// Divides the items among sweeps; one whose items are the same goes on where it was.
    private func arrangeSweeps() {
        let known = sweeps
        let byReference = Dictionary(items.map { ($0.watched.item, $0) }) { first, _ in first }
        let scopes = SweepScope.covering(items.map(\.watched.item), limit: reader.client.rowsPerPage)
        sweeps = scopes.map { scope in
            let covered = scope.iids.compactMap { iid in
                byReference[ItemReference(project: scope.project, kind: scope.kind, iid: iid)]
            }
            return known.first { $0.scope == scope && $0.covers(covered) }
                ?? SweptList(scope, items: covered, client: reader.client)
        }
    }

    private func makeItem(_ watch: Watch, _ seen: StoredAccount.SeenItem, context: PollingContext) -> PolledItem {
        let now = context.time.monotonicNow
        let wallNow = context.time.wallNow
        let watchedFor = StoredAge.of(watch.createdAt, at: wallNow)
        let completeFor = min(account.completeAt.map { StoredAge.of($0, at: wallNow) } ?? watchedFor, watchedFor)
        let reconcileDelay = Jitter.below(context.configuration.reconcileEvery, draw: context.entropy.nextUInt64())
        return PolledItem(
            watched: WatchedItem(
                watch: watch.id,
                item: watch.item,
                title: watch.description.title,
                projectPath: watch.description.projectPath,
                webURL: watch.description.webURL
            ),
            origin: account.origin,
            notes: PolledList(
                list: reader.client.list(.notes(watch.item)),
                seen: Self.seen(
                    seen.notes,
                    andUpTo: seen.beginning.baselineNote,
                    completeAt: wallNow.advanced(by: .zero - completeFor),
                    context
                )
            ),
            stateEvents: PolledList(
                list: reader.client.list(.stateEvents(watch.item)),
                seen: Self.seen(seen.stateEvents, context)
            ),
            health: ItemHealth(
                missingCount: watch.missingCount,
                missingFor: watch.missingSince.map { max($0.duration(to: wallNow), .zero) },
                now: now
            ),
            watchedAt: now.advanced(by: .zero - watchedFor),
            watchedSince: watch.createdAt,
            beginning: seen.beginning,
            missing: .init(since: watch.missingSince, count: watch.missingCount),
            dueOn: seen.dueOn,
            reconciliation: Reconciliation(
                completeAt: now.advanced(by: .zero - completeFor),
                // The other items were complete without one that is missing: where its last reading was cut off, nobody knows of the rest any more.
                dueAt: watch.missingSince == nil ? now.advanced(by: reconcileDelay) : now
            )
        )
    }

    private static func seen(
        _ sightings: [SeenIDs.Sighting],
        andUpTo bound: Int64? = nil,
        completeAt: WallTime? = nil,
        _ context: PollingContext
    ) -> SeenIDs {
        SeenIDs(
            sightings,
            andUpTo: bound,
            completeAt: completeAt,
            wallNow: context.time.wallNow,
            now: context.time.monotonicNow,
            overlap: context.configuration.overlap
        )
    }
}
