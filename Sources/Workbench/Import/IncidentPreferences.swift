import JSON
import Platform
import Scenarios

/// What people chose to be told of, as entries of a scenario's timeline: quiet hours, mutes, deny-lists, dismissals,
/// ended watches, answers.
struct IncidentPreferences {
    /// What was chosen before the record begins is chosen so long after the start, when everybody has signed in.
    private static let settling = Duration.seconds(30)

    /// What people do ends their to-dos within that time.
    private static let reach = Duration.minutes(3)

    private let bundle: IncidentBundle
    private let timeline: IncidentTimeline
    private let cast: IncidentCast

    init(_ bundle: IncidentBundle, _ timeline: IncidentTimeline, _ cast: IncidentCast) {
        (self.bundle, self.timeline, self.cast) = (bundle, timeline, cast)
    }

    var entries: [JSONValue] {
        let settings = bundle.preferences.flatMap { preferences in
            formerQuietHours(preferences) + [quietHours(preferences), reminders(preferences), mirroring(preferences)]
                + autoWatch(preferences)
        }
        let ended = bundle.endedWatches.map { entry("unwatch", by: $0.account, at: $0.changedAt, on: $0.item) }
        let dismissals = bundle.choices.filter { $0.kind == .dismissed && bundle.wasTold($0) }.map {
            entry("tap-dismiss", by: $0.account, at: $0.changedAt, on: $0.item)
        }
        let parts = [
            settings, bundle.denials.flatMap(denial), bundle.watches.flatMap(mutes), ended, dismissals,
            bundle.answers.map(answer), dueDates,
        ]
        return parts.flatMap(\.self).compactMap(\.self)
    }

    // MARK: Settings

    private func quietHours(_ preferences: IncidentBundle.Preferences) -> JSONValue? {
        let shown = bundle.clocks.first { $0.account == preferences.account }?.minutesAhead ?? []
        guard let quiet = IncidentQuietHours(preferences.quiet, IncidentClock(shown, timeline)) else { return nil }
        var members = [JSONMember("quiet", .string(quiet.hours))]
        if let days = quiet.days { members.append(JSONMember("days", .string(days))) }
        members.append(JSONMember("zone", .string(quiet.zone.rawValue)))
        if !preferences.letsUrgentThrough { members.append(JSONMember("urgent", false)) }
        let at = preferences.quietChangedAt
        return entry("set-quiet-hours", by: preferences.account, at: at, guess: quiet.guess, members)
    }

    /// Those before the last choice, if they have kept anything back.
    private func formerQuietHours(_ preferences: IncidentBundle.Preferences) -> [JSONValue?] {
        guard let changed = preferences.quietChangedAt, timeline.start < changed,
            let former = IncidentFormerQuietHours(of: preferences.account, bundle, until: changed)
        else { return [] }
        let hours = [
            JSONMember("quiet", .string(former.hours)), JSONMember("zone", .string(QuietHours.Zone.utc.rawValue)),
        ]
        let guess = "what was told late says that they had some before the last choice, from that hour to that"
        let end = preferences.quiet.isEmpty ? entry("clear-quiet-hours", by: preferences.account, at: changed) : nil
        return [entry("set-quiet-hours", by: preferences.account, at: nil, guess: guess, hours), end]
    }

    private func reminders(_ preferences: IncidentBundle.Preferences) -> JSONValue? {
        guard !preferences.wantsReminders else { return nil }
        return entry("reminders-off", by: preferences.account, at: preferences.remindersChangedAt)
    }

    private func mirroring(_ preferences: IncidentBundle.Preferences) -> JSONValue? {
        guard preferences.mirrors else { return nil }
        return entry("mirror-on", by: preferences.account, at: preferences.mirrorChangedAt)
    }

    private func autoWatch(_ preferences: IncidentBundle.Preferences) -> [JSONValue?] {
        let (account, changed) = (preferences.account, preferences.autoWatchChangedAt)
        if preferences.autoWatches { return [entry("auto-watch-on", by: account, at: changed)] }
        // Where it is off and was never on, nothing was chosen.
        guard let changed, bundle.watches.contains(where: { isAutomatic($0, of: account, before: changed) }) else {
            return []
        }
        let guess = "on from the beginning, as an item was watched by itself before that was switched off"
        return [
            entry("auto-watch-on", by: account, at: nil, guess: guess),
            entry("auto-watch-off", by: account, at: changed),
        ]
    }

