import Platform
package import SQLite

/// What a person says they missed: who, on what item, and when. In an incident report it stands by numbers alone.
package struct MissedReport: Sendable, Equatable {
    /// As the command line takes it.
    package static let example = "@maria,team/backend!847,2026-03-02T14:10:00Z"

    private var person: String
    private var project: String
    private var kind: ItemKind
    private var iid: Int64
    private var at: WallTime

    /// Nil unless `text` is a person, an item in GitLab's notation and an instant, with a comma between each.
    package init?(_ text: String) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, words[0].hasPrefix("@"), words[0].count > 1, Self.saysZone(words[2]),
            let at = ISO8601.wallTime(words[2]),
            let sign = words[1].lastIndex(where: { $0 == "!" || $0 == "#" }), sign > words[1].startIndex,
            let iid = Int64(words[1][words[1].index(after: sign)...]), iid > 0
        else { return nil }
        person = String(words[0].dropFirst())
        project = String(words[1][..<sign])
        kind = words[1][sign] == "!" ? .mergeRequest : .issue
        self.iid = iid
        self.at = at
    }

    /// GitLab leaves none out; a person may, and means their own.
    private static func saysZone(_ instant: String) -> Bool {
        guard let time = instant.lastIndex(of: "T") else { return false }
        return instant.hasSuffix("Z") || instant[time...].contains { $0 == "+" || $0 == "-" }
    }

    /// A line of JSON without the names; nil where the database knows no such person, or no such item.
    ///
    /// - Throws: `SQLiteError`.
    package func line(in database: Database) throws -> String? {
        try database.first(
            SQL(
                text: """
                    WITH \(IncidentStory.items)
                    SELECT json_object('kind', 'report', 'account', accounts.id, 'item', items.number, 'at', ?)
                    FROM items JOIN accounts ON accounts.username = ? COLLATE NOCASE
                    WHERE items.item_kind = ? AND items.item_iid = ? AND items.project_id IN (
                        SELECT project_id FROM watches WHERE project_path = ? COLLATE NOCASE
                        UNION SELECT project_id FROM item_choices WHERE project_path = ? COLLATE NOCASE
                    )
                    ORDER BY accounts.id LIMIT 1
                    """
            ),
            at.microseconds,
            person,
            kind,
            iid,
            project,
            project
        ) { $0.text(0) }
    }
}
