package import Scenarios

/// What somebody did about a duty, from when they did it to the notifier's answer.
package struct DutyDeed: Sendable, Equatable {
    /// What it was; occurrences go by their index, 0 being the first.
    package enum What: Sendable, Equatable {
        /// They take part from then on: the first of a duty has made it.
        case joined
        case left
        /// It has ended for everybody.
        case stopped
        case done(Int)
        case skipped(Int)
        case given(Int, to: Username)
        /// The duty itself is otherwise for everybody, unless somebody changed it later.
        case changed(WorldDuty.Edit)
        /// Somebody who does not use the notifier takes part, by name alone, and does so no longer.
        case added(Username)
        case removed(Username)
    }

    package var person: Username
    /// The duty's name in the scenario.
    package var duty: String
    package var what: What
    /// The id that the device gave it, in lower case; empty for who joins or leaves.
    package var id: String
    /// By the device's clock, in microseconds since 1970.
    package var datedAt: Int64
    /// When it left the device first, and when it was answered; nil while it has not.
    package var sentAt: Duration?
    package var answeredAt: Duration?
    /// The envelopes in which its device has sent it, each with a number of its own among those of all devices, in order; none for what is asked
    /// for by itself.
    package var envelopes: [Int] = []
    /// The notifier will not have it.
    package var isRefused = false

    package init(person: Username, duty: String, what: What, id: String, datedAt: Int64) {
        (self.person, self.duty, self.what, self.id, self.datedAt) = (person, duty, what, id, datedAt)
    }
}

extension DutyDeed {
    /// Whether both always went together, so that the notifier took them at once, and in their order. Equal instants prove nothing: two devices may
    /// ask at the same time, and where answers take no time one device may ask twice.
    func isOfOneEnvelope(as other: DutyDeed) -> Bool {
        !envelopes.isEmpty && person == other.person && envelopes == other.envelopes && answeredAt == other.answeredAt
    }
}

extension Collection<DutyDeed> {
    /// The last of these by which a person came, left, or had it end, of those that are about one duty.
    package func lastMembership(of person: Username) -> DutyDeed? {
        reversed().first { deed in
            !deed.isRefused && (deed.what == .stopped || deed.person == person && [.joined, .left].contains(deed.what))
        }
    }
}

/// One occurrence of a duty: the duty's name in the scenario and the index, 0 for the first.
package struct DutyPlace: Sendable, Hashable {
    package var duty: String
    package var index: Int

    package init(duty: String, index: Int) {
        (self.duty, self.index) = (duty, index)
    }
}

/// What a device with nothing waiting showed of a duty, as long as it was the same.
package struct DutyLook: Sendable, Equatable {
    /// Whose turn something is.
    package struct Turn: Sendable, Equatable {
        package var index: Int
        /// Nil for nobody's.
        package var assignee: Username?
        package var status: Status

        package init(index: Int, assignee: Username?, status: Status) {
            (self.index, self.assignee, self.status) = (index, assignee, status)
        }
    }

    /// How an occurrence stands.
    package enum Status: String, Sendable { case pending, reassigned, completed, skipped }

    package var person: Username
    package var device: DeviceName
    package var duty: String
    /// As the device computes them.
    package var turns: [Turn]
    /// As the notifier has told them.
    package var told: [Turn]
    /// When each of both is due, in seconds since 1970.
    package var dueAt: [Int64] = []
    package var toldDueAt: [Int64] = []
    /// The ids of all that happened, as far as the device knows, rising.
    package var events: [String]
    /// The first and the last look at which it was so.
    package var from: Duration
    package var until: Duration
    /// Since when the app had been open, signed in, on the network and answered.
    package var settledAt: Duration

    package init(person: Username, device: DeviceName, duty: String, at: Duration, settledAt: Duration) {
        (self.person, self.device, self.duty, self.settledAt) = (person, device, duty, settledAt)
        (turns, told, events, from, until) = ([], [], [], at, at)
    }

    /// Whether nothing has changed.
    package func isSame(as other: DutyLook) -> Bool {
        turns == other.turns && told == other.told && events == other.events && settledAt == other.settledAt
            && dueAt == other.dueAt && toldDueAt == other.toldDueAt
    }
}