    private func isAutomatic(_ watch: IncidentBundle.Watch, of account: Int64, before instant: WallTime) -> Bool {
        watch.account == account && watch.isAutomatic && watch.createdAt < instant
    }

    // MARK: People and items

    private func denial(_ denial: IncidentBundle.Denial) -> [JSONValue?] {
        let user = [JSONMember("user", .string(cast.name(of: denial)))]
        if denial.isDenied {
            return [entry("deny-actor", by: denial.account, at: denial.changedAt, user)]
        }
        let kept = bundle.facts.filter { $0.account == denial.account && $0.silence == .deniedActor }
        guard let first = kept.map(\.noticedAt).min(), first < denial.changedAt else { return [] }
        return [
            entry(
                "deny-actor",
                by: denial.account,
                at: first.advanced(by: .minutes(-1)),
                guess: "shortly before the first thing that was kept from them for that",
                user
            ), entry("allow-actor", by: denial.account, at: denial.changedAt, user),
        ]
    }

    /// The days by which items are due; who has them to do stands in the world.
    private var dueDates: [JSONValue?] {
        let days = Dictionary(bundle.dueWatches.map { ($0.item, $0.dueOn) }, uniquingKeysWith: { first, _ in first })
        return days.sorted { $0.key < $1.key }.map { item, day -> JSONValue? in
            guard let day, let reference = cast.reference(item) else { return nil }
            return timeline.action(
                "set-due-date",
                by: IncidentCast.author,
                at: timeline.start.advanced(by: Self.settling),
                guess: "the day that stands stood from the beginning",
                [JSONMember("on", .string(reference)), JSONMember("due", .string(day))]
            )
        }
    }

    /// An ask of one that stood there twice is over with the first.
    private func answer(_ answer: IncidentBundle.Answer) -> JSONValue? {
        switch answer.way {
        case .done: return entry("settle", by: answer.account, at: answer.at, on: answer.item)
        case .todoDone:
            // What they do there ends a to-do, too.
            guard !bundle.facts.contains(where: { isReason($0, for: answer) }) else { return nil }
            // Before it was noticed; but what is done before it was read is told to nobody.
            let guess = "it was done in GitLab shortly before"
            return entry("todo-done", by: answer.account, at: answer.at, on: answer.item, guess: guess)
        }
    }

    private func isReason(_ fact: IncidentBundle.Fact, for answer: IncidentBundle.Answer) -> Bool {
        fact.account == answer.account && fact.item == answer.item && fact.silence == .ownAction
            && abs(fact.happenedAt.duration(to: answer.at).wholeMicroseconds) <= Self.reach.wholeMicroseconds
    }

    private func mutes(_ watch: IncidentBundle.Watch) -> [JSONValue?] {
        IncidentMutes(watch, bundle.facts, end: timeline.end).mutes.flatMap { mute -> [JSONValue?] in
            let from = max(mute.from, earliest(watch.account))
            guard from < mute.until else { return [] }
            let length = from.duration(to: mute.wasEnded ? max(timeline.end, mute.until) : mute.until)
            return [
                entry(
                    "mute",
                    by: watch.account,
                    at: from,
                    on: watch.item,
                    guess: mute.isGuess ? "muted between what was told before, what was kept from them and after" : nil,
                    [JSONMember("for", .string(DurationNotation.text(max(.seconds(1), length))))]
                ), mute.wasEnded ? entry("unmute", by: watch.account, at: mute.until, on: watch.item) : nil,
            ]
        }
    }

    // MARK: Entries

    /// When the person can have chosen something at the earliest.
    private func earliest(_ account: Int64) -> WallTime {
        let created = bundle.accounts.first { $0.id == account }?.createdAt ?? timeline.start
        return max(created, timeline.start).advanced(by: Self.settling)
    }

    private func entry(
        _ name: String,
        by account: Int64,
        at instant: WallTime?,
        guess: String? = nil,
        _ more: [JSONMember] = []
    ) -> JSONValue? {
        guard cast.knows(account) else { return nil }
        let earliest = earliest(account)
        let at = max(instant ?? earliest, earliest)
        return timeline.action(name, by: cast.name(account), at: at, guess: guess, more)
    }

    private func entry(
        _ name: String,
        by account: Int64,
        at instant: WallTime,
        on item: Int64,
        guess: String? = nil,
        _ more: [JSONMember] = []
    ) -> JSONValue? {
        guard let reference = cast.reference(item) else { return nil }
        return entry(name, by: account, at: instant, guess: guess, [JSONMember("on", .string(reference))] + more)
    }
}
