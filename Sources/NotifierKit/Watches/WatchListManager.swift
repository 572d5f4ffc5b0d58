#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The person's watch list on this device: choices show at once, wait while nobody answers, also over a restart of the app, and are taken
/// back when the server will not have them.
///
/// There is no time limit after which a choice is taken back because nothing was heard: the server may have carried it out. It is sent
/// again with the time at which it was made, and the server lets the last choice win however often it comes.
public actor WatchListManager {
    /// Under which it keeps a ``WatchListState`` in its store, as JSON.
    public static let storeKey = "watch-list"

    private let client: NotifierClient
    private let store: any KeyValueStore
    private let clock: any KitClock
    private let board: StatusBoard
    private let turn = Turn()

    /// Works for the sign-in of `client`, and keeps what it knows in `store`.
    public init(client: NotifierClient, store: any KeyValueStore, clock: any KitClock, board: StatusBoard) {
        (self.client, self.store, self.clock, self.board) = (client, store, clock, board)
    }

    /// What is known at the moment: also without a network.
    public func state() async throws(NotifierError) -> WatchListState {
        do { return Self.read(try await store.value(for: Self.storeKey)) } catch { throw NotifierError(error) }
    }

    /// Watches an item. It stands in the list at once, under `title` until the server knows it better.
    ///
    /// - Returns: whether the server has it; false while the choice waits.
    /// - Throws: the reversal when the server will not have it, or why nothing can be kept or sent.
    @discardableResult
    public func watch(
        _ item: ItemReference,
        title: String,
        projectPath: String? = nil
    ) async throws -> Bool {
        try await choose(.watch, item, title, projectPath)
    }

    /// Takes an item off the list; answers as a watch does.
    @discardableResult
    public func unwatch(_ item: ItemReference) async throws -> Bool {
        let entry = try await state().entry(of: item)
        return try await choose(.unwatch, item, entry?.title ?? "", entry?.projectPath)
    }

    /// Keeps a watched item silent until an instant, or lets it speak again; answers as a watch does.
    @discardableResult
    public func mute(_ item: ItemReference, until end: Date?) async throws -> Bool {
        let entry = try await state().entry(of: item)
        return try await choose(.mute(until: end), item, entry?.title ?? "", entry?.projectPath)
    }

    private func choose(
        _ choice: WatchChange.Choice,
        _ item: ItemReference,
        _ title: String,
        _ projectPath: String?
    ) async throws -> Bool {
        let now = clock.now
        let change = try await change { state in
            state.choose(choice, item, title: title, projectPath: projectPath, at: now)
        }
        guard let change else {
            throw NotifierError(
                .refused,
                code: "too_many_waiting",
                "Too many changes wait for the network.",
                hint: "They are sent once the server answers."
            )
        }
        switch await Result({ () async throws(NotifierError) in try await sendPending() }) {
        case .success(let reversals):
            if let own = reversals.first(where: { $0.change.number == change.number }) { throw own }
            return true
        case .failure(let error):
            guard error.isTemporary else { throw error }
            return false
        }
    }

    /// Sends what waits, oldest first, and fetches the list.
    ///
    /// - Returns: what was taken back.
    @discardableResult
    public func sync() async throws(NotifierError) -> [WatchReversal] {
        let reversals = try await sendPending()
        try await turn.take { () async throws(NotifierError) in
            try await board.during { () async throws(NotifierError) in
                // What is chosen while the answer is on its way makes it stale.
                for _ in 0..<3 {
                    let revision = try await state().revision
                    let items = try await client.watches()
                    let now = clock.now
                    if try await change({ $0.take(items, askedAt: revision, at: now) }) { return }
                }
            }
        }
        return reversals
    }

    /// Sends what waits, oldest first, until nobody answers.
    ///
    /// - Returns: what was taken back.
    public func sendPending() async throws(NotifierError) -> [WatchReversal] {
        guard try await !state().pending.isEmpty else { return [] }
        return try await turn.take { () async throws(NotifierError) in
            try await board.during { () async throws(NotifierError) in
                var reversals: [WatchReversal] = []
                for change in try await state().pending {
                    do throws(NotifierError) {
                        try await send(change)
                    } catch let error where error.kind == .refused {
                        try await self.change { $0.revert(change) }
                        reversals.append(WatchReversal(change: change, reason: error))
                    }
                }
                return reversals
            }
        }
    }

    /// Forgets the list and what waits: somebody else signs in.
    public func forget() async throws(NotifierError) {
        do { try await store.update(Self.storeKey) { $0 = nil } } catch { throw NotifierError(error) }
    }

    private func send(_ waiting: WatchChange) async throws(NotifierError) {
        let (item, chosenAt) = (waiting.item, waiting.chosenAt)
        switch waiting.choice {
        case .watch:
            let answer = try await client.watch(item, chosenAt: chosenAt)
            try await change { $0.settle(waiting, as: answer) }
        case .unwatch:
            let answer = try await onEntry(of: item) { (id) async throws(NotifierError) in
                try await client.unwatch(entry: id, chosenAt: chosenAt)
            }
            try await change { $0.settle(waiting, as: answer ?? WatchAnswer(watchedItemId: nil, watching: false)) }
        case .mute(let end):
            let mute = try await onEntry(of: item) { (id) async throws(NotifierError) -> Date? in
                if let end {
                    try await client.mute(entry: id, until: end, chosenAt: chosenAt)
                } else {
                    try await client.unmute(entry: id, chosenAt: chosenAt)
                }
            }
            guard let mutedUntil = mute else {
                throw NotifierError(
                    .refused,
                    code: "watch_not_found",
                    "This item is not watched.",
                    hint: "Watch it first."
                )
            }
            try await change { $0.settle(waiting, mutedUntil: mutedUntil) }
        }
    }

    /// Asks for something about the item's entry; nil when it has none. Whoever ended the watch and began it again on another device, or
    /// whose answer was lost, has made another entry of it.
    private func onEntry<Answer: Sendable>(
        of item: ItemReference,
        _ request: (_ id: String) async throws(NotifierError) -> Answer
    ) async throws(NotifierError) -> Answer? {
        guard let known = try await state().entryID(of: item) else {
            guard let id = try await listedEntry(of: item) else { return nil }
            return try await unlessGone(id, request)
        }
        if let answer = try await unlessGone(known, request) { return answer }
        guard let id = try await listedEntry(of: item), id != known else { return nil }
        return try await unlessGone(id, request)
    }

    /// The entry's id in the list as the server tells it now.
    private func listedEntry(of item: ItemReference) async throws(NotifierError) -> String? {
        let revision = try await state().revision
        let items = try await client.watches()
        let now = clock.now
        try await change { $0.take(items, askedAt: revision, at: now) }
        return items.first { $0.item == item }?.watchedItemId
    }

    /// Nil when the server has no such entry any more.
    private func unlessGone<Answer: Sendable>(
        _ id: String,
        _ request: (_ id: String) async throws(NotifierError) -> Answer
    ) async throws(NotifierError) -> Answer? {
        do { return try await request(id) } catch let error where error.status == 404 { return nil }
    }

    @discardableResult
    private func change<Result: Sendable>(
        _ body: @Sendable (inout WatchListState) -> Result
    ) async throws(NotifierError) -> Result {
        do {
            return try await store.update(Self.storeKey) { data in
                var state = Self.read(data)
                let result = body(&state)
                data = WireCoding.encode(state)
                return result
            }
        } catch {
            throw NotifierError(error)
        }
    }

    private static func read(_ data: Data?) -> WatchListState {
        data.flatMap { try? WireCoding.decode(WatchListState.self, $0) } ?? WatchListState()
    }
}
