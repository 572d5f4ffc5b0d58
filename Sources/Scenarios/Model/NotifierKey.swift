/// The keys of the notifier's configuration that a scenario may override; schema, check and documentation read this table.
package enum NotifierKey: String, Sendable, Hashable, CaseIterable {
    case changeDetection, sweepInterval, patrolInterval
    case intervalSmall, intervalMedium, intervalLarge, jitterPercent
    case backoffInitial, backoffMaximum, requestsPerHour, itemConcurrency, perPage, overlap, reconcileEvery
    case deliveryAttempts, retryDelays, leaseDuration, sendTimeout, requestTimeout, expiration
    case troubleAfter, apnsTopic, approvalsEvery, activities
    case tokenLifetime, refreshTokenLifetime, requestsPerMinute
    case tokenWarningDays, webhookPollsPerMinute

    /// What a value looks like.
    package enum Value: Sendable, Equatable {
        case duration
        case durations
        case integer(ClosedRange<Int64>)
        case text
        case choice([String])
    }

    /// The shape of the key's value, and its range as far as a schema can say it.
    package var value: Value {
        switch self {
        case .changeDetection: .choice(["perItem", "sweep"])
        case .sweepInterval, .patrolInterval,
            .intervalSmall, .intervalMedium, .intervalLarge, .backoffInitial, .backoffMaximum, .overlap,
            .reconcileEvery,
            .leaseDuration, .sendTimeout, .requestTimeout, .expiration, .troubleAfter, .approvalsEvery, .tokenLifetime,
            .refreshTokenLifetime:
            .duration
        case .retryDelays: .durations
        case .jitterPercent: .integer(0...50)
        case .requestsPerHour, .requestsPerMinute: .integer(1...1_000_000)
        case .itemConcurrency: .integer(1...100)
        case .perPage: .integer(1...100)
        case .deliveryAttempts: .integer(1...20)
        case .apnsTopic, .activities: .text
        case .tokenWarningDays: .integer(2...60)
        case .webhookPollsPerMinute: .integer(0...60)
        }
    }

    /// One line for documentation and editors.
    package var summary: String {
        switch self {
        case .changeDetection: "Whether every item is read in every poll, or sweeps tell which."
        case .sweepInterval: "Time between two sweeps."
        case .patrolInterval: "Time within which sweeps look at everything, moved or not."
        case .intervalSmall: "Poll interval for 1–20 watched items."
        case .intervalMedium: "Poll interval for 21–50 watched items."
        case .intervalLarge: "Poll interval for more than 50 watched items."
        case .jitterPercent: "How far an interval may be varied, in per cent."
        case .backoffInitial: "First wait after a failed poll."
        case .backoffMaximum: "Longest wait between failed polls; a Retry-After may exceed it."
        case .requestsPerHour: "Budget of GitLab requests per account."
        case .itemConcurrency: "Items of one person that are read at the same time."
        case .perPage: "Rows asked for per page."
        case .overlap: "How far each scan reads back behind what it knows."
        case .reconcileEvery: "How often everything is read again in full."
        case .deliveryAttempts: "Attempts after which the refusal of a token that was registered since ends a delivery."
        case .retryDelays: "Waits before the second, third, … attempt; the last one repeats."
        case .leaseDuration: "How long a claimed delivery belongs to its worker."
        case .sendTimeout: "How long an answer of APNs is waited for."
        case .requestTimeout: "How long an answer of GitLab is waited for."
        case .expiration: "How long news is worth delivering."
        case .troubleAfter: "How long GitLab must have failed before people are told."
        case .approvalsEvery: "How often the approvals of a merge request are compared with the system notes."
        case .activities: "Kinds of activity told to who watches an item, by name, separated by spaces."
        case .tokenWarningDays: "How many days ahead a person is warned of their token's end."
        case .webhookPollsPerMinute: "Polls out of turn that webhooks may cause per person; 0 for none."
        case .apnsTopic: "Bundle id of the app, sent as apns-topic."
        case .tokenLifetime: "How long an access token of the REST API is valid."
        case .refreshTokenLifetime: "How long after its last refresh a session can be refreshed."
        case .requestsPerMinute: "Requests to the REST API that one address may send in a minute."
        }
    }
}
