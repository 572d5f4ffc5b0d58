/// Why an expected notification never became known: every miss has exactly one cause.
enum MissCause: Sendable, Equatable {
    /// It could not be read before the run ended.
    case neverReadable
    /// GitLab did not accept the person's token until the run ended.
    case tokenDead
    /// The run ended before a poll was due.
    case notPolledBeforeEnd
    /// It was readable in time and no notification ever named it: the dangerous one.
    case notDetected
    /// The notifier read it and kept it silent; its log names the reason.
    case silenced(reason: String)
    /// A notification of many facts on its item was cut and did not name it.
    case notNamedInBatch
    case noActiveDevice
    /// It was put into the outbox and no push was ever tried.
    case neverAttempted
    /// APNs refused it for that reason.
    case rejected(reason: String)
    /// An injected fault kept APNs from taking it.
    case lostByFault(id: String)
    /// An injected fault let APNs lose what it had taken.
    case lostInAPNs(id: String)
    /// An injected fault made APNs say that a push is not to be sent again.
    case refusedByFault(id: String, reason: String)
    /// APNs called the device's token dead.
    case deadToken
    /// APNs took it, its answer was lost, and no device showed it.
    case answerLostNotDisplayed
    case overwrittenInMailbox
    /// The same, by a push that nobody sees: that is the notifier's doing.
    case overwrittenBySilentPush
    case expiredInMailbox
    case notificationsOff
    case appRemoved
    /// APNs kept it for a device that did not come back.
    case deviceAway
    /// APNs took it and nothing was heard of it again.
    case acceptedNotDisplayed
    case stillInFlight

    /// The stable name.
    var code: String {
        switch self {
        case .neverReadable: "never-readable"
        case .tokenDead: "token-dead"
        case .notPolledBeforeEnd: "not-polled-before-end"
        case .notDetected: "not-detected"
        case .silenced: "silenced"
        case .notNamedInBatch: "not-named-in-batch"
        case .noActiveDevice: "no-active-device"
        case .neverAttempted: "never-attempted"
        case .rejected: "rejected"
        case .lostByFault: "lost-by-fault"
        case .lostInAPNs: "lost-in-apns"
        case .refusedByFault: "refused-by-fault"
        case .deadToken: "dead-token"
        case .answerLostNotDisplayed: "answer-lost-not-displayed"
        case .overwrittenInMailbox: "overwritten-in-mailbox"
        case .overwrittenBySilentPush: "overwritten-by-silent-push"
        case .expiredInMailbox: "expired-in-mailbox"
        case .notificationsOff: "notifications-off"
        case .appRemoved: "app-removed"
        case .deviceAway: "device-away"
        case .acceptedNotDisplayed: "accepted-not-displayed"
        case .stillInFlight: "still-in-flight"
        }
    }

    /// The cause in a sentence.
    var sentence: String {
        switch self {
        case .neverReadable: "It could not be read from GitLab before the run ended."
        case .tokenDead: "GitLab did not accept the person's token until the run ended."
        case .notPolledBeforeEnd: "The run ended before a poll was due."
        case .notDetected: "It could be read in time, and no notification ever named it."
        case .silenced(let reason): "The notifier read it and notified nobody; its log says \(reason)."
        case .notNamedInBatch: "A notification of many facts on its item was cut and did not name it."
        case .noActiveDevice: "The person had no device that could still be pushed to."
        case .neverAttempted: "It was put into the outbox and no push was ever tried."
        case .rejected(let reason): "APNs refused it: \(reason)."
        case .lostByFault(let id): "The injected fault \(id) kept APNs from taking it."
        case .lostInAPNs(let id): "APNs took it, and lost it by the injected fault \(id)."
        case .refusedByFault(let id, let reason): "The injected fault \(id) made APNs refuse it for good: \(reason)."
        case .deadToken: "APNs called the device's token dead."
        case .answerLostNotDisplayed: "APNs took it, its answer was lost, and no device showed it."
        case .overwrittenInMailbox: "A later push took its place while the device was away."
        case .overwrittenBySilentPush: "A push that nobody sees took its place while the device was away."
        case .expiredInMailbox: "It expired while the device was away."
        case .notificationsOff: "The person had switched notifications off."
        case .appRemoved: "The app was no longer on the device."
        case .deviceAway: "APNs kept it for a device that did not come back."
        case .acceptedNotDisplayed: "APNs took it, and nothing was heard of it again."
        case .stillInFlight: "It was still on its way when the run ended."
        }
    }
}
