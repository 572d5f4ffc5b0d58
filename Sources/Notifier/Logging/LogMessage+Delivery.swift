import Platform

/// What the delivery half tells. Texts never change meaning: the workbench and alerts listen to them.
extension LogMessage {
    // The outbox.
    static let notificationQueued = LogMessage(.info, "notification.queued")
    static let reminderQueued = LogMessage(.info, "reminder.queued")
    static let reminderHeld = LogMessage(.info, "reminder.held")
    static let remindersFailed = LogMessage(.error, "reminder.failed", comesWithStore: true)
    static let askPostponed = LogMessage(.info, "ask.postponed")
    static let askSettled = LogMessage(.info, "ask.settled")
    static let signalTaken = LogMessage(.info, "signal.taken")
    static let signalRefused = LogMessage(.notice, "signal.refused")
    static let signalTokenMade = LogMessage(.info, "signal.token_made")
    static let signalTokenRevoked = LogMessage(.info, "signal.token_revoked")
    static let signalsMuted = LogMessage(.info, "signal.muted")
    static let signalsUnmuted = LogMessage(.info, "signal.unmuted")
    static let digestQueued = LogMessage(.info, "digest.queued")
    static let digestDropped = LogMessage(.info, "digest.dropped")
    static let digestFailed = LogMessage(.error, "digest.failed", comesWithStore: true)

    // One delivery's way; each entry names `delivery.id` and `apns.id`.
    static let deliverySent = LogMessage(.debug, "delivery.sent")
    static let deliveryAccepted = LogMessage(.info, "delivery.accepted")
    static let deliveryRetry = LogMessage(.notice, "delivery.retry")
    static let deliveryUnknown = LogMessage(.notice, "delivery.unknown")
    static let deliveryDead = LogMessage(.error, "delivery.dead")
    static let deliveryExpired = LogMessage(.warning, "delivery.expired")
    static let leaseReclaimed = LogMessage(.warning, "delivery.lease_reclaimed")
    static let leaseReleased = LogMessage(.info, "delivery.lease_released")
    static let deliveriesRedriven = LogMessage(.notice, "delivery.redriven")
    static let deliveriesRequeued = LogMessage(.info, "delivery.requeued")
    static let outcomeNotRecorded = LogMessage(.error, "delivery.outcome_not_recorded", comesWithStore: true)
    static let claimFailed = LogMessage(.error, "delivery.claim_failed", comesWithStore: true)

    // Devices.
    static let deviceTokenUnreadable = LogMessage(.error, "device.token_unreadable")
    static let deviceRegistered = LogMessage(.info, "device.registered")
    static let deviceRevived = LogMessage(.info, "device.revived")
    static let deviceMoved = LogMessage(.notice, "device.moved")
    static let deviceHeld = LogMessage(.warning, "device.held")
    static let deviceDeactivated = LogMessage(.notice, "device.deactivated")
    static let deviceThrottled = LogMessage(.notice, "device.throttled")

    // The provider token.
    static let tokenRenewed = LogMessage(.info, "token.renewed")
    static let tokenReused = LogMessage(.info, "token.reused")
    static let tokenKept = LogMessage(.warning, "token.kept")
    static let tokenRefused = LogMessage(.error, "token.refused")

    // No key to push with, or no wish to.
    static let pushSwitchedOff = LogMessage(.notice, "apns.switched_off")
    static let pushNotConfigured = LogMessage(.error, "apns.not_configured")
    static let pushConfigured = LogMessage(.notice, "apns.configured")
    static let deliveryMoot = LogMessage(.info, "delivery.moot")
    static let deliveriesDropped = LogMessage(.notice, "delivery.dropped")
    static let deliveriesWithheld = LogMessage(.warning, "delivery.withheld")

    // The service behind the queue.
    static let connectionSuspect = LogMessage(.notice, "connection.suspect")
    static let connectionWarm = LogMessage(.debug, "connection.warm")
    static let breakerOpened = LogMessage(.error, "breaker.opened")
    static let breakerProbed = LogMessage(.notice, "breaker.probed")
    static let breakerClosed = LogMessage(.notice, "breaker.closed")
    static let queuePaused = LogMessage(.error, "queue.paused")
    static let clockStepped = LogMessage(.warning, "clock.stepped")

    // The REST API and the whole.
    static let accountRegistered = LogMessage(.info, "account.registered")
    static let accountRevived = LogMessage(.info, "account.revived")
    static let watchAdded = LogMessage(.info, "watch.added")
    static let watchRemoved = LogMessage(.info, "watch.removed")
    static let watchesImported = LogMessage(.info, "watch.imported")
    static let subscriptionChanged = LogMessage(.info, "subscription.changed")
    static let subscriptionFailed = LogMessage(.warning, "subscription.failed")
    static let receiptRecorded = LogMessage(.info, "receipt.recorded")
    static let notificationsAcknowledged = LogMessage(.debug, "notification.acknowledged")
    static let readMarksChanged = LogMessage(.info, "notification.read_marks_changed")
    static let pullReset = LogMessage(.info, "notification.pull_reset")
    static let watchAutoAdded = LogMessage(.info, "watch.auto_added")
    static let watchFollowed = LogMessage(.info, "watch.followed")
    static let watchNotFollowed = LogMessage(.notice, "watch.not_followed")
    static let itemDismissed = LogMessage(.info, "item.dismissed")
    static let itemUndismissed = LogMessage(.info, "item.undismissed")
    static let watchMuted = LogMessage(.info, "watch.muted")
    static let watchUnmuted = LogMessage(.info, "watch.unmuted")
    static let actorDenied = LogMessage(.info, "actor.denied")
    static let actorAllowed = LogMessage(.info, "actor.allowed")
    static let settingsChanged = LogMessage(.info, "settings.changed")
    static let requestFailed = LogMessage(.error, "api.request_failed")
    static let notifierStarted = LogMessage(.info, "notifier.started")
    static let notifierStopped = LogMessage(.info, "notifier.stopped")
}
