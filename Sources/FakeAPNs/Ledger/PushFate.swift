package import Platform

/// Where an accepted push stands. Transitions: `inFlight` → any; `stored` → `inFlight`, `discarded`; `held` → `delivered`,
/// `discarded`; `displayed`, `delivered` and `discarded` are final. A push that was not displayed has exactly one cause.
package enum PushFate: Sendable, Hashable {
    /// On its way to a device that is reachable.
    case inFlight
    /// In the mailbox slot of its app, waiting for the device.
    case stored(StoreCause)
    /// On the device, waiting for the background budget (APNs facts §9).
    case held
    /// Shown to the person. Later pushes with the same collapse id may have replaced it since.
    case displayed(at: WallTime)
    /// Reached the app, with nothing to show.
    case delivered(at: WallTime)
    /// Never reached the app.
    case discarded(DiscardCause, at: WallTime)

    /// True when nothing more happens to the push.
    var isFinal: Bool {
        switch self {
        case .inFlight, .stored, .held: false
        case .displayed, .delivered, .discarded: true
        }
    }
}

/// Why APNs keeps a push for later.
package enum StoreCause: String, Sendable, Hashable, CaseIterable {
    case deviceOffline, powerSaving
}

/// Why an accepted push never reached the app (APNs facts §9, §10, §11).
package enum DiscardCause: Sendable, Hashable {
    /// The mailbox slot went to another push.
    case overwritten(by: PushReference)
    /// Came faster than the device acknowledged the one before it.
    case overwrittenUnacknowledged(by: PushReference)
    /// `apns-expiration` passed while it was stored.
    case expiredWhileStored
    /// Lay in the mailbox for the longest time APNs keeps anything.
    case storedTooLong
    /// `apns-expiration` had passed when it came in.
    case expiredOnArrival
    /// `apns-expiration: 0` and the device was not reachable.
    case notStored(StoreCause)
    case notificationsDisabled
    case appRemoved
    /// The app has a newer token.
    case tokenReplaced
    case deviceReplaced
    /// A newer background push took the place of the one held on the device.
    case heldReplaced(by: PushReference)
    /// The person closed the app for good; background pushes are dropped.
    case appForceQuit
    /// No `apns-push-type`, and the configuration drops such pushes.
    case missingPushType
    /// The same `apns-id` came before, and the configuration drops repetitions.
    case repeatedMessageID
    /// An injected fault lost it.
    case lostByFault(String)
}

/// A push together with what became of it.
package struct TrackedPush: Sendable {
    package let push: Push
    package let fate: PushFate
}
