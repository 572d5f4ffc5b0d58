import Configuration
import HTTP
import JSON
import Platform
import SQLite

/// `GET` and `POST /sync`: what a person's devices keep alike, also after days without a network.
extension RESTAPI {
    static let syncRoutes = [
        APIRoute(.get, "/sync", .pullChanges) { try await $0.pullChanges($1) },
        APIRoute(.post, "/sync", asksGitLab: true, .pushChanges) { try await $0.pushChanges($1) },
    ]

    /// Rows in a page, unless the request wants fewer or more.
    static let syncPageSize: Int64 = 500
    static let mostSyncRows: Int64 = 1_000
    /// New items that one envelope may bring: GitLab is asked about each.
    static let mostNewWatches = 20
    /// No new item is asked about after this long; the rest has to come again.
    private static let gitLabPatience = Duration.seconds(30)
    /// Clients may keep revisions as floating point.
    static let highestRevision: Int64 = (1 << 53) - 1
    /// Envelopes of one account that are remembered.
    private static let mostEnvelopes = 1_000

    // MARK: Pull

    private func pullChanges(_ call: APICall) async throws -> HTTPResponse {
        let caller = try call.known
        let account = caller.account.id
        let since = try Self.number(call, "since", 0...Self.highestRevision) ?? 0
        let snapshot = try Self.number(call, "snapshot", 0...Self.highestRevision)
        let limit = try Self.number(call, "limit", 1...Self.mostSyncRows) ?? Self.syncPageSize
        let now = context.time.wallNow
        let (page, answer, device) = try await context.store.snapshot { [context] store in
            let page = try store.syncPage(since: since, snapshot: snapshot, of: account, limit: Int(limit))
            let answer = try Self.answer(page, of: account, at: now, context, in: store)
            let device = try page.hasMore ? nil : store.receiver(caller).device
            return (page, answer, try device.flatMap { try store.isPullNews($0) ? $0 : nil })
        }
        if let device { try await notePulled(page.revision, by: device) }
        if page.isReset, since > 0 { context.log.write(.syncReset, [("account.id", .number(account.rawValue))]) }
        return .json(200, body: Array(answer.text(indented: false).utf8))
    }

    /// A disk that takes nothing now keeps nobody from reading: the device gets a silent push too many at the worst.
    private func notePulled(_ revision: Int64, by device: DeviceID) async throws {
        do {
            try await context.store.transaction { try $0.notePulled(revision, by: device) }
        } catch let error as SQLiteError where error.storeTrouble != nil {
            // Told of by the watch over the database.
        }
    }

