package import Platform

/// Every fault a timeline knows, by its name in the file.
package enum FaultKind: String, Sendable, Hashable, CaseIterable {
    case latency, refuse
    case stallBeforeFirstByte = "stall-before-first-byte"
    case stallInBody = "stall-in-body"
    case resetBefore = "reset-before"
    case resetAfter = "reset-after"
    case truncate
    case slowBody = "slow-body"
    case gitlabOutage = "gitlab-outage"
    case gitlabRouteOutage = "gitlab-route-outage"
    case gitlabRouteMissing = "gitlab-route-missing"
    case gitlabRowsChanged = "gitlab-rows-changed"
    case gitlabUpgrade = "gitlab-upgrade"
    case gitlabRateLimit = "gitlab-rate-limit"
    case gitlabSlow = "gitlab-slow"
    case replicaLag = "replica-lag"
    case lateCommit = "late-commit"
    case pageDrift = "page-drift"
    case approvalNoteLost = "approval-note-lost"
    case webhookDuplicate = "webhook-duplicate"
    case webhookForged = "webhook-forged"
    case apnsOutage = "apns-outage"
    case apnsReason = "apns-reason"
    case apnsLostAnswer = "apns-lost-answer"
    case apnsNeverAnswers = "apns-never-answers"
    case apnsSticky500 = "apns-sticky-500"
    case apnsSticky503 = "apns-sticky-503"
    case apnsAcceptsWithoutAnswer = "apns-accepts-without-answer"
    case apnsAcceptedAndLost = "apns-accepted-and-lost"
    case apnsDeliveryDelay = "apns-delivery-delay"
    case apnsReordering = "apns-reordering"
    case apnsSlow = "apns-slow"
    case apnsShutdown = "apns-shutdown"
    case apnsKeyRevoked = "apns-key-revoked"
    case tokenUpdateLimit = "token-update-limit"
    case crash
    case crashAtStep = "crash-at-step"
    case powerLoss = "power-loss"
    case restart
    case restoreBackup = "restore-backup"
    case stall
    case diskFull = "disk-full"
    case diskDamaged = "disk-damaged"
    case diskError = "disk-error"
    case diskSlow = "disk-slow"
    case blockDamage = "block-damage"
    case clockOffset = "clock-offset"
    case clockStep = "clock-step"
    case clockDrift = "clock-drift"
    case devicePowerLoss = "device-power-loss"
    case deviceDiskFull = "device-disk-full"
    case deviceDiskError = "device-disk-error"
    case deviceBlockDamage = "device-block-damage"
    case deviceTokenExpired = "device-token-expired"
}

/// What a fault strikes.
package enum FaultPlace: Sendable {
    /// A link of the simulated network.
    case link
    case gitlab, webhooks, apns
    /// The notifier's process.
    case process
    /// What stands on the notifier's disk.
    case database
    /// How the notifier's disk works.
    case disk
    /// A clock, the notifier's or another one.
    case clock
    /// Somebody's device, or the disk in it.
    case device
}

/// What people see of a fault.
package enum FaultNature: Sendable {
    /// Something takes longer, or comes later.
    case slow
    /// A clock is wrong.
    case clock
    /// APNs does not deliver.
    case apns
    /// GitLab limits requests.
    case limited
    /// GitLab or a link is down.
    case down
    /// The notifier is down.
    case process
    /// Somebody's device is out of order.
    case device
}

/// A fault with its name, its effect and how long it lasts.
package struct Fault: Sendable, Equatable {
    package var id: EntryID
    package var effect: FaultEffect
    /// How long it lasts; for a crash or restart how long the notifier is down, for an empty battery the device; zero for a step of the clock.
    package var length: Duration

    package init(id: EntryID, effect: FaultEffect, length: Duration) {
        self.id = id
        self.effect = effect
        self.length = length
    }

    /// How old a backup may be that is brought back: what is older than a day would not be told any more.
    static let backupAges = Duration.minutes(1)...Duration.hours(12)

    /// What the file calls its effect; the effect itself says how it does it.
    package var kind: FaultKind { effect.kind }
}

