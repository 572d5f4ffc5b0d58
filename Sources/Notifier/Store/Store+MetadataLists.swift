import Configuration
import Platform
import SQLite

/// What was read of the lists that are no part of a watch's baseline.
extension Store {
    /// Whether the list was read before.
    func isRead(_ list: MetadataList, of watch: WatchID) throws -> Bool {
        try database.first(
            "SELECT 1 FROM first_readings WHERE watch_id = ? AND list = ? AND read_at IS NOT NULL",
            watch,
            list.rawValue
        ) { _ in true } ?? false
    }

    func seenRows(_ list: MetadataList, of watch: WatchID) throws -> [SeenIDs.Sighting] {
        try database.rows(
            "SELECT row_id, seen_at FROM seen_rows WHERE watch_id = ? AND list = ? ORDER BY row_id",
            watch,
            list.rawValue
        ) { SeenIDs.Sighting(id: $0.int64(0), at: $0.wallTime(1)) }
    }

    func seenPipelines(of watch: WatchID) throws -> [SeenPipeline] {
        try database.rows(
            "SELECT pipeline_id, status, updated_at, run FROM seen_pipelines WHERE watch_id = ? ORDER BY pipeline_id",
            watch
        ) { row in
            SeenPipeline(
                id: row.int64(0),
                status: row.text(1),
                updatedAt: row.optionalWallTime(2),
                run: row.int64(3)
            )
        }
    }

    func knownApprovals(of watch: WatchID) throws -> [KnownApproval] {
        try database.rows(
            "SELECT person_id, is_listed, times FROM approvals WHERE watch_id = ? ORDER BY person_id",
            watch
        ) { KnownApproval(person: $0.int64(0), isListed: $0.int64(1) == 1, times: $0.int64(2)) }
    }

    /// The approvals that the list is compared with when it is read first: with them goes whose approval was told before the watch began.
    func approvalsToBegin(of watch: WatchID) throws -> [KnownApproval] {
        let known = try knownApprovals(of: watch)
        let told = try toldApprovals(of: watch)
        return known + told.filter { earlier in !known.contains { $0.person == earlier.person } }
    }

    /// Whose approval of the watched merge request was told to the account, and for which time last, as if none stood any more: the watch may
    /// have ended and begun again, and no time is told twice.
    func toldApprovals(of watch: WatchID) throws -> [KnownApproval] {
        let keys = try database.rows(
            """
            SELECT notified_facts.fact_key
            FROM watches JOIN notified_facts ON notified_facts.account_id = watches.account_id
                AND notified_facts.fact_key > 'approval/' || watches.project_id || '/' || watches.item_iid || '/'
                AND notified_facts.fact_key < 'approval/' || watches.project_id || '/' || watches.item_iid || '0'
            WHERE watches.id = ? AND watches.item_kind = 'merge_request'
            """,
            watch
        ) { $0.text(0) }
        var times: [Int64: Int64] = [:]
        for key in keys {
            let numbers = key.split(separator: "/").suffix(2).compactMap { Int64($0) }
            guard numbers.count == 2 else { continue }
            times[numbers[0]] = max(times[numbers[0]] ?? 0, numbers[1])
        }
        return times.sorted { $0.key < $1.key }
            .map { KnownApproval(person: $0.key, isListed: false, times: $0.value) }
    }

    /// Of which runs of those pipelines the account of a watch was told last.
    func toldRuns(of pipelines: [Int64], watch: WatchID) throws -> [Int64: ToldRun] {
        var runs: [Int64: ToldRun] = [:]
        for pipeline in pipelines {
            try database.query(
                """
                SELECT notified_facts.fact_key, notified_facts.occurred_at
                FROM watches JOIN notified_facts ON notified_facts.account_id = watches.account_id
                    AND notified_facts.fact_key > 'pipeline/' || watches.project_id || '/' || ?2 || '/'
                    AND notified_facts.fact_key < 'pipeline/' || watches.project_id || '/' || ?2 || '0'
                WHERE watches.id = ?1
                """,
                watch,
                pipeline
            ) { row in
                guard let run = row.text(0).split(separator: "/").last.flatMap({ Int64($0) }) else { return }
                if run > runs[pipeline]?.run ?? 0 { runs[pipeline] = ToldRun(run: run, endedAt: row.wallTime(1)) }
            }
        }
        return runs
    }

