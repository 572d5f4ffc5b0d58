/// When a person does not want to be disturbed, as they set it in the app.
package struct QuietHours: Sendable, Hashable {
    package var zone: Zone
    /// ISO weekdays on which it begins, Monday 1 to Sunday 7, rising.
    package var weekdays: [Int]
    /// Minutes after midnight, 0…1,439.
    package var from: Int
    /// Minutes after midnight, 1…1,440; on the next day when not later than `from`.
    package var until: Int
    /// Whether mentions and review requests get through.
    package var letsUrgentThrough: Bool

    /// Time zones of which scenarios know the rules: enough to change the clocks in every way there is.
    package enum Zone: String, Sendable, CaseIterable {
        case utc = "UTC"
        case london = "Europe/London"
        case berlin = "Europe/Berlin"
        case newYork = "America/New_York"
        case kolkata = "Asia/Kolkata"
        case sydney = "Australia/Sydney"
        /// Half an hour of summer time.
        case lordHowe = "Australia/Lord_Howe"
        /// In spring a Friday has no midnight, in autumn a Thursday's last hour comes twice.
        case cairo = "Africa/Cairo"
        /// An hour back while Ramadan lasts, of which no rule tells.
        case casablanca = "Africa/Casablanca"
        /// Three quarters of an hour beside everybody, and changed at a quarter to.
        case chatham = "Pacific/Chatham"
        /// As far ahead as clocks are.
        case kiritimati = "Pacific/Kiritimati"
        /// With Europe, which is late on Saturday there; behind UTC.
        case nuuk = "America/Nuuk"
        /// Two hours of summer time.
        case troll = "Antarctica/Troll"
    }
}

/// Kinds of activity on watched items that a person can switch on or off in the app, by their names there.
package enum NotifiedKind: String, Sendable, CaseIterable {
    case approvals, assignees, comments, labels, milestones, pipelines, pushes, reviewers, states
}

/// What a person does in the app that concerns what they want to be notified of.
package enum AppAction: Sendable, Equatable {
    /// The item says nothing for that long.
    case mute(ItemReference, length: Duration)
    case unmute(ItemReference)
    /// Nothing that `user` does is told from now on.
    case denyActor(Username)
    case allowActor(Username)
    /// Replaces the quiet hours; nil takes them away.
    case quietHours(QuietHours?)
    /// Whether items on which the person is tagged are watched from then on.
    case autoWatch(Bool)
    /// Whether the person is told again that somebody waits for them, and reminded of due dates.
    case reminders(Bool)
    /// Whether the person is reminded of due dates, and of turns before they are due.
    case dueReminders(Bool)
    /// How many hours before a day the person is reminded of what is due then.
    case dueLead(hours: Int)
    /// Of what is done on watched items only these kinds are told from then on; each once, in the order of their names.
    case kinds([NotifiedKind])
    /// The buttons under the newest notification about the item, or the same in the app's history.
    case tapWatch(ItemReference)
    case tapDismiss(ItemReference)
    case undismiss(ItemReference)
    /// What the person was told about the item is read.
    case markRead(ItemReference)
    /// Who waits for the person on that item waits no more: the button Done.
    case settle(ItemReference)
    /// The button Later: the person is told again in an hour, and not before.
    case remindLater(ItemReference)
    /// The person goes through the screens: items, watch list, deny-list, settings, devices, who waits, history, state.
    case browse
    /// A program of the person's tries the API with requests that its description does not allow, or that change nothing.
    case fuzzAPI
    /// The person begins sign-ins through GitLab on another app, refuses one, and ends none.
    case refuseSignIn
    /// A test notification is to come to all devices.
    case sendTest
    /// Whether GitLab's subscriptions follow the watch list from then on.
    case mirroring(Bool)
    /// What the person is subscribed to in GitLab is watched.
    case importWatches
    /// The item is watched no more if the person is not subscribed to it in GitLab.
    case pullSubscription(ItemReference)
    /// GitLab subscribes the person to the watched item.
    case pushSubscription(ItemReference)
    /// What was given up of the pushes about the item goes again.
    case sendAgain(ItemReference)
    /// Every session and every device is signed out, and three minutes later signed in again, one after the other.
    case signOut
    /// The notifier forgets the person, who does not come back.
    case leave
}
