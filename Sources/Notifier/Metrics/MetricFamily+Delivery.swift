/// What waits, and what became of it.
extension MetricFamily {
    static let outbox: [MetricFamily] = [
        .init(
            .notificationsQueued,
            "notifications_queued_total",
            .counter,
            [.init("source", ["todo", "note", "activity", "event", "signal", "duty", "digest", "service"])],
            help:
                "Notifications put into the outbox, by the kind of their first event; service is news about the notifier itself."
        ),
        .init(
            .notificationsSent,
            "notifications_sent_total",
            .counter,
            [.init("source", ["todo", "note", "activity", "event", "signal", "duty", "digest", "service"])],
            help: "Notifications that a first device got accepted."
        ),
        .init(
            .notificationsBatched,
            "notifications_batched_total",
            .counter,
            help: "Notifications about several events."
        ),
        .init(
            .notificationsDead,
            "notifications_dead_total",
            .counter,
            [.init("reason")],
            help: "Deliveries that were given up, by reason."
        ),
        .init(
            .outboxDepth,
            "outbox_depth",
            .gauge(.sum),
            [.init("status", ["queued", "sending", "dead"])],
            help: "Deliveries by state; what is not due yet is not queued."
        ),
        .init(
            .outboxOldestAge,
            "outbox_oldest_age_seconds",
            .gauge(.maximum),
            help: "Age since it was due of the oldest notification that waits for an active device; 0 when none does."
        ),
        .init(
            .notificationDetection,
            "notification_detection_seconds",
            .histogram(bounds: slow),
            help: "From the event, by GitLab's clock, until its notification stood in the outbox."
        ),
        .init(
            .notificationDelivery,
            "notification_delivery_seconds",
            .histogram(bounds: slow),
            help: "From the outbox until APNs accepted the notification for a device."
        ),
        .init(
            .notificationsPulled,
            "notifications_pulled_total",
            .counter,
            help: "Notifications given to apps that asked for what is new, to each app for itself."
        ),
        .init(
            .syncChanges,
            "sync_changes_total",
            .counter,
            [.init("outcome")],
            isPerPerson: false,
            help: "Changes in the envelopes of devices: applied, conflict where another device chose, too, and refused."
        ),
        .init(
            .silentPushes,
            "silent_pushes_total",
            .counter,
            [.init("outcome", ["accepted", "rejected", "not_sent", "unknown"])],
            help: "Pushes that let a device fetch what was changed on another one, by outcome; none is a delivery."
        ),
        .init(
            .notificationsAcknowledged,
            "notifications_acknowledged_total",
            .counter,
            help: "Notifications that apps said they have, each app for itself."
        ),
        .init(
            .asksOpen,
            "asks_open",
            .gauge(.sum),
            help: "What people are waited for: reviews, approvals and answers that nobody has dealt with yet."
        ),
        .init(
            .remindersDue,
            "reminders_due",
            .gauge(.sum),
            help:
                "Reminders whose time has come and that were not sent yet, those included that are put off while nobody"
                + " knows whether it was dealt with."
        ),
        .init(
            .remindersNextDue,
            "reminders_next_due_timestamp_seconds",
            .gauge(.minimum),
            isPerPerson: false,
            help: "When the next reminder of an ask or a duty is due, or was; absent while none waits."
        ),
        .init(
            .remindersSent,
            "reminders_sent_total",
            .counter,
            [.init("step", ["1", "2"])],
            help: "Reminders put into the outbox that somebody still waits."
        ),
        .init(
            .factsSilenced,
            "facts_silenced_total",
            .counter,
            [.init("reason", Candidate.SuppressionReason.allCases.map(\.rawValue))],
            help: "News that was found and is told to nobody, by why: muted, say, or done by the person themselves."
        ),
        .init(
            .remindersHeld,
            "reminders_held_total",
            .counter,
            help: "Reminders put off because nobody knew whether it was dealt with: GitLab could not be read, or one"
                + " reading had left it out."
        ),
        .init(
            .dueRemindersSent,
            "due_reminders_sent_total",
            .counter,
            [.init("step", ["ahead", "overdue"])],
            help: "Reminders put into the outbox of a day by which something is due, ahead of it and after it."
        ),
        .init(
            .dutyRemindersSent,
            "duty_reminders_sent_total",
            .counter,
            [.init("step", ["ahead", "due"])],
            help: "What was put into the outbox of turns of duties by the clock: ahead of them, and that they are due."
        ),
        .init(
            .signalsTaken,
            "signals_total",
            .counter,
            [
                .init("kind", ["approval_needed", "run_completed", "run_failed", "settled"]),
                .init("result", ["told", "held", "silenced", "settled", "late", "repeated", "refused"]),
            ],
            help:
                "What programs said, by what became of it; late is an approval that was settled before it was asked for."
        ),
    ]
}

/// What APNs is asked and what it says.
extension MetricFamily {
    static let delivery: [MetricFamily] = [
        .init(
            .apnsAttempts,
            "apns_attempts_total",
            .counter,
            [.init("outcome", ["accepted", "rejected", "not_sent", "unknown"])],
            help: "Pushes sent, by what became of them."
        ),
        .init(.apnsSent, "apns_sent_total", .counter, help: "Deliveries that APNs accepted."),
        .init(
            .apnsReceived,
            "apns_received_total",
            .counter,
            help: "Receipts of devices for a notification: a lower bound."
        ),
        .init(
            .apnsDeliveryRate,
            "apns_delivery_rate",
            .gauge(.minimum),
            help: "Receipts over accepted deliveries since the start; absent before the first."
        ),
        .init(.apnsRetries, "apns_retries_total", .counter, help: "Deliveries put back to be sent again."),
        .init(
            .apnsInvalidTokens,
            "apns_invalid_tokens_total",
            .counter,
            help: "Device tokens that APNs refused for good, or that are held for it."
        ),
        .init(
            .apnsPaused,
            "apns_paused",
            .gauge(.maximum),
            [.init("environment", ["production", "sandbox"])],
            isPerPerson: false,
            help: "1 while pushes to an environment of APNs are held back."
        ),
        .init(
            .deliveryAttemptDuration,
            "delivery_attempt_duration_seconds",
            .histogram(bounds: quick),
            help: "Time until APNs answered, or was not waited for any more."
        ),
        .init(
            .deliveryCycleDuration,
            "delivery_cycle_duration_seconds",
            .histogram(bounds: quick),
            isPerPerson: false,
            help: "Time of one look at the outbox."
        ),
    ]
}
