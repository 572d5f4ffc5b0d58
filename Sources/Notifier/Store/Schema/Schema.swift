import SQLite

/// The schema as the list of steps that lead to it. A step that has shipped is never edited: changes are further steps.
///
/// Times are microseconds since 1970 from the injected wall clock. Secrets are sealed before they come here.
enum Schema {
    /// From version 1 upwards.
    static let migrations = [
        Migration(version: 1, sql: SQL(text: version1)),
        Migration(version: 2, sql: SQL(text: version2)),
    ]
}
