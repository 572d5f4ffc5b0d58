/// The server as a whole.
extension MetricFamily {
    static let operations: [MetricFamily] = [
        .init(.activeUsers, "active_users", .gauge(.sum), isPerPerson: false, help: "People who are polled."),
        .init(.watchedItems, "watched_items", .gauge(.sum), help: "Items on watch lists."),
        .init(
            .httpRequests,
            "http_requests_total",
            .counter,
            [.init("route"), .init("status")],
            isPerPerson: false,
            help: "Requests to the REST API."
        ),
        .init(
            .httpRequestDuration,
            "http_request_duration_seconds",
            .histogram(bounds: quick),
            [.init("route")],
            isPerPerson: false,
            help: "Time to answer a request to the REST API."
        ),
        .init(
            .rowsPurged,
            "rows_purged_total",
            .counter,
            [.init("table")],
            isPerPerson: false,
            help: "Rows forgotten after their time, by table."
        ),
        .init(
            .backupLastSuccess,
            "backup_last_success_timestamp_seconds",
            .gauge(.maximum),
            isPerPerson: false,
            help: "When the newest verified backup was made; absent before the first."
        ),
        .init(
            .backupSize,
            "backup_size_bytes",
            .gauge(.maximum),
            isPerPerson: false,
            help: "Size of the newest verified backup."
        ),
        .init(
            .backupFailures,
            "backup_failures_total",
            .counter,
            isPerPerson: false,
            help: "Backups that failed or did not verify."
        ),
        .init(
            .secretsUnderOldKeys,
            "secrets_under_old_keys",
            .gauge(.sum),
            isPerPerson: false,
            help: "Rows still sealed with a key that is not the current one."
        ),
        .init(
            .databaseFailing,
            "database_failing",
            .gauge(.maximum),
            [storeReason],
            isPerPerson: false,
            help: "1 while the database takes nothing for that reason, or its file is damaged."
        ),
        .init(
            .databaseFailures,
            "database_failures_total",
            .counter,
            [storeReason],
            isPerPerson: false,
            help: "Pieces of work on the database that failed for a reason that lies with its file or disk."
        ),
        .init(
            .databaseLastWrite,
            "database_last_write_timestamp_seconds",
            .gauge(.maximum),
            isPerPerson: false,
            help: "When something was last written to the database; tried once a minute where nothing else is."
        ),
        .init(
            .notifierInfo,
            "notifier_info",
            .gauge(.maximum),
            [.init("version")],
            isPerPerson: false,
            help: "Always 1; the version stands in the label."
        ),
        .init(
            .notifierStart,
            "notifier_start_timestamp_seconds",
            .gauge(.maximum),
            isPerPerson: false,
            help: "When the process started."
        ),
    ]
    private static let storeReason = Label("reason", StoreHealth.Reason.allCases.map(\.rawValue))
}
