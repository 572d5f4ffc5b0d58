import SQLite

/// The part of a report that tells what programs said to people, and what became of what they asked. Programs, what they call things and
/// their runs have numbers of the report's own; no title stands in it.
enum IncidentSignals {
    private static let words = IncidentStory.list(Signal.Kind.allCases.map(\.rawValue))

    /// A key is `signal/`, the number of the token, the kind and the program's own name, which may hold slashes. Takes the number of rows
    /// at most, the newest first.
    static let query = SQL(
        text: """
            WITH said AS (
                SELECT account_id, fact_key, occurred_at, silenced, substr(fact_key, 8, instr(substr(fact_key, 8), '/') - 1) AS token,
                    substr(fact_key, 8 + instr(substr(fact_key, 8), '/')) AS rest
                FROM notified_facts WHERE fact_key LIKE 'signal/%' ORDER BY notified_at DESC, fact_key LIMIT ?
            ),
            named AS (
                SELECT *, substr(rest, 1, instr(rest, '/') - 1) AS word, substr(rest, instr(rest, '/') + 1) AS called FROM said
            )
            SELECT json_object('kind', 'signal', 'account', named.account_id, 'program', dense_rank() OVER (ORDER BY token),
                'of', iif(word IN (\(words)), word, 'other'),
                'name', dense_rank() OVER (ORDER BY named.account_id, token, called),
                'run', iif(run IS NULL, NULL, dense_rank() OVER (ORDER BY named.account_id, token, run)),
                'at', named.occurred_at, 'silenced', silenced, 'settledAt', settled_at, 'settledBy', settled_by,
                'mutedUntil', muted_until)
            FROM named LEFT JOIN asks ON asks.account_id = named.account_id AND ask_key = fact_key
                LEFT JOIN signal_tokens ON signal_tokens.id = CAST(token AS INTEGER)
            ORDER BY named.occurred_at, named.account_id, called
            """
    )
}
