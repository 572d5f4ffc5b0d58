package import Scenarios

/// A choice about being told that a person made in the app, and that the notifier confirmed.
package struct PreferenceRecord: Sendable, Equatable {
    /// What was chosen.
    package enum Choice: Sendable, Equatable {
        /// Until that instant since the start.
        case muted(ItemReference, until: Duration)
        case unmuted(ItemReference)
        case denied(Username)
        case allowed(Username)
        case quietHours(QuietHours?)
        case autoWatch(Bool)
        case reminders(Bool)
        case dueReminders(Bool)
        case dueLead(hours: Int)
        /// All that are told of watched items from then on.
        case kinds([NotifiedKind])
        /// The item is not watched any more.
        case unwatched(ItemReference)
        case dismissed(ItemReference)
        case undismissed(ItemReference)
        /// What the person was told about the item is read.
        case read(ItemReference)
        /// What somebody waits for on the item is done.
        case settled(ItemReference)
        /// The person wants to hear of it again in an hour, and not before.
        case postponed(ItemReference)
        /// What a program asks under that name is over, by its own word or the person's.
        case signalSettled(String)
        /// The person's program is not heard until that instant since the start.
        case programMuted(until: Duration)
        case programUnmuted
        /// The person's program is shut out, and what it had asked is over; when it speaks again it is another one.
        case programRevoked
        /// The duty of that name tells the person nothing until that instant since the start.
        case dutyMuted(String, until: Duration)
        case dutyUnmuted(String)
    }

    package var person: Username
    package var choice: Choice
    /// When the request was sent.
    var requestedAt: Duration
    /// When the notifier had answered with success; in between it may hold or not.
    package var answeredAt: Duration
    /// When it was made by the clock of its device, which may be off.
    var datedAt: Duration

    /// Without `datedAt` the clock of the device is right.
    package init(
        person: Username,
        choice: Choice,
        requestedAt: Duration,
        answeredAt: Duration,
        datedAt: Duration? = nil
    ) {
        self.person = person
        self.datedAt = datedAt ?? requestedAt
        self.choice = choice
        self.requestedAt = requestedAt
        self.answeredAt = answeredAt
    }
}

extension RunRecord {
    /// What people chose, in the order in which it came to hold: a device may say late what was chosen early. What was never answered stands where
    /// it was asked.
    var orderedPreferences: [PreferenceRecord] {
        func instant(_ entry: PreferenceRecord) -> Duration {
            entry.answeredAt > simulated ? entry.requestedAt : entry.answeredAt
        }
        return preferences.sorted { instant($0) < instant($1) }
    }
}
