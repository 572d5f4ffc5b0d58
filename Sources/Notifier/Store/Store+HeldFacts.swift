import Platform
import SQLite

extension Store {
    /// Keeps a fact for the next digest. Call it in the transaction that records the fact as told.
    func insertHeldFact(_ fact: HeldFact, of account: AccountID, at now: WallTime) throws {
        try database.execute(
            """
            INSERT INTO held_facts (
                account_id, fact_key, action, actor_id, actor_name, project_id, item_kind, item_iid, item_title,
                project_path, web_url, duty, occurred_at, held_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            account,
            fact.key,
            fact.action.code,
            fact.actorID,
            fact.actorName,
            fact.item?.project,
            fact.item?.kind,
            fact.item?.iid,
            fact.itemTitle,
            fact.projectPath,
            fact.webURL,
            fact.duty,
            fact.occurredAt,
            now
        )
    }

    /// Accounts for which something is held.
    func accountsWithHeldFacts() throws -> [AccountID] {
        try database.rows("SELECT DISTINCT account_id FROM held_facts ORDER BY account_id") {
            AccountID(rawValue: $0.int64(0))
        }
    }

    /// An account's held facts, the first held first, at most `limit`.
    func heldFacts(of account: AccountID, limit: Int) throws -> [HeldFact] {
        try database.rows(
            """
            SELECT fact_key, action, actor_id, actor_name, project_id, item_kind, item_iid, item_title, project_path,
                web_url, duty, occurred_at
            FROM held_facts WHERE account_id = ? ORDER BY id LIMIT ?
            """,
            account,
            limit
        ) { row in
            HeldFact(
                key: row.text(0),
                action: Action(code: row.text(1)),
                actorID: row.int64(2),
                actorName: row.text(3),
                item: Self.item(row.optionalInt64(4), row.optionalText(5), row.optionalInt64(6)),
                itemTitle: row.text(7),
                projectPath: row.optionalText(8),
                webURL: row.optionalText(9),
                duty: row.optionalText(10),
                occurredAt: row.wallTime(11)
            )
        }
    }

    private static func item(_ project: Int64?, _ kind: String?, _ iid: Int64?) -> ItemReference? {
        guard let project, let kind = kind.flatMap(ItemKind.init(rawValue:)), let iid else { return nil }
        return ItemReference(project: ProjectID(rawValue: project), kind: kind, iid: iid)
    }

    /// Whether a fact waits for the next digest.
    func isHeld(_ key: FactKey, of account: AccountID) throws -> Bool {
        try database.first(
            "SELECT EXISTS (SELECT 1 FROM held_facts WHERE account_id = ? AND fact_key = ?)",
            account,
            key.text
        ) { $0.bool(0) } ?? false
    }

    /// Forgets held facts. Call it in the transaction that tells them.
    func deleteHeldFacts(_ keys: [String], of account: AccountID) throws {
        for key in keys {
            try database.execute("DELETE FROM held_facts WHERE account_id = ? AND fact_key = ?", account, key)
        }
    }
}