/// What a fault does while it lasts. A `ratio` is the share of requests it hits; zero hits none.
package enum FaultEffect: Sendable, Equatable {
    case link(LinkFault, on: Link, ratio: Ratio)
    case gitlabOutage(OutageMode, ratio: Ratio)
    /// An outage of the routes that fit the pattern alone.
    case gitlabRouteOutage(OutageMode, route: String, ratio: Ratio)
    /// GitLab answers for the routes that fit the pattern as if it had none of them.
    case gitlabRouteMissing(route: String, ratio: Ratio)
    /// Rows in GitLab's answers on the routes that fit the pattern are not as documented.
    case gitlabRowsChanged(RowChange, route: String, ratio: Ratio)
    /// GitLab is down in the guise of a restart, and another release afterwards.
    case gitlabUpgrade(GitLabWorld.Version)
    case gitlabRateLimit(Limiter, RequestLimit)
    /// Answers take that much longer.
    case gitlabSlow(QuantileTable, ratio: Ratio)
    /// Reads come from a replica that far behind.
    case replicaLag(Duration, ratio: Ratio)
    /// New rows become visible that much later, with their original id and `created_at`.
    case lateCommit(hold: Duration, ratio: Ratio)
    /// Rows are inserted or deleted between the fetches of two pages.
    case pageDrift(ratio: Ratio)
    /// Approvals leave no system note.
    case approvalNoteLost
    /// That share of the webhooks is sent twice.
    case webhookDuplicate(ratio: Ratio)
    /// That share of the webhooks is followed by replays and forgeries.
    case webhookForged(ratio: Ratio)
    case apnsOutage(APNsOutageMode, ratio: Ratio)
    /// Pushes are refused with that documented reason.
    case apnsReason(APNsReason, of: PushAim = .everybody, ratio: Ratio)
    /// Accepted, but the answer never arrives.
    case apnsLostAnswer(of: PushAim = .everybody, ratio: Ratio)
    case apnsNeverAnswers(of: PushAim = .everybody, ratio: Ratio)
    /// Accepted, and the connection stays open without an answer.
    case apnsAcceptsWithoutAnswer(of: PushAim = .everybody, ratio: Ratio)
    /// Accepted and answered, and never delivered.
    case apnsAcceptedAndLost(of: PushAim = .everybody, ratio: Ratio)
    /// What was accepted comes so much later; what follows waits behind it.
    case apnsDeliveryDelay(Duration, ratio: Ratio)
    /// The same, while what follows passes it.
    case apnsReordering(Duration, ratio: Ratio)
    /// Once a connection answered 500, it answers nothing else.
    case apnsSticky500(ratio: Ratio)
    /// Once a connection answered 503, it answers nothing else.
    case apnsSticky503(ratio: Ratio)
    case apnsSlow(QuantileTable, ratio: Ratio)
    /// 503 `Shutdown`: this server is draining.
    case apnsShutdown(ratio: Ratio)
    /// 403 `InvalidProviderToken`: Apple knows the provider's key no more.
    case apnsKeyRevoked
    /// 429 `TooManyProviderTokenUpdates` for a second new provider token within that period.
    case tokenUpdateLimit(period: Duration)
    /// The notifier dies where it stands.
    case crash
    /// The notifier dies the nth time it reaches that step after the entry's instant, or after that many starts of the process from then.
    case crashAtStep(DurableStep, occurrence: Int, afterRestarts: Int, keeps: KeptWrites)
    /// The notifier's machine loses its power.
    case powerLoss(keeps: KeptWrites)
    /// The notifier is shut down in order and started again.
    case restart
    /// A backup is made; in the end the notifier is shut down, and started again from that backup.
    case restoreBackup
    /// Nothing of the notifier runs.
    case stall
    /// Nothing can be written on the notifier's machine, backups included.
    case diskFull
    /// The notifier finds the file of its database damaged with everything that it writes; what was written before stays, as in a
    /// backup that is brought back.
    case diskDamaged
    /// Operations of that kind on the notifier's disk fail.
    case diskError(DiskAction, ratio: Ratio)
    /// Each piece of work on the notifier's database takes so long.
    case diskSlow(Duration)
    /// A block of the notifier's database is spoilt while its process is down; a backup is brought back in the end.
    case blockDamage
    /// The wall clock of that node is wrong by so much, then right again.
    case clockOffset(ClockNode, Duration)
    /// The wall clock of that node jumps and stays there.
    case clockStep(ClockNode, Duration)
    /// The wall clock of that node runs fast (or slow, when negative) by so many parts per million.
    case clockDrift(ClockNode, partsPerMillion: Int64)
    /// The battery of a device dies, at the nth operation of its disk after the entry's instant; at the instant itself where that is zero.
    case devicePowerLoss(OwnedDevice, occurrence: Int, keeps: KeptWrites)
    /// Nothing can be written on a device.
    case deviceDiskFull(OwnedDevice)
    /// Operations of that kind on a device's disk fail.
    case deviceDiskError(OwnedDevice, DiskAction, ratio: Ratio)
    /// A block of what the app keeps on a device is spoilt while the app is not there.
    case deviceBlockDamage(OwnedDevice)
    /// APNs takes the app's token on a device for expired, from then on.
    case deviceTokenExpired(OwnedDevice)

    /// Whose clock it makes wrong; nil for another fault.
    package var clock: ClockNode? {
        switch self {
        case .clockOffset(let node, _), .clockStep(let node, _), .clockDrift(let node, _): node
        default: nil
        }
    }

    /// Which device it strikes; nil for another fault.
    package var device: OwnedDevice? {
        switch self {
        case .devicePowerLoss(let device, _, _), .deviceDiskFull(let device), .deviceDiskError(let device, _, _),
            .deviceBlockDamage(let device), .deviceTokenExpired(let device):
            device
        default: nil
        }
    }

    /// Whose pushes it strikes; nil for another fault than one of single pushes.
    package var pushTarget: PushAim? {
        switch self {
        case .apnsReason(_, let target, _), .apnsLostAnswer(let target, _), .apnsNeverAnswers(let target, _),
            .apnsAcceptsWithoutAnswer(let target, _), .apnsAcceptedAndLost(let target, _):
            target
        default: nil
        }
    }

    /// The name in the file; a link fault is named by what it does to a request, whichever link it is on.
    var kind: FaultKind {
        switch self {
        case .link(let fault, _, _): fault.kind
        case .gitlabOutage: .gitlabOutage
        case .gitlabRouteOutage: .gitlabRouteOutage
        case .gitlabRouteMissing: .gitlabRouteMissing
        case .gitlabRowsChanged: .gitlabRowsChanged
        case .gitlabUpgrade: .gitlabUpgrade
        case .gitlabRateLimit: .gitlabRateLimit
        case .gitlabSlow: .gitlabSlow
        case .replicaLag: .replicaLag
        case .lateCommit: .lateCommit
        case .pageDrift: .pageDrift
        case .approvalNoteLost: .approvalNoteLost
        case .webhookDuplicate: .webhookDuplicate
        case .webhookForged: .webhookForged
        case .apnsOutage: .apnsOutage
        case .apnsReason: .apnsReason
        case .apnsLostAnswer: .apnsLostAnswer
        case .apnsNeverAnswers: .apnsNeverAnswers
        case .apnsAcceptsWithoutAnswer: .apnsAcceptsWithoutAnswer
        case .apnsAcceptedAndLost: .apnsAcceptedAndLost
        case .apnsDeliveryDelay: .apnsDeliveryDelay
        case .apnsReordering: .apnsReordering
        case .apnsSticky500: .apnsSticky500
        case .apnsSticky503: .apnsSticky503
        case .apnsSlow: .apnsSlow
        case .apnsShutdown: .apnsShutdown
        case .apnsKeyRevoked: .apnsKeyRevoked
        case .tokenUpdateLimit: .tokenUpdateLimit
        case .crash: .crash
        case .crashAtStep: .crashAtStep
        case .powerLoss: .powerLoss
        case .restart: .restart
        case .restoreBackup: .restoreBackup
        case .stall: .stall
        case .diskFull: .diskFull
        case .diskDamaged: .diskDamaged
        case .diskError: .diskError
        case .diskSlow: .diskSlow
        case .blockDamage: .blockDamage
        case .clockOffset: .clockOffset
        case .clockStep: .clockStep
        case .clockDrift: .clockDrift
        case .devicePowerLoss: .devicePowerLoss
        case .deviceDiskFull: .deviceDiskFull
        case .deviceDiskError: .deviceDiskError
        case .deviceBlockDamage: .deviceBlockDamage
        case .deviceTokenExpired: .deviceTokenExpired
        }
    }
}

