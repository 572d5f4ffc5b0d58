package import Platform

/// One entry of the timeline as the file has it: when, and what. Choices left open are made by `Scenario.plan(seed:)`.
package struct TimelineEntry: Sendable, Equatable {
    /// What an entry does.
    package enum Event: Sendable, Equatable {
        case action(ActionTemplate)
        case mix(MixTemplate)
        case fault(Fault)
    }

    /// The name given in the file; nil when there is none.
    package var id: EntryID?
    package var occurrence: Occurrence
    package var event: Event

    package init(id: EntryID? = nil, occurrence: Occurrence, event: Event) {
        self.id = id
        self.occurrence = occurrence
        self.event = event
    }

    /// The fault's name: the one given, or kind and instant.
    package var faultID: EntryID? {
        guard case .fault(let fault) = event else { return nil }
        return id ?? fault.id
    }

    /// People who register with the notifier through this entry.
    var registrations: [Username] {
        guard case .action(let action) = event, action.kind == .register else { return [] }
        return action.by?.people ?? []
    }
}

/// When an entry takes place.
package enum Occurrence: Sendable, Equatable {
    /// Once, at that offset from the start.
    case at(Duration)
    /// Once, at an instant of the span that the seed chooses.
    case once(in: TimeSpan)
    /// At `from`, and again each time the interval has passed, while before `until`.
    case every(Duration, TimeSpan, WorkingHours)
    /// A Poisson process: independent arrivals, so many per period on average.
    case rate(Rate, TimeSpan, WorkingHours)
}

/// From an offset (included) to another (excluded).
package struct TimeSpan: Sendable, Equatable {
    package var from: Duration
    package var until: Duration

    package init(from: Duration, until: Duration) {
        self.from = from
        self.until = until
    }
}

/// The part of the week in which a recurring entry takes place, in the instance's time zone.
package struct WorkingHours: Sendable, Equatable {
    /// ISO weekdays, Monday 1 to Sunday 7, rising.
    package var weekdays: [Int]
    /// Minutes since midnight, 0…1,439.
    package var opensAtMinute: Int
    /// Minutes since midnight, 1…1,440, later than `opensAtMinute`; itself outside.
    package var closesAtMinute: Int

    package init(weekdays: [Int], opensAtMinute: Int, closesAtMinute: Int) {
        self.weekdays = weekdays
        self.opensAtMinute = opensAtMinute
        self.closesAtMinute = closesAtMinute
    }

    /// All day, every day.
    package static let always = WorkingHours(weekdays: Array(1...7), opensAtMinute: 0, closesAtMinute: 1_440)

    /// Whether a clock of the instance that shows `date` is inside.
    package func contains(_ date: CivilDate) -> Bool {
        let minute = date.hour * 60 + date.minute
        return weekdays.contains(date.isoWeekday) && minute >= opensAtMinute && minute < closesAtMinute
    }
}

/// So many arrivals in a period on average.
package struct Rate: Sendable, Equatable {
    /// 1…1,000,000.
    package var count: Int64
    /// A second, minute, hour, day or week.
    package var period: Duration

    package init(count: Int64, period: Duration) {
        self.count = count
        self.period = period
    }
}

/// Who may be meant.
package enum PersonSelector: Sendable, Equatable {
    /// One of these; a single one is certain.
    case oneOf([Username])
    /// Any member of the item's project who is no bot, except these.
    case anyone(except: [Username])

    /// The people named.
    package var people: [Username] {
        guard case .oneOf(let people) = self else { return [] }
        return people
    }
}

/// Which item may be meant.
package enum ItemSelector: Sendable, Equatable {
    /// One of these; a single one is certain.
    case oneOf([ItemReference])
    /// Any item on which the action is possible.
    case any
    /// A new item of that project, numbered by the plan; only for opening one.
    case new(in: ProjectPath)
}

/// What should happen, with the choices the file leaves open. Which fields are set depends on `kind`: see `ActionKind`.
package struct ActionTemplate: Sendable, Equatable {
    package var kind: ActionKind
    /// Who does it.
    package var by: PersonSelector?
    package var on: ItemSelector?
    /// The person it is done to.
    package var user: PersonSelector?
    /// Whom a comment mentions.
    package var mention: PersonSelector?
    /// Texts to choose from; empty for the built-in ones.
    package var bodies: [String]
    package var device: DeviceName?
    package var project: ProjectPath?
    /// Comments of a review or burst, or commits of a push.
    package var count: Int?
    /// Label, milestone, title or emoji.
    package var text: String?
    package var status: PipelineStatus?
    /// How long a to-do sleeps or an item is muted, or how long ago imported comments claim to be.
    package var length: Duration?
    package var quietHours: QuietHours?
    package var assignees: [Username]
    package var reviewers: [Username]

    package init(
        kind: ActionKind,
        by: PersonSelector? = nil,
        on: ItemSelector? = nil,
        user: PersonSelector? = nil,
        mention: PersonSelector? = nil,
        bodies: [String] = [],
        device: DeviceName? = nil,
        project: ProjectPath? = nil,
        count: Int? = nil,
        text: String? = nil,
        status: PipelineStatus? = nil,
        length: Duration? = nil,
        quietHours: QuietHours? = nil,
        assignees: [Username] = [],
        reviewers: [Username] = []
    ) {
        self.kind = kind
        self.by = by
        self.on = on
        self.user = user
        self.mention = mention
        self.bodies = bodies
        self.device = device
        self.project = project
        self.count = count
        self.text = text
        self.status = status
        self.length = length
        self.quietHours = quietHours
        self.assignees = assignees
        self.reviewers = reviewers
    }
}

/// Generated team traffic: each occurrence is one action, its kind drawn by weight among those possible at that moment.
package struct MixTemplate: Sendable, Equatable {
    /// One kind and how often it is drawn in relation to the others.
    package struct Share: Sendable, Equatable {
        package var kind: ActionKind
        /// 1…1,000.
        package var weight: Int64

        package init(kind: ActionKind, weight: Int64) {
            self.kind = kind
            self.weight = weight
        }
    }

    /// In the order of the file.
    package var shares: [Share]
    package var by: PersonSelector
    package var on: ItemSelector
    /// Whom comments may mention; one in five comments does. Nil for nobody.
    package var mention: PersonSelector?

    package init(shares: [Share], by: PersonSelector, on: ItemSelector, mention: PersonSelector? = nil) {
        self.shares = shares
        self.by = by
        self.on = on
        self.mention = mention
    }
}
