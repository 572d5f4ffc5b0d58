import Platform

/// One entry of the timeline as the file has it: when, and what. Choices left open are made by `Scenario.plan(seed:)`.
package struct TimelineEntry: Sendable, Equatable {
    /// What an entry does.
    enum Event: Sendable, Equatable {
        case action(ActionTemplate)
        case mix(MixTemplate)
        case fault(Fault)
    }

    /// The name given in the file; nil when there is none.
    var id: EntryID?
    var occurrence: Occurrence
    var event: Event

    /// The fault's name: the one given, or kind and instant.
    var faultID: EntryID? {
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
enum Occurrence: Sendable, Equatable {
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
struct TimeSpan: Sendable, Equatable {
    var from: Duration
    var until: Duration
}

/// The part of the week in which a recurring entry takes place, in the instance's time zone.
struct WorkingHours: Sendable, Equatable {
    /// ISO weekdays, Monday 1 to Sunday 7, rising.
    var weekdays: [Int]
    /// Minutes since midnight, 0…1,439.
    var opensAtMinute: Int
    /// Minutes since midnight, 1…1,440, later than `opensAtMinute`; itself outside.
    var closesAtMinute: Int

    /// All day, every day.
    static let always = WorkingHours(weekdays: Array(1...7), opensAtMinute: 0, closesAtMinute: 1_440)

    /// Whether a clock of the instance that shows `date` is inside.
    func contains(_ date: CivilDate) -> Bool {
        let minute = date.hour * 60 + date.minute
        return weekdays.contains(date.isoWeekday) && minute >= opensAtMinute && minute < closesAtMinute
    }
}

/// So many arrivals in a period on average.
struct Rate: Sendable, Equatable {
    /// 1…1,000,000.
    var count: Int64
    /// A second, minute, hour, day or week.
    var period: Duration
}

/// Who may be meant.
enum PersonSelector: Sendable, Equatable {
    /// One of these; a single one is certain.
    case oneOf([Username])
    /// Any member of the item's project who is no bot, except these.
    case anyone(except: [Username])

    /// The people named.
    var people: [Username] {
        guard case .oneOf(let people) = self else { return [] }
        return people
    }
}

/// Which item may be meant.
enum ItemSelector: Sendable, Equatable {
    /// One of these; a single one is certain.
    case oneOf([ItemReference])
    /// Any item on which the action is possible.
    case any
    /// A new item of that project, numbered by the plan; only for opening one.
    case new(in: ProjectPath)
}

/// What should happen, with the choices the file leaves open. Which fields are set depends on `kind`: see `ActionKind`.
struct ActionTemplate: Sendable, Equatable {
    var kind: ActionKind
    /// Who does it.
    var by: PersonSelector?
    var on: ItemSelector?
    /// The person it is done to.
    var user: PersonSelector?
    /// Whom a comment mentions.
    var mention: PersonSelector?
    /// Texts to choose from; empty for the built-in ones.
    var bodies: [String] = []
    /// The name of what people do in turn.
    var duty: String?
    var device: DeviceName?
    var project: ProjectPath?
    /// The number that an issue gets there; nil for the next one.
    var number: Int64?
    /// Comments of a review or burst, or commits of a push.
    var count: Int?
    /// Label, milestone, title or emoji, or the name of what a program says.
    var text: String?
    var status: PipelineStatus?
    /// How long a to-do sleeps or an item, a program or a duty is muted, how long ago imported comments claim to be, or how far a
    /// device's clock is ahead.
    var length: Duration?
    /// To which of APNs' environments an app's next push token belongs.
    var environment: Device.Environment?
    var quietHours: QuietHours?
    /// The day by which something is due.
    var due: CivilDate?
    /// What a program says.
    var word: ProgramWord?
    /// The run that it belongs to; the name of what it says by default.
    var run: String?
    var assignees: [Username] = []
    var reviewers: [Username] = []
    /// What of a duty becomes otherwise; its lead time is also the one of due dates.
    var edit = WorldDuty.Edit()
    /// The kinds of activity that are to be told, as the file names them.
    var kinds: [NotifiedKind] = []
    /// What a comment asks GitLab to do.
    var commands: [QuickCommand] = []
}

/// Generated team traffic: each occurrence is one action, its kind drawn by weight among those possible at that moment.
struct MixTemplate: Sendable, Equatable {
    /// One kind and how often it is drawn in relation to the others.
    struct Share: Sendable, Equatable {
        var kind: ActionKind
        /// 1…1,000.
        var weight: Int64
    }

    /// In the order of the file.
    var shares: [Share]
    var by: PersonSelector
    var on: ItemSelector
    /// Whom comments may mention; one in five comments does. Nil for nobody.
    var mention: PersonSelector?
}
