/// One requirement: a metric, what it is compared with, and which part of the run it judges.
package struct Gate: Sendable, Equatable {
    package var metric: Metric
    package var comparison: Comparison
    /// With it the gate judges what is proven at that confidence; without it what was observed.
    package var confidence: Ratio?
    package var window: Window
    /// Only activities of that kind; nil for all.
    package var kind: ActionKind?
    /// Only notifications for that person; nil for all.
    package var person: Username?

    package init(
        metric: Metric,
        comparison: Comparison,
        confidence: Ratio? = nil,
        window: Window = .whole,
        kind: ActionKind? = nil,
        person: Username? = nil
    ) {
        self.metric = metric
        self.comparison = comparison
        self.confidence = confidence
        self.window = window
        self.kind = kind
        self.person = person
    }
}

/// What a gate measures, by its key in the file.
package enum Metric: String, Sendable, Hashable, CaseIterable {
    case delivery, known, displayed, accepted
    case expected, missed, duplicates, unexpected
    case latencyP50 = "latency.p50"
    case latencyP90 = "latency.p90"
    case latencyP95 = "latency.p95"
    case latencyP99 = "latency.p99"
    case latencyMax = "latency.max"
    case excessLatencyP50 = "excessLatency.p50"
    case excessLatencyP90 = "excessLatency.p90"
    case excessLatencyP95 = "excessLatency.p95"
    case excessLatencyP99 = "excessLatency.p99"
    case excessLatencyMax = "excessLatency.max"
    case drained
    case remindersExpected = "reminders.expected"
    case remindersMissed = "reminders.missed"
    case remindersLate = "reminders.late"
    case remindersUnexpected = "reminders.unexpected"
    case unread
    case requestsGitLab = "requests.gitlab"
    case requestsAPNs = "requests.apns"
    case requestsPerHourGitLab = "requestsPerHour.gitlab"
    case requestsPerHourAPNs = "requestsPerHour.apns"

    /// What the bound of a comparison is written in.
    package enum Unit: String, Sendable, CaseIterable { case ratio, count, duration }

    /// The unit of what is observed; the reader refuses a bound in another one.
    package var unit: Unit {
        switch self {
        case .delivery, .known, .displayed, .accepted: .ratio
        case .expected, .missed, .duplicates, .unexpected, .requestsGitLab, .requestsAPNs, .requestsPerHourGitLab,
            .requestsPerHourAPNs, .remindersExpected, .remindersMissed, .remindersLate, .remindersUnexpected,
            .unread:
            .count
        case .latencyP50, .latencyP90, .latencyP95, .latencyP99, .latencyMax, .excessLatencyP50, .excessLatencyP90,
            .excessLatencyP95, .excessLatencyP99, .excessLatencyMax, .drained:
            .duration
        }
    }

    /// One line for documentation and editors.
    var summary: String {
        switch self {
        case .delivery:
            "Share of expected notifications known to the person: displayed, or caught up with after being offline."
        case .known: "The same as delivery, named for a gate that stands beside displayed and accepted."
        case .displayed: "Share of expected notifications that a device displayed, by push or by its app."
        case .accepted: "Share of expected notifications that APNs accepted."
        case .expected: "Number of expected notifications, so that a gate cannot pass on too few."
        case .missed: "Number of expected notifications that never became known to the person."
        case .duplicates: "Number of notifications displayed again on a device that already showed them."
        case .unexpected: "Number of notifications displayed without being expected."
        case .latencyP50: "Median time from activity to first display."
        case .latencyP90: "90 of 100 were displayed within this time."
        case .latencyP95: "95 of 100 were displayed within this time."
        case .latencyP99: "99 of 100 were displayed within this time."
        case .latencyMax: "Longest time from activity to first display."
        case .excessLatencyP50: "Median time from the first moment the activity could be read to first display."
        case .excessLatencyP90: "The same for 90 of 100."
        case .excessLatencyP95: "The same for 95 of 100."
        case .excessLatencyP99: "The same for 99 of 100."
        case .excessLatencyMax: "The longest such time."
        case .drained: "Time from the end of the last fault until everything that happened before it is delivered."
        case .remindersExpected: "Number of reminders that were due for certain, so that a gate cannot pass on too few."
        case .remindersMissed: "Number of them that APNs never accepted."
        case .remindersLate:
            "Number of them that APNs accepted three minutes or more after they were due and could be sent."
        case .remindersUnexpected:
            "Number of reminders that were wrong: of nothing, too early, twice, in quiet hours, or after it was settled."
        case .unread: "Number of times a device showed, or was told by a push, a wrong number of unread notifications."
        case .requestsGitLab: "Requests the notifier sent to GitLab."
        case .requestsAPNs: "Requests the notifier sent to APNs."
        case .requestsPerHourGitLab: "Most requests to GitLab in any hour, for one person."
        case .requestsPerHourAPNs: "Most requests to APNs in any hour."
        }
    }
}

/// A relation and the bound it relates to, as in `<= 2m`.
package struct Comparison: Sendable, Equatable {
    /// How the observed value must stand to the bound.
    package enum Relation: String, Sendable, CaseIterable {
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
        case equal = "="
    }

    /// What it is compared with, in the metric's unit.
    package enum Bound: Sendable, Equatable {
        case ratio(Ratio)
        case count(Int64)
        case duration(Duration)
    }

    package var relation: Relation
    package var bound: Bound

    package init(_ relation: Relation, _ bound: Bound) {
        self.relation = relation
        self.bound = bound
    }
}

/// Which activities a gate looks at, by when they happened.
package enum Window: Sendable, Equatable {
    case whole
    /// While any fault of that name lasted.
    case during(EntryID)
    /// After the last fault of that name had ended.
    case after(EntryID)
}
