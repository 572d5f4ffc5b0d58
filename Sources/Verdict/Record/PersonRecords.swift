package import Scenarios

/// A person's registration with the notifier.
package struct RegistrationRecord: Sendable, Equatable {
    package var person: Username
    /// When the request was sent.
    var requestedAt: Duration
    /// When the notifier had answered with success; what happens between the two may or may not be told.
    var activeFrom: Duration
    /// Spans in which GitLab would not accept the token the notifier holds.
    package var tokenDead: [Span]
    /// While the account was blocked.
    package var blocked: [Span] = []
    /// Spans in which the person could not see a project: from a change of membership to its reversal.
    package var noAccess: [(project: ProjectPath, span: Span)]
    /// When the request to forget the person was sent; nil while they have not left.
    package var leftAt: Duration?
    /// When the notifier had answered that it has; nil also where nobody knows.
    package var forgottenAt: Duration?

    /// Spans in which GitLab was not read for the person, whatever the notifier did: refused tokens, a blocked account, and all that comes after they
    /// have left.
    var unserved: [Span] {
        tokenDead + blocked + (leftAt.map { [Span(from: $0, until: .seconds(Int64.max / 2))] } ?? [])
    }

    package init(person: Username, requestedAt: Duration, activeFrom: Duration) {
        self.person = person
        self.requestedAt = requestedAt
        self.activeFrom = activeFrom
        tokenDead = []
        noAccess = []
    }

    package static func == (left: RegistrationRecord, right: RegistrationRecord) -> Bool {
        left.person == right.person && left.requestedAt == right.requestedAt && left.activeFrom == right.activeFrom
            && left.tokenDead == right.tokenDead && left.blocked == right.blocked && left.leftAt == right.leftAt
            && left.forgottenAt == right.forgottenAt
            && left.noAccess.count == right.noAccess.count
            && zip(left.noAccess, right.noAccess).allSatisfy { $0.project == $1.project && $0.span == $1.span }
    }
}

/// One entry of a person's watch list over time.
package struct WatchRecord: Sendable, Equatable {
    package var person: Username
    package var item: ItemReference
    /// When the request to watch was sent.
    var requestedAt: Duration
    /// When the notifier had answered with success.
    var activeFrom: Duration
    /// When the request to unwatch was sent, and answered; nil while watched.
    package var endRequestedAt: Duration?
    package var endedAt: Duration?

    package init(person: Username, item: ItemReference, requestedAt: Duration, activeFrom: Duration) {
        self.person = person
        self.item = item
        self.requestedAt = requestedAt
        self.activeFrom = activeFrom
    }
}

/// How long the notifier held a push token of one of a person's devices.
package struct DeviceSpanRecord: Sendable, Equatable {
    package var person: Username
    package var device: DeviceName
    /// When the notifier had answered to the first registration with success.
    var activeFrom: Duration
    /// When the request to remove the device was sent, and answered; nil while it is there.
    package var endRequestedAt: Duration?
    package var endedAt: Duration?

    package init(person: Username, device: DeviceName, activeFrom: Duration) {
        self.person = person
        self.device = device
        self.activeFrom = activeFrom
    }
}

/// A device that was replaced: another thing bears its name from then on, with another token.
package struct DeviceReplacementRecord: Sendable, Equatable {
    var person: Username
    var device: DeviceName
    var at: Duration

    package init(person: Username, device: DeviceName, at: Duration) {
        self.person = person
        self.device = device
        self.at = at
    }
}

/// All of somebody's devices ended at once, as they left or signed out everywhere: also what another thing had replaced, and bears no name any more.
package struct DevicesEndRecord: Sendable, Equatable {
    var person: Username
    /// When the notifier had answered, or nobody could know any more whether it had heard of it.
    var at: Duration

    package init(person: Username, at: Duration) {
        self.person = person
        self.at = at
    }
}

/// A device from which the notifier has taken another push token than the one that it had: what APNs has said of that one counts no more.
package struct PushTokenChangeRecord: Sendable, Equatable {
    var person: Username
    var device: DeviceName
    /// When the notifier had answered.
    var at: Duration
    /// Whether somebody had signed in there since the former one: then the notifier need not know that both are of one device.
    package var isOfNewSession = false

    package init(person: Username, device: DeviceName, at: Duration) {
        self.person = person
        self.device = device
        self.at = at
    }
}

/// What a device read from the feed when the app was opened or came back to the net.
package struct CatchUpRecord: Sendable, Equatable {
    var person: Username
    var device: DeviceName
    package var at: Duration
    /// The keys of every fact in the notifications read, in the feed's order (the wire format of `data.facts`).
    var factKeys: [String]

    package init(person: Username, device: DeviceName, at: Duration, factKeys: [String]) {
        self.person = person
        self.device = device
        self.at = at
        self.factKeys = factKeys
    }
}
