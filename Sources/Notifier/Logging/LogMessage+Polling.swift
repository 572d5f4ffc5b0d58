import Platform

/// What the polling half tells. Texts never change meaning: the workbench and alerts listen to them. Entries name
/// `account.id`, and `watch.id` where one item is meant.
extension LogMessage {
    // When is polled.
    static let pollInterval = LogMessage(.debug, "poll.interval")
    static let pollNamed = LogMessage(.info, "poll.named")
    static let pollCycle = LogMessage(.debug, "poll.cycle")
    static let pollPace = LogMessage(.info, "poll.pace")
    static let pollRecovered = LogMessage(.info, "poll.recovered")
    static let pollProbe = LogMessage(.info, "poll.probe")
    static let pollRateLimited = LogMessage(.notice, "poll.rate_limited")
    static let pollFailed = LogMessage(.notice, "poll.failed")
    static let pollGivenUp = LogMessage(.notice, "poll.given_up")
    static let pollRefused = LogMessage(.warning, "poll.refused")
    static let budgetWaited = LogMessage(.info, "budget.waited")
    static let quotaSpread = LogMessage(.info, "quota.spread")
    static let instanceWaited = LogMessage(.info, "instance.waited")
    static let instanceNarrowed = LogMessage(.warning, "instance.narrowed")
    static let instanceWidened = LogMessage(.info, "instance.widened")
    static let pollStoreFailed = LogMessage(.error, "poll.store_failed", comesWithStore: true)
    static let clockDiffers = LogMessage(.warning, "clock.differs")
    static let clockAgrees = LogMessage(.notice, "clock.agrees")
    static let pollInterrupted = LogMessage(.notice, "poll.interrupted")
    static let pollSetAside = LogMessage(.error, "poll.set_aside")
    static let pollTakenBack = LogMessage(.notice, "poll.taken_back")
    static let pollerStarted = LogMessage(.info, "poll.started")
    static let pollerStopped = LogMessage(.info, "poll.stopped")

    // What one list's reading came to.
    static let scanNotModified = LogMessage(.debug, "scan.not_modified")
    static let scanPageFollowed = LogMessage(.info, "scan.page_followed")
    static let scanRestarted = LogMessage(.info, "scan.restarted")
    static let scanLateRow = LogMessage(.info, "scan.late_row")
    static let scanReconciled = LogMessage(.debug, "scan.reconciled")
    static let todosInParts = LogMessage(.notice, "scan.todos_in_parts")
    static let notesInParts = LogMessage(.notice, "scan.notes_in_parts")
    static let scanFailed = LogMessage(.notice, "scan.failed")

    // What sweeps over many items came to.
    static let dueDateNoted = LogMessage(.info, "due.noted")
    static let sweepChanged = LogMessage(.info, "sweep.changed")
    static let sweepFailed = LogMessage(.notice, "sweep.failed")
    static let lookWoke = LogMessage(.info, "look.woke")
    static let lookSharedFound = LogMessage(.info, "look.shared_found")
    static let sweepHotFound = LogMessage(.info, "sweep.hot_found")
    static let sweepPatrolFound = LogMessage(.notice, "sweep.patrol_found")

    // What the rows came to.
    static let factNotified = LogMessage(.info, "fact.notified")
    static let factOwnAction = LogMessage(.info, "fact.own_action")
    static let factBackdated = LogMessage(.info, "fact.backdated")
    static let readElsewhere = LogMessage(.info, "notification.read_elsewhere")
    static let factMuted = LogMessage(.info, "fact.muted")
    static let factMutedDuty = LogMessage(.info, "fact.muted_duty")
    static let factDeniedActor = LogMessage(.info, "fact.denied_actor")
    static let factDismissed = LogMessage(.info, "fact.dismissed")
    static let factHeld = LogMessage(.info, "fact.held")
    static let factMerged = LogMessage(.info, "fact.merged")
    static let factSystemNote = LogMessage(.debug, "fact.system_note")

    static let factCovered = LogMessage(.debug, "fact.covered")
    static let factSwitchedOff = LogMessage(.debug, "fact.switched_off")
    static let factCorrelated = LogMessage(.info, "fact.correlated")

    // What GitLab offers, and what stands in for what it does not.
    static let capabilitiesFound = LogMessage(.info, "capability.found")
    static let versionChanged = LogMessage(.notice, "capability.version_changed")
    static let fallbackBegan = LogMessage(.notice, "fallback.began")
    static let fallbackEnded = LogMessage(.info, "fallback.ended")
    static let feedRead = LogMessage(.debug, "fallback.feed_read")

    static let listFirstRead = LogMessage(.debug, "extra.first_read")
    static let approvalsChecked = LogMessage(.debug, "approvals.checked")

    // Watches.
    static let watchMissing = LogMessage(.notice, "watch.missing")
    static let watchPaused = LogMessage(.warning, "watch.paused")
    static let watchReturned = LogMessage(.info, "watch.returned")

    // The account and the service.
    static let authConfirming = LogMessage(.notice, "auth.confirming")
    static let authWorks = LogMessage(.info, "auth.works")
    static let authExpired = LogMessage(.warning, "auth.expired")
    static let grantRenewed = LogMessage(.info, "grant.renewed")
    static let grantRefused = LogMessage(.notice, "grant.renewal_failed")
    static let grantRevoked = LogMessage(.info, "grant.revoked")
    static let grantNotRevoked = LogMessage(.notice, "grant.revocation_failed")
    static let grantEnded = LogMessage(.warning, "grant.ended")
    static let authExpiring = LogMessage(.notice, "auth.expiring")
    static let authCheckFailed = LogMessage(.notice, "auth.check_failed")
    static let authRestored = LogMessage(.info, "auth.restored")
    static let authRenamed = LogMessage(.info, "auth.renamed")
    static let serviceFailing = LogMessage(.info, "service.failing")
    static let serviceTrouble = LogMessage(.warning, "service.trouble")
    static let serviceRecovered = LogMessage(.notice, "service.recovered")
}

extension Candidate.SuppressionReason {
    /// Counts the facts that are silent for this reason.
    var message: LogMessage {
        switch self {
        case .ownAction: .factOwnAction
        case .backdated: .factBackdated
        case .covered: .factCovered
        case .switchedOff: .factSwitchedOff
        case .muted: .factMuted
        case .mutedDuty: .factMutedDuty
        case .deniedActor: .factDeniedActor
        case .dismissed: .factDismissed
        }
    }
}
