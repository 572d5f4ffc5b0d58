import Platform
import SQLite

/// What the clocks of time zones showed. The name of a zone would say where somebody lives; that stands in no report.
struct IncidentClocks {
    /// So many days before the report are told of: as long as the record of requests reaches back.
    private static let days = 14

    let zones: any TimeZoneSource
    /// When the report is made.
    let now: WallTime

    /// For each clock by how many minutes it was ahead of UTC: now, a day ago, and so on.
    ///
    /// - Parameters:
    ///   - owner: what the clock is of.
    ///   - query: numbers of such, and the names of their zones; takes the number of rows at most.
    ///   - database: where they are.
    ///   - limit: that number.
    /// - Returns: lines of JSON.
    /// - Throws: `SQLiteError`.
    func lines(_ owner: String, _ query: SQL, of database: Database, _ limit: Int) throws -> [String] {
        let owners = try database.rows(query, limit) { (number: $0.int64(0), zone: $0.text(1)) }
        return try owners.compactMap { number, name in
            let zone = TimeZone(name, from: zones) ?? .utc
            let minutes = (0..<Self.days).map { zone.offset(at: now.advanced(by: .zero - .days($0))) / 60 }
            return try database.first(
                "SELECT json_object('kind', 'clock', ?, ?, 'minutesAhead', json(?))",
                owner,
                number,
                "[\(minutes.map(String.init).joined(separator: ","))]"
            ) { $0.text(0) }
        }
    }
}
