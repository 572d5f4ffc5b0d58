import Configuration
import JSON
import Platform

/// What people chose to be told of, as a bundle tells it; older ones tell less.
extension IncidentBundle {
    /// Beyond so many people on deny-lists a scenario would be none that anybody reads.
    static let limitDenied = 1_000

    /// Why somebody was not told of a fact.
    enum Silence: String {
        case ownAction, backdated, muted, mutedDuty, deniedActor, dismissed
    }

    /// A person's settings.
    struct Preferences: Equatable {
        /// A window of the quiet hours, by the clock of the person's zone.
        struct Window: Equatable {
            /// ISO weekday on which it begins, 1…7.
            var weekday: Int
            /// Minute of that day, 0…1,439.
            var from: Int
            /// Minute of that day or of the next, 1…1,440.
            var until: Int
        }

        var account: Int64
        var quiet: [Window]
        /// Nil where the choice is older than what the server remembers.
        var quietChangedAt: WallTime?
        var letsUrgentThrough: Bool
        var wantsReminders: Bool
        var remindersChangedAt: WallTime?
        var wantsDueReminders = true
        /// Whether an item is watched by itself once the person is tagged there.
        var autoWatches = false
        var autoWatchChangedAt: WallTime?
        /// Whether GitLab's subscriptions follow what is watched.
        var mirrors = false
        var mirrorChangedAt: WallTime?
        /// What the person wants to hear; nil for what the server tells to those who have chosen nothing.
        var kinds: Set<ActivityKind>?
    }

    /// By how many minutes a person's or a duty's clock was ahead of UTC: at the export, a day before, and so on.
    struct Clock: Equatable {
        var account: Int64?
        var duty: Int64?
        var minutesAhead: [Int64]
    }

    /// Whom a person does not want to hear, or wanted not to hear until then.
    struct Denial: Equatable {
        var account: Int64
        /// The same for everybody.
        var actor: Int64
        /// The account of who is denied, if they use the notifier.
        var person: Int64?
        var isDenied: Bool
        var changedAt: WallTime

        /// Whether nothing of them was told at that instant.
        func holds(at instant: WallTime) -> Bool { isDenied == (changedAt <= instant) }
    }

    /// The last choice about an item.
    struct Choice: Equatable {
        enum Kind: String { case watched, unwatched, dismissed }

        var account: Int64
        var item: Int64
        var kind: Kind
        var changedAt: WallTime
    }

    /// That a person said that nobody on an item waits for them any more; the other ends follow from what happens.
    struct Answer: Equatable {
        enum Way: String {
            /// In the app.
            case done
            /// In GitLab.
            case todoDone = "todo_done"
        }

        var account: Int64
        var item: Int64
        var way: Way
        var at: WallTime
    }

    /// What watches ended in the course of the record: of items of which the person was told before.
    var endedWatches: [Choice] {
        let again = watches.compactMap { watch in
            watch.endedAt.flatMap { end in
                end < watch.createdAt
                    ? Choice(account: watch.account, item: watch.item, kind: .unwatched, changedAt: end) : nil
            }
        }
        return (choices.filter { $0.kind == .unwatched } + again).filter(wasTold)
    }

    /// Watches of what the person is to finish by a day, and hears of.
    var dueWatches: [Watch] {
        let deaf = Set(preferences.filter { !$0.wantsDueReminders }.map(\.account))
        return watches.filter { $0.dueOn != nil && !deaf.contains($0.account) }
    }

    /// Whether the person was told of something on that item before that choice.
    func wasTold(_ choice: Choice) -> Bool {
        facts.contains { fact in
            fact.account == choice.account && fact.item == choice.item && fact.notification != nil
                && fact.noticedAt < choice.changedAt
        }
    }
}

extension IncidentBundle.Preferences {
    private static let windowLimit = 200
    private static let kindLimit = 100

    init(_ fields: IncidentFields) throws(IncidentFault) {
        account = try fields.number("account")
        quiet = try fields.elements("quiet", atMost: Self.windowLimit).map { (window) throws(IncidentFault) -> Window in
            Window(
                weekday: Int(try window.number("weekday", within: 1...7)),
                from: Int(try window.number("from", within: 0...1_439)),
                until: Int(try window.number("until", within: 1...1_440))
            )
        }
        quietChangedAt = try fields.optionalInstant("quietChangedAt")
        letsUrgentThrough = try fields.flag("urgentBypass")
        let hasReminders = try fields.flag("reminders")
        wantsReminders = fields.member("reminders") == nil || hasReminders
        remindersChangedAt = try fields.optionalInstant("remindersChangedAt")
        let hasDueReminders = try fields.flag("dueReminders")
        wantsDueReminders = fields.member("dueReminders") == nil || hasDueReminders
        autoWatches = try fields.flag("autoWatch")
        autoWatchChangedAt = try fields.optionalInstant("autoWatchChangedAt")
        mirrors = try fields.flag("mirrorsSubscriptions")
        mirrorChangedAt = try fields.optionalInstant("mirrorChangedAt")
        guard fields.member("kinds") != nil else { return }
        let names = try fields.elements("kinds", atMost: Self.kindLimit).compactMap(\.node.string)
        kinds = Set(names.compactMap(ActivityKind.init(rawValue:)))
    }
}

extension IncidentBundle.Clock {
    private static let dayLimit = 100

    init(_ fields: IncidentFields) throws(IncidentFault) {
        account = try fields.optionalNumber("account")
        duty = try fields.optionalNumber("duty")
        minutesAhead = try fields.numbers("minutesAhead", atMost: Self.dayLimit, within: -1_440...1_440)
    }
}

extension IncidentBundle.Denial {
    init(_ fields: IncidentFields) throws(IncidentFault) {
        account = try fields.number("account")
        actor = try fields.number("actor")
        person = try fields.optionalNumber("person")
        isDenied = try fields.flag("isDenied")
        changedAt = try fields.instant("changedAt")
    }
}

extension IncidentBundle.Choice {
    /// Nil for one of a kind that is not known.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        guard let kind = try fields.word("choice", Kind.self) else { return nil }
        self.kind = kind
        account = try fields.number("account")
        item = try fields.number("item")
        changedAt = try fields.instant("changedAt")
    }
}

extension IncidentBundle.Answer {
    /// Nil for what is open, or ended otherwise.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        guard let way = try fields.word("settledBy", Way.self), let at = try fields.optionalInstant("settledAt") else {
            return nil
        }
        (self.way, self.at) = (way, at)
        account = try fields.number("account")
        item = try fields.number("item")
    }
}