/// What a link does to a request.
package enum LinkFault: Sendable, Equatable {
    /// Adds latency.
    case latency(QuantileTable)
    case refuse
    /// The answer's first byte comes that much later.
    case stallBeforeFirstByte(Duration)
    /// The answer stops in its middle for that long.
    case stallInBody(Duration)
    /// The connection is reset before the server saw the request.
    case resetBefore
    /// The connection is reset after the server acted.
    case resetAfter
    /// The body ends after that many bytes.
    case truncate(afterBytes: Int)
    case slowBody(bytesPerSecond: Int)

    /// The name in the file.
    var kind: FaultKind {
        switch self {
        case .latency: .latency
        case .refuse: .refuse
        case .stallBeforeFirstByte: .stallBeforeFirstByte
        case .stallInBody: .stallInBody
        case .resetBefore: .resetBefore
        case .resetAfter: .resetAfter
        case .truncate: .truncate
        case .slowBody: .slowBody
        }
    }
}

/// The links of the simulated network.
package enum Link: String, Sendable, CaseIterable {
    /// Notifier to GitLab.
    case gitlab
    /// Notifier to APNs.
    case apns
    /// Devices to the notifier's REST API.
    case api
    /// GitLab to the notifier.
    case webhook
}

/// GitLab's two rate limiters (GitLab facts §3).
package enum Limiter: String, Sendable, CaseIterable {
    /// Rack::Attack: plain text, `Retry-After`, windows aligned to the epoch.
    case a
    /// The application limiter: JSON body.
    case b
}

/// What callers of APNs see during an outage.
package enum APNsOutageMode: String, Sendable, CaseIterable {
    case serviceUnavailable = "503"
    case internalServerError = "500"
    case hang
}

/// One of somebody's devices.
package struct OwnedDevice: Hashable, Sendable {
    package var person: Username
    package var device: DeviceName

    package init(person: Username, device: DeviceName) {
        self.person = person
        self.device = device
    }
}

/// Whose pushes a fault strikes: everybody's, one person's, or those to one of their devices.
package struct PushAim: Hashable, Sendable {
    /// Nil for everybody.
    package var person: Username?
    /// Nil for all of the person's.
    var device: DeviceName?

    package static let everybody = PushAim()

    /// Whether pushes to that device are struck.
    package func includes(_ device: DeviceName, of person: Username) -> Bool {
        (self.person ?? person) == person && (self.device ?? device) == device
    }
}

/// What a database asks of its disk.
package enum DiskAction: String, Sendable, CaseIterable { case write, sync }

/// Whose wall clock.
package enum ClockNode: String, Sendable, CaseIterable { case notifier, gitlab, apns }
