/// What is measured. Names, types, labels and meaning stand in the table ``MetricFamily/all``.
enum Metric: Int, CaseIterable, Sendable {
    // Polling.
    case todosFetched, notesFetched, activityFetched, eventsFetched, eventsMatched
    case pollDuration, pollLoopHeartbeat, watchedItemsPolled, looksShared, rowsHinted
    case todosFailures, notesFailures, activityFailures, eventsFailures
    case authFailures, sweeps, pollConsecutiveFailures, pollCycleDuration, pollInterval, clockOffset
    case accountsSetAside, instanceRequests, instanceWait, instanceNarrowed, quotaSpread

    // The outbox.
    case notificationsQueued, notificationsSent, notificationsBatched, notificationsDead
    case outboxDepth, outboxOldestAge, notificationDetection, notificationDelivery
    case factsSilenced
    case notificationsPulled, notificationsAcknowledged, signalsTaken, syncChanges
    case asksOpen, remindersDue, remindersNextDue, remindersSent, remindersHeld, dueRemindersSent, dutyRemindersSent

    // Delivery.
    case silentPushes
    case apnsAttempts, apnsSent, apnsReceived, apnsDeliveryRate, apnsRetries, apnsInvalidTokens, apnsPaused
    case deliveryAttemptDuration, deliveryCycleDuration

    // The whole.
    case activeUsers, watchedItems, httpRequests, httpRequestDuration
    case rowsPurged, backupLastSuccess, backupSize, backupFailures, secretsUnderOldKeys
    case databaseFailing, databaseFailures, databaseLastWrite
    case notifierInfo, notifierStart
}

/// One line of the table of metrics.
struct MetricFamily: Sendable {
    /// How values of several people become one when they are not told apart.
    enum Merging: String, Sendable {
        case sum, minimum, maximum
    }

    enum Kind: Sendable {
        /// Only grows; starts at zero with the process.
        case counter
        case gauge(Merging)
        /// Durations, counted by upper bound; `+Inf` is added.
        case histogram(bounds: [Duration])
    }

    struct Label: Sendable {
        let name: String
        /// Every value there is; empty when others decide (an error code, say), of which only so many are told apart.
        let values: [String]

        init(_ name: String, _ values: [String] = []) {
            self.name = name
            self.values = values
        }
    }

    let metric: Metric
    let name: String
    let kind: Kind
    let labels: [Label]
    /// Whether it is kept per person, and shown so when the configuration asks for it.
    let isPerPerson: Bool
    let help: String

    init(
        _ metric: Metric,
        _ name: String,
        _ kind: Kind,
        _ labels: [Label] = [],
        isPerPerson: Bool = true,
        help: String
    ) {
        self.metric = metric
        self.name = name
        self.kind = kind
        self.labels = labels
        self.isPerPerson = isPerPerson
        self.help = help
    }

    /// The whole table, in the order of the documentation.
    static let all = polling + outbox + delivery + operations

    /// The table by ``Metric``'s number.
    static let byNumber: [MetricFamily] = Metric.allCases.map { metric in
        guard let family = all.first(where: { $0.metric == metric }) else {
            preconditionFailure("every metric stands in the table")
        }
        return family
    }
}

extension Metric {
    var family: MetricFamily { MetricFamily.byNumber[rawValue] }
}
