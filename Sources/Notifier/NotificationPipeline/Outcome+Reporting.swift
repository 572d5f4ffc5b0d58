import Platform

/// What became of facts, for who follows the log and the metrics.
extension NotificationPipeline.Outcome {
    /// Writes an entry for each fact that is told and each notification, and one for each reason why others are not.
    func write(to log: Log, _ account: Log.Field) {
        for fact in ruleOutcome.notified {
            log.write(
                .factNotified,
                [
                    account, ("fact.key", .text(fact.key.text)), ("fact.action", .text(fact.action.code)),
                    ("fact.source", .text(fact.source.rawValue)),
                ]
            )
        }
        for (enqueued, facts) in notifications {
            log.write(
                .notificationQueued,
                [
                    account, ("notification.id", .text(enqueued.publicID)), ("fact.count", .count(facts.count)),
                    ("facts", .text(Self.keys(facts.map(\.key)))),
                    ("deliveries", .count(enqueued.deliveries)),
                ]
            )
        }
        if merge.mergedCount > 0 { log.write(.factMerged, [account, ("fact.count", .count(merge.mergedCount))]) }
        if merge.correlatedCount > 0 {
            log.write(.factCorrelated, [account, ("fact.count", .count(merge.correlatedCount))])
        }
        for suppression in Candidate.SuppressionReason.allCases {
            suppression.report(keys(suppressedFor: suppression), to: log, account)
        }
        Self.write(.factHeld, ruleOutcome.held.map(\.key), to: log, account)
    }

    private func keys(suppressedFor reason: Candidate.SuppressionReason) -> [FactKey] {
        merge.suppressed[reason, default: []] + ruleOutcome.suppressed[reason, default: []]
    }

    fileprivate static func write(_ message: LogMessage, _ keys: [FactKey], to log: Log, _ account: Log.Field) {
        guard !keys.isEmpty else { return }
        log.write(message, [account, ("fact.count", .count(keys.count)), ("facts", .text(Self.keys(keys)))])
    }

    private static func keys(_ keys: [FactKey]) -> String { keys.map(\.text).joined(separator: ",") }

    /// Counts the notifications, and how long after they happened their facts were found.
    func measure(in metrics: MetricsRegistry, of account: AccountID, at now: WallTime) {
        for reason in Candidate.SuppressionReason.allCases {
            let count = keys(suppressedFor: reason).count
            if count > 0 { metrics.count(.factsSilenced, count, [reason.rawValue], of: account) }
        }
        for (_, facts) in notifications {
            metrics.count(.notificationsQueued, 1, [facts.first?.source.rawValue ?? MetricsRegistry.other], of: account)
            if facts.count > 1 { metrics.count(.notificationsBatched, of: account) }
            for fact in facts {
                metrics.observe(.notificationDetection, fact.occurredAt.duration(to: now), of: account)
            }
        }
    }
}

extension Candidate.SuppressionReason {
    /// Writes the entry for facts that are told to nobody for this reason; none of no facts.
    func report(_ keys: [FactKey], to log: Log, _ account: Log.Field) {
        NotificationPipeline.Outcome.write(message, keys, to: log, account)
    }
}