    private static func number(
        _ call: APICall,
        _ name: String,
        _ range: ClosedRange<Int64>
    ) throws(APIError) -> Int64? {
        guard let text = call.request.parameter(name) else { return nil }
        guard let number = WholeNumber.read(text), range.contains(number) else {
            throw .invalidField(name, expected: "from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func answer(
        _ page: SyncPage,
        of account: AccountID,
        at now: WallTime,
        _ context: APIContext,
        in store: Store
    ) throws -> JSONValue {
        var (watches, choices, actors, marks, deleted):
            ([JSONValue], [JSONValue], [JSONValue], [JSONValue], [JSONValue])
        (watches, choices, actors, marks, deleted) = ([], [], [], [], [])
        // Somebody who never chose any has the standard ones.
        var hasSettings = page.isReset
        var duties = SyncedDuties(account: account)
        for row in page.rows {
            switch row.entity {
            case .watch:
                let item = try SyncRow.item(row.key)
                if row.isDeleted {
                    deleted.append(.object([JSONMember("entity", "watch")] + SyncValues.item(item)))
                } else if let watch = try store.watch(item, of: account) {
                    watches.append(SyncValues.watch(watch, at: now))
                }
            case .choice:
                let item = try SyncRow.item(row.key)
                choices.append(SyncValues.choice(item, try store.choice(on: item, of: account)))
            case .deniedActor:
                guard let number = Int64(row.key) else { throw StoreError.unreadable(column: "row_key") }
                if row.isDeleted {
                    deleted.append(["entity": "deniedActor", "gitlabUserId": .integer(number)])
                } else if let actor = try store.deniedActor(number, of: account) {
                    actors.append(SyncValues.actor(actor))
                }
            case .settings: hasSettings = true
            case .readMark: marks.append(SyncValues.readMark(row.key, isRead: try store.isRead(row.key, of: account)))
            case .duty, .dutyMember, .occurrence, .dutyEvent, .dutyMute: try duties.take(row, in: store)
            }
        }
        var changes: [JSONMember] =
            [
                JSONMember("watches", .array(watches)), JSONMember("choices", .array(choices)),
                JSONMember("deniedActors", .array(actors)), JSONMember("readMarks", .array(marks)),
            ] + duties.members
        if hasSettings {
            changes.append(JSONMember("settings", SyncValues.settings(try store.settings(of: account), context)))
        }
        var members: [JSONMember] = [
            JSONMember("revision", .integer(page.revision)), JSONMember("changes", .object(changes)),
            JSONMember("deleted", .array(deleted + duties.deleted)), JSONMember("hasMore", .bool(page.hasMore)),
            JSONMember("reset", .bool(page.isReset)),
        ]
        if let snapshot = page.snapshot { members.append(JSONMember("snapshot", .integer(snapshot))) }
        return .object(members)
    }

    // MARK: Push

    /// One envelope is one transaction, but for what GitLab has to be asked before: whether the person may see the new items that they
    /// watch. Each change is answered for itself.
    private func pushChanges(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let device = try call.origin
        let envelope = try call.request.decodeBody(SyncEnvelope.self)
        try envelope.check()
        let now = context.time.wallNow
        let read = envelope.changes.map { change in
            (change, Result { () throws(APIError) in try change.read(at: now, context) })
        }
        let changes = read.compactMap { try? $0.1.get() }
        let readings = try await readings(changes, account, device, envelope)
        let (answer, effects, counts) = try await choose(call.known) { [context] store in
            guard try store.account(account.id) != nil else { throw APIError.sessionInvalid }
            guard envelope.baseRevision.value <= (try store.versions(of: account.id)?.data ?? 0) else {
                throw APIError.revisionAhead
            }
            let id = envelope.clientChangeId
            let receivedAt = try store.receivedAt(id, from: device, of: account.id)
            let applier = SyncApplier(
                context: context,
                account: account.id,
                device: device,
                baseRevision: envelope.baseRevision.value,
                receivedAt: receivedAt ?? now,
                isRepeated: receivedAt != nil,
                now: now,
                readings: readings,
                lastChoices: Self.lastChoices(changes, device, receivedAt ?? now)
            )
            let result = try Self.apply(read.map { ($0.0, $0.1) }, applier, in: store)
            if receivedAt == nil {
                try store.noteEnvelope(id, from: device, of: account.id, at: now, limit: Self.mostEnvelopes)
            }
            return result
        }
        await follow(effects, counts, account)
        return .json(200, body: Array(answer.text(indented: false).utf8))
    }

    private static func lastChoices(
        _ changes: [SyncChange],
        _ device: String,
        _ receivedAt: WallTime
    ) -> [ItemReference: ItemChoice] {
        var last: [ItemReference: ItemChoice] = [:]
        for change in changes {
            guard case .choice(let item, let choice) = change.wanted else { continue }
            let stamp = MergePolicy.stamp(
                chosenAt: change.changedAt,
                device: device,
                change: change.id,
                receivedAt: receivedAt
            )
            if let known = last[item], stamp < known.stamp { continue }
            last[item] = ItemChoice(choice: choice, stamp)
        }
        return last
    }

    /// How many changes came to what.
    struct SyncCounts: Sendable {
        var applied = 0
        var conflicts = 0
        var refused = 0
    }

    private static func apply(
        _ read: [(SyncEnvelope.Change, Result<SyncChange, APIError>)],
        _ applier: SyncApplier,
        in store: Store
    ) throws -> (JSONValue, SyncApplier.Effects, SyncCounts) {
        var (applied, conflicts, refused): ([JSONValue], [JSONValue], [JSONValue]) = ([], [], [])
        var effects = SyncApplier.Effects()
        func refuse(_ change: SyncEnvelope.Change, _ error: APIError) {
            refused.append([
                "id": .string(change.id), "code": .string(error.code), "message": .string(error.message),
                "hint": .string(error.hint),
            ])
        }
        // What holds is told as it is after the last change.
        let outcomes = try read.map { input, meant -> (SyncEnvelope.Change, SyncChange?, SyncApplier.Outcome) in
            switch meant {
            case .success(let change): (input, change, try applier.apply(change, in: store, &effects))
            case .failure(let error): (input, nil, .refused(error))
            }
        }
        try applier.settleDuties(in: store, &effects)
        for (input, change, outcome) in outcomes {
            if case .refused(let error) = outcome { refuse(input, error) }
            guard let change else { continue }
            let names = [JSONMember("id", .string(change.id)), JSONMember("entity", .string(change.entity))]
            switch outcome {
            case .refused: continue
            case .applied(let over):
                let value = try applier.value(of: change.wanted, in: store)
                // Also where the value tells no date: a clock that is ahead learns here that it was cut.
                let date = JSONMember("changedAt", .string(ISO8601.text(applier.stamp(change).at)))
                applied.append(.object(names + [JSONMember("value", value), date]))
                guard let over else { continue }
                conflicts.append(
                    .object(
                        names + [JSONMember("winner", "yours"), JSONMember("yours", value), JSONMember("theirs", over)]
                    )
                )
            case .overtaken:
                conflicts.append(
                    .object(
                        names + [
                            JSONMember("winner", "theirs"), JSONMember("yours", applier.value(wanted: change)),
                            JSONMember("theirs", try applier.value(of: change.wanted, in: store)),
                        ]
                    )
                )
            }
        }
        var answer = [
            JSONMember("revision", .integer(try store.versions(of: applier.account)?.data ?? 0)),
            JSONMember("applied", .array(applied)), JSONMember("conflicts", .array(conflicts)),
            JSONMember("refused", .array(refused)),
        ]
        if !effects.recomputed.isEmpty {
            let values = effects.recomputed.first(SyncEnvelope.mostChanges).map(DutyValues.occurrence)
            answer.append(JSONMember("recomputed", .array(values)))
        }
        let counts = SyncCounts(applied: applied.count, conflicts: conflicts.count, refused: refused.count)
        return (.object(answer), effects, counts)
    }

    /// Asks GitLab about the new items of an envelope, as `POST /watch` does about its one, in their order and for a while.
    private func readings(
        _ changes: [SyncChange],
        _ account: Account,
        _ device: String,
        _ envelope: SyncEnvelope
    ) async throws -> SyncApplier.Readings {
        let now = context.time.wallNow
        let id = envelope.clientChangeId
        let wanted = try await context.store.read { store in
            let receivedAt = try store.receivedAt(id, from: device, of: account.id) ?? now
            guard envelope.baseRevision.value <= (try store.versions(of: account.id)?.data ?? 0) else {
                throw APIError.revisionAhead
            }
            return try changes.compactMap { change -> (item: ItemReference, saidAt: WallTime?)? in
                guard case .choice(let item, .watched) = change.wanted, try store.watch(item, of: account.id) == nil
                else { return nil }
                let stamp = MergePolicy.stamp(
                    chosenAt: change.changedAt,
                    device: device,
                    change: change.id,
                    receivedAt: receivedAt
                )
                let last = try store.choice(on: item, of: account.id)
                // What a clock that was ahead has dated gives way when the envelope is carried out.
                let isLast = last.map { $0.isSuperseded(by: stamp) || now < $0.changedAt } ?? true
                return isLast ? (item, change.saidAt) : nil
            }
        }
        var readings: SyncApplier.Readings = [:]
        let end = context.time.monotonicNow.advanced(by: Self.gitLabPatience)
        for (item, saidAt) in wanted where readings[item] == nil {
            guard readings.count < Self.mostNewWatches, context.time.monotonicNow < end else { break }
            do {
                let (details, baseline) = try await read(item, account, saidAt: saidAt)
                readings[item] = .success(SyncApplier.Reading(details: details, baseline: baseline))
            } catch let error as APIError {
                readings[item] = .failure(error)
            }
        }
        return readings
    }

    /// What follows from changes outside the database. GitLab's subscriptions follow as many items as an envelope may bring anew; of the
    /// rest the person's next import takes care.
    private func follow(_ effects: SyncApplier.Effects, _ counts: SyncCounts, _ account: Account) async {
        context.metrics.count(.syncChanges, counts.applied, ["applied"])
        context.metrics.count(.syncChanges, counts.conflicts, ["conflict"])
        context.metrics.count(.syncChanges, counts.refused, ["refused"])
        context.log.write(
            .syncChangesTaken,
            [
                ("account.id", .number(account.id.rawValue)), ("sync.applied", .count(counts.applied)),
                ("sync.conflicts", .count(counts.conflicts)), ("sync.refused", .count(counts.refused)),
            ]
        )
        report(effects.told, at: context.time.wallNow)
        if effects.settings { context.digestSignal.send() }
        if effects.kinds || !effects.added.isEmpty || !effects.removed.isEmpty {
            context.polling.accountChanged(account.id)
        }
        let mirrored = effects.added.map { ($0, true) } + effects.removed.map { ($0, false) }
        for (item, isSubscribed) in mirrored.prefix(Self.mostNewWatches) {
            await mirror(isSubscribed: isSubscribed, item, account)
        }
    }
}
