import Platform
import Scenarios
import Verdict

/// Which of the notifier's log messages tell that a path was taken. The messages are part of its documented interface; what they
/// claim is never taken as proof of a delivery.
struct ProbeTable {
    /// Accounts whose poller has started before: the next start is a resumption.
    private var startedAccounts: Set<Int64> = []
    /// True once a provider token was made: the next one is a renewal.
    private var hasToken = false

    private static let plain: [String: Probe] = [
        "watch.added": .baseline,
        "subscription.changed": .subscriptionFollowed,
        "fact.merged": .mentionMerged,
        "fact.own_action": .ownActionFiltered,
        "fact.correlated": .feedMerged,
        "capability.version_changed": .upgradeNoticed,
        "fallback.began": .fallbackBegan,
        "fallback.ended": .fallbackEnded,
        "fact.muted": .muted,
        "fact.muted_duty": .dutyMuted,
        "fact.denied_actor": .actorDenied,
        "fact.held": .heldInQuietHours,
        "fact.dismissed": .dismissed,
        "watch.auto_added": .autoWatched,
        "watch.followed": .moveFollowed,
        "digest.queued": .digestSent,
        "scan.page_followed": .paginationFollowed,
        "scan.late_row": .lateRowFound,
        "sweep.changed": .sweepFoundChange,
        "sweep.hot_found": .hotItemFound,
        "look.shared_found": .sharedLookFound,
        "look.woke": .wokenByLook,
        "budget.waited": .budgetWaited,
        "quota.spread": .quotaSpread,
        "instance.waited": .instanceWaited,
        "instance.narrowed": .instanceNarrowed,
        "poll.rate_limited": .gitlab429Honoured,
        "poll.failed": .gitlabBackoff,
        "poll.probe": .gitlabOutageDetected,
        "poll.recovered": .recoveredAfterOutage,
        "service.trouble": .serviceTroublePush,
        "auth.expired": .authExpiredPush,
        "auth.expiring": .tokenExpiringPush,
        "poll.named": .webhookPolled,
        "grant.renewed": .grantRenewed,
        "grant.ended": .grantEnded,
        "grant.renewal_failed": .grantRenewalFailed,
        "delivery.retry": .apnsRetried,
        "delivery.unknown": .apnsUnknownOutcome,
        "delivery.lease_reclaimed": .leaseReclaimed,
        "device.deactivated": .apns410Deactivated,
        "device.held": .deviceHeld,
        "device.revived": .deviceRevived,
        "token.reused": .providerTokenReused,
        "device.paired": .devicePaired,
        "device.removed": .deviceRemoved,
        "device.unregistered": .pushesStopped,
        "receipt.recorded": .receipt,
        "store.failing": .storeFailed,
        "store.damaged": .storeFailed,
        "store.recovered": .storeRecovered,
        "backup.made": .backupMade,
        "reminder.queued": .reminderSent,
        "reminder.held": .reminderHeld,
        "due.queued": .dueReminder,
        "ask.settled": .askSettled,
        "ask.postponed": .askPostponed,
    ]

    /// The probe a log entry stands for; nil for most.
    mutating func probe(of record: LogRecord) -> Probe? {
        let message = record.message
        switch message {
        case "fact.notified": return Self.probe(ofFact: record)
        case "signal.taken":
            return switch record.text("signal.result") {
            case "repeated": .signalRepeated
            case "late": .signalLate
            default: .signalTaken
            }
        case "notification.queued": return (record.number("fact.count") ?? 0) > 1 ? .batched : nil
        case "poll.pace":
            guard let interval = record.number("poll.interval_ms"), let base = record.number("poll.base_ms") else {
                return nil
            }
            return interval > base ? .intervalAdapted : nil
        case "poll.started":
            guard let account = record.number("account.id") else { return nil }
            return startedAccounts.insert(account).inserted ? nil : .restartResumed
        case "token.renewed":
            defer { hasToken = true }
            return hasToken ? .providerTokenRenewed : nil
        default: return Self.plain[message]
        }
    }

    private static func probe(ofFact record: LogRecord) -> Probe? {
        if record.text("fact.key")?.hasPrefix("state/") == true { return .stateEvent }
        if record.text("fact.source") == "event" { return .feedFact }
        if record.text("fact.key")?.hasPrefix("approval/") == true { return .approvalListed }
        switch record.text("fact.action") {
        case "approved": return .approvalNote
        case "pipeline_succeeded", "pipeline_failed": return .pipelineEnd
        case "labels_changed", "milestone_changed", "assignees_changed", "reviewers_changed": return .metadataChange
        default: return nil
        }
    }
}