    /// Which lists of an account's watches were read before.
    func readLists(of account: AccountID) throws -> [WatchID: Set<MetadataList>] {
        var lists: [WatchID: Set<MetadataList>] = [:]
        try database.query(
            """
            SELECT first_readings.watch_id, first_readings.list
            FROM watches JOIN first_readings ON first_readings.watch_id = watches.id
            WHERE watches.account_id = ? AND first_readings.read_at IS NOT NULL
            """,
            account
        ) { row in
            guard let list = MetadataList(rawValue: row.text(1)) else { return }
            lists[WatchID(rawValue: row.int64(0)), default: []].insert(list)
        }
        return lists
    }

    /// Which lists of an account's watches begin late, since the person has chosen their kind only after the watch began, and when they did.
    func lateLists(of account: AccountID) throws -> [WatchID: [MetadataList: WallTime]] {
        var lists: [WatchID: [MetadataList: WallTime]] = [:]
        try database.query(
            """
            SELECT first_readings.watch_id, first_readings.list, first_readings.chosen_at
            FROM watches JOIN first_readings ON first_readings.watch_id = watches.id
            WHERE watches.account_id = ? AND first_readings.chosen_at IS NOT NULL
            """,
            account
        ) { row in
            guard let list = MetadataList(rawValue: row.text(1)) else { return }
            lists[WatchID(rawValue: row.int64(0)), default: [:]][list] = row.wallTime(2)
        }
        return lists
    }

    /// Lets the lists that tell of `kinds` begin anew, since the person does not want them any more: what happens until they do is never told.
    /// Those of kinds that they want only now, too: a watch begins with its approvals whether they are wanted or not, and of the others nothing
    /// is told that came before they wanted it, at `now`. Call it in the transaction that changes what they want.
    func forgetReadings(of kinds: Set<ActivityKind>, by account: AccountID, at now: WallTime) throws {
        for list in MetadataList.allCases where kinds.contains(list.kind) {
            try database.execute(
                """
                INSERT INTO first_readings (watch_id, list, chosen_at)
                    SELECT id, ?, ? FROM watches WHERE account_id = ?
                ON CONFLICT (watch_id, list) DO UPDATE SET read_at = NULL, chosen_at = excluded.chosen_at
                """,
                list.rawValue,
                now,
                account
            )
        }
    }

    /// Keeps what a reading came to; from the first on the list counts as read.
    func store(_ advance: MetadataListAdvance, of watch: WatchID, at now: WallTime) throws {
        try noteReading(of: advance.list, of: watch, at: now)
        switch advance {
        case .seenRows(let list, let ids): for id in ids { try insertSeenRow(id, list, of: watch, at: now) }
        case .pipelines(let known): try replacePipelines(known, of: watch)
        case .approvals(let known, _): for approval in known { try store(approval, of: watch) }
        }
    }

    /// Records the approvals that a watch begins with.
    func storeBaseline(_ approvals: [KnownApproval], of watch: WatchID, at now: WallTime) throws {
        try noteReading(of: .approvals, of: watch, at: now)
        for approval in approvals { try store(approval, of: watch) }
    }

    private func noteReading(of list: MetadataList, of watch: WatchID, at now: WallTime) throws {
        try database.execute(
            """
            INSERT INTO first_readings (watch_id, list, read_at) VALUES (?, ?, ?)
            ON CONFLICT (watch_id, list) DO UPDATE SET read_at = excluded.read_at, chosen_at = NULL
                WHERE first_readings.read_at IS NULL
            """,
            watch,
            list.rawValue,
            now
        )
    }

    private func insertSeenRow(_ id: Int64, _ list: MetadataList, of watch: WatchID, at now: WallTime) throws {
        try database.execute(
            "INSERT INTO seen_rows (watch_id, list, row_id, seen_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            watch,
            list.rawValue,
            id,
            now
        )
    }

    private func replacePipelines(_ known: [SeenPipeline], of watch: WatchID) throws {
        try database.execute("DELETE FROM seen_pipelines WHERE watch_id = ?", watch)
        for pipeline in known {
            try database.execute(
                "INSERT INTO seen_pipelines (watch_id, pipeline_id, status, updated_at, run) VALUES (?, ?, ?, ?, ?)",
                watch,
                pipeline.id,
                pipeline.status,
                pipeline.updatedAt,
                pipeline.run
            )
        }
    }

    private func store(_ approval: KnownApproval, of watch: WatchID) throws {
        try database.execute(
            "INSERT OR REPLACE INTO approvals (watch_id, person_id, is_listed, times) VALUES (?, ?, ?, ?)",
            watch,
            approval.person,
            approval.isListed,
            approval.times
        )
    }
}
