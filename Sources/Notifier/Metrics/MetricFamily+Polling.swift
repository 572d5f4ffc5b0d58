/// How GitLab is read.
extension MetricFamily {
    /// Bounds for what takes milliseconds to a minute.
    static let quick: [Duration] = [
        .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1),
        .milliseconds(2_500),
        .seconds(5), .seconds(10), .seconds(30), .seconds(60),
    ]

    /// Bounds for what takes seconds to an hour, with the limits that the notifier is held to (90, 120 and 300 seconds) among them.
    static let slow: [Duration] = [
        .seconds(1), .seconds(5), .seconds(15), .seconds(30), .seconds(60), .seconds(90), .seconds(120), .seconds(180),
        .seconds(300), .seconds(600), .seconds(1_800), .seconds(3_600),
    ]

    static let polling: [MetricFamily] = [
        .init(.todosFetched, "gitlab_todos_fetched_total", .counter, help: "To-dos that a poll found new."),
        .init(
            .notesFetched,
            "gitlab_notes_fetched_total",
            .counter,
            help: "Notes of watched items that a poll found new."
        ),
        .init(
            .activityFetched,
            "gitlab_activity_fetched_total",
            .counter,
            help: "State events and the like of watched items that a poll found new."
        ),
        .init(
            .eventsFetched,
            "gitlab_events_fetched_total",
            .counter,
            help: "Rows of project events, the last resort, that a poll found new."
        ),
        .init(
            .eventsMatched,
            "gitlab_events_matched_total",
            .counter,
            help: "Of these, the rows that belong to a watched item."
        ),
        .init(
            .pollDuration,
            "gitlab_poll_duration_seconds",
            .histogram(bounds: quick),
            [.init("source", ["todos", "notes", "activity", "events"])],
            help: "Time to read one list, all its pages."
        ),
        .init(
            .pollLoopHeartbeat,
            "poll_loop_heartbeat_timestamp_seconds",
            .gauge(.minimum),
            help:
                "When the last cycle or probe of a person who is polled began; of several people the one that waits longest."
        ),
        .init(.watchedItemsPolled, "watched_items_polled_total", .counter, help: "Readings of one watched item."),
        .init(
            .looksShared,
            "looks_shared_total",
            .counter,
            help:
                "Readings of one watched item that were spared, since another person's showed that nothing had changed."
        ),
        .init(
            .rowsHinted,
            "rows_hinted_total",
            .counter,
            help:
                "Changes of watched items that are read since another person's sweep showed them, without one of one's own."
        ),
        .init(
            .todosFailures,
            "gitlab_todos_failures_total",
            .counter,
            [.init("error_type")],
            help: "Failed readings of the to-dos."
        ),
        .init(
            .notesFailures,
            "gitlab_notes_failures_total",
            .counter,
            [.init("error_type")],
            help: "Failed readings of notes."
        ),
        .init(
            .activityFailures,
            "gitlab_activity_failures_total",
            .counter,
            [.init("error_type")],
            help: "Failed readings of state events and the like."
        ),
        .init(
            .eventsFailures,
            "gitlab_events_failures_total",
            .counter,
            [.init("error_type")],
            help: "Failed readings of project events."
        ),
        .init(
            .authFailures,
            "gitlab_auth_failures_total",
            .counter,
            help: "Answers of 401 to a person whose token worked before."
        ),
        .init(
            .sweeps,
            "gitlab_sweeps_total",
            .counter,
            [.init("outcome", ["changed", "unchanged", "failed", "shared"])],
            help: "Requests that ask for the changes of many items at once; shared: those that others' made needless."
        ),
        .init(
            .pollConsecutiveFailures,
            "poll_consecutive_failures",
            .gauge(.maximum),
            help: "Cycles and probes in a row that GitLab did not answer; 0 after one that it did."
        ),
        .init(
            .pollCycleDuration,
            "poll_cycle_duration_seconds",
            .histogram(bounds: slow),
            help: "Time of one full cycle of a person."
        ),
        .init(
            .pollInterval,
            "poll_interval_seconds",
            .gauge(.maximum),
            help: "Time from the start of the last cycle or probe to the next, backoff included."
        ),
        .init(
            .clockOffset,
            "gitlab_clock_offset_seconds",
            .gauge(.maximum),
            help: "How far this machine's clock and GitLab's were apart at the last answer; the most of all people's."
        ),
        .init(
            .accountsSetAside,
            "poll_accounts_set_aside",
            .gauge(.sum),
            help: "People whose GitLab is read ever more seldom, since the process died twice while it was."
        ),
        .init(
            .instanceRequests,
            "gitlab_requests_total",
            .counter,
            [.init("list"), .init("reason"), .init("answer")],
            isPerPerson: false,
            help: "Requests that were sent to GitLab, by what was asked for, why, and whether there was anything new."
        ),
        .init(
            .instanceWait,
            "gitlab_request_wait_seconds",
            .histogram(bounds: quick),
            [.init("urgency", ["person", "news", "rounds"])],
            help: "How long requests waited that could not go to GitLab at once, over all people."
        ),
        .init(
            .instanceNarrowed,
            "gitlab_requests_narrowed",
            .gauge(.maximum),
            help:
                "1 while a GitLab is asked for less than is configured, since it limits several people or has become slow."
        ),
        .init(
            .quotaSpread,
            "gitlab_quota_spread_total",
            .counter,
            help:
                "Cycles after which the next comes later, so that what GitLab says it still answers lasts until its reset."
        ),
    ]
}
