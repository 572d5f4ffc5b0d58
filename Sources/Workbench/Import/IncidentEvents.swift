import JSON
import Platform

/// What people did, out of what the notifier knew of and what persons say they missed: entries of a scenario's timeline.
///
/// Of a fact the bundle says which list it stood in, on which item, when, who was told, and why others were not: their own doing, a
/// mute, a deny-list. Of a server that does not keep the reason, who did it is a guess: somebody who knew of it and was not told, or else
/// a colleague.
struct IncidentEvents {
    /// One thing that somebody did.
    struct Event: Equatable {
        var at: WallTime
        var item: Int64
        var action: String
        /// The account that did it; nil for a colleague.
        var actor: Int64?
        /// Whoever did it is on deny-lists.
        var denied: IncidentBundle.Denial?
        /// Whom it is about, or names.
        var accounts: [Int64] = []
        /// Why its kind is a guess; nil where it is none.
        var guess: String?
        /// The accounts that were told of it, or have said that they missed it.
        var settled: Set<Int64> = []
    }

    /// How far what a person says may lie from when it happened.
    private static let reportMargin = Duration.minutes(2)

    private(set) var events: [Event] = []
    /// Facts that cannot be played: on no item, or of kinds that a comment cannot stand for.
    private(set) var leftOut = 0

    init(_ bundle: IncidentBundle, _ timeline: IncidentTimeline) {
        let notifications = Dictionary(
            bundle.notifications.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var newest: [Int64: Int64] = [:]
        for fact in bundle.facts { if let notification = fact.notification { newest[notification] = fact.number } }
        // What programs said is told elsewhere.
        let groups = Dictionary(grouping: bundle.facts.filter { $0.source != "signal" }, by: \.number).sorted {
            $0.key < $1.key
        }
        for (number, facts) in groups where !facts.allSatisfy(\.isToldElsewhere) {
            let told = facts.compactMap { fact in fact.notification.flatMap { notifications[$0] } }
            let word = told.first { newest[$0.id] == number && $0.action != nil }?.action
            guard var event = Self.event(facts, word: word, bundle.denials) else {
                leftOut += 1
                continue
            }
            event.at = timeline.serverTime(event.at)
            guard timeline.start <= event.at, event.at < timeline.end else {
                leftOut += 1
                continue
            }
            events.append(event)
        }
        for report in bundle.reports { take(report, timeline) }
        events.sort { ($0.at, $0.item, $0.action) < ($1.at, $1.item, $1.action) }
    }

    /// What a fact was, from all who know of it; nil for what was on no item, or what no person did.
    private static func event(
        _ facts: [IncidentBundle.Fact],
        word: String?,
        _ denials: [IncidentBundle.Denial]
    ) -> Event? {
        guard let item = facts.compactMap(\.item).first, let at = facts.map(\.happenedAt).min() else { return nil }
        let source = facts.contains { $0.source == "note" } ? "note" : facts[0].source
        guard !["due", "duty", "other"].contains(source) else { return nil }
        let told = Set(facts.filter { $0.notification != nil }.map(\.account))
        // What was imported or bears an old date cannot be played.
        guard !told.isEmpty || !facts.contains(where: { $0.silence == .backdated }) else { return nil }
        let silent = Set(facts.map(\.account)).subtracting(told)
        let own = Set(
            facts.filter { $0.saysWhy ? $0.silence == .ownAction : silent.contains($0.account) }.map(\.account)
        )
        var event = Event(at: at, item: item, action: "comment", actor: own.sorted().first, settled: told)
        if event.actor == nil { event.denied = denied(facts, told, denials) }
        let mentioned = Set(facts.filter { $0.source == "mention" }.map(\.account)).subtracting(own).sorted()
        switch word {
        case "commented", "mentioned": event.accounts = mentioned
        case "approved": event.action = "approve"
        case "unapproved": event.action = "unapprove"
        case "merged": event.action = "merge"
        case "closed": event.action = "close"
        case "reopened": event.action = "reopen"
        case "pushed": event.action = "push"
        case "assigned": (event.action, event.accounts) = ("assign", told.sorted())
        case "review_requested": (event.action, event.accounts) = ("request-review", told.sorted())
        case "assignees_changed": event.action = "assign"
        case "reviewers_changed": event.action = "request-review"
        case "labels_changed": event.action = "add-label"
        case "milestone_changed": event.action = "set-milestone"
        case nil where told.isEmpty:
            event.guess = "nobody was told of it" + (own.isEmpty ? "" : ", so a person who knew of it did it")
        default:
            event.accounts = mentioned
            event.guess =
                word.map { "it was \($0)" } ?? "of \(source == "note" ? "a note" : "its kind") no more is known"
        }
        return event
    }

    /// Somebody whom all from whom it was kept for that do not want to hear, and of those who were told nobody.
    private static func denied(
        _ facts: [IncidentBundle.Fact],
        _ told: Set<Int64>,
        _ denials: [IncidentBundle.Denial]
    ) -> IncidentBundle.Denial? {
        let kept = facts.filter { $0.silence == .deniedActor }
        guard let first = kept.first else { return nil }
        func isDenied(_ actor: Int64, by fact: IncidentBundle.Fact) -> Bool {
            denials.contains { $0.account == fact.account && $0.actor == actor && $0.holds(at: fact.noticedAt) }
        }
        // What waited for the end of quiet hours may have been silenced by a choice that was made meanwhile.
        func mayKeep(_ actor: Int64, _ fact: IncidentBundle.Fact) -> Bool {
            denials.contains {
                $0.account == fact.account && $0.actor == actor && ($0.isDenied || fact.noticedAt < $0.changedAt)
            }
        }
        let possible = denials.filter { denial in
            denial.account == first.account && kept.allSatisfy { mayKeep(denial.actor, $0) }
        }
        return possible.first { denial in
            !facts.contains { told.contains($0.account) && isDenied(denial.actor, by: $0) }
        } ?? possible.first
    }

    /// Something that a person missed: what was done to that item then, or else a comment.
    private mutating func take(_ report: IncidentBundle.Report, _ timeline: IncidentTimeline) {
        guard let item = report.item, timeline.start <= report.at, report.at < timeline.end else { return leftOut += 1 }
        let open = events.indices.filter { events[$0].item == item && !events[$0].settled.contains(report.account) }
        let distances = open.map { index in
            (index: index, microseconds: abs(events[index].at.duration(to: report.at).wholeMicroseconds))
        }
        let nearest = distances.min { $0.microseconds < $1.microseconds }
        if let nearest, nearest.microseconds <= Self.reportMargin.wholeMicroseconds {
            // Whoever says that they missed it did not do it.
            if events[nearest.index].actor == report.account { events[nearest.index].actor = nil }
            events[nearest.index].settled.insert(report.account)
        } else {
            events.append(
                Event(
                    at: report.at,
                    item: item,
                    action: "comment",
                    guess: "a person says that they missed something here",
                    settled: [report.account]
                )
            )
        }
    }

    // MARK: Entries

    /// The entries that let it happen, each with the guess that stands in it.
    func entries(_ cast: IncidentCast, from start: WallTime) -> [JSONValue] {
        var performers = IncidentPerformers()
        return events.enumerated().compactMap { index, event in
            guard let reference = cast.reference(event.item) else { return nil }
            let actor = event.actor.flatMap { cast.knows($0) ? cast.name($0) : nil } ?? event.denied.map(cast.name(of:))
            let names = event.accounts.filter(cast.knows).map(cast.name)
            let by = actor ?? performers.colleague(for: event, index)
            var members: [JSONMember] = []
            if let guess = event.guess { members.append(JSONMember("description", .string("Guess: \(guess)."))) }
            members += [
                JSONMember("at", .string(DurationNotation.text(start.duration(to: event.at)))),
                JSONMember("action", .string(event.action)), JSONMember("by", .string(by)),
                JSONMember("on", .string(reference)),
            ]
            switch event.action {
            case "comment" where names.count > 1:
                members.append(JSONMember("body", .string("A look at this, please: " + names.joined(separator: " "))))
            case "comment": if let name = names.first { members.append(JSONMember("mention", .string(name))) }
            case "assign", "request-review":
                members.append(JSONMember("user", .string(names.first ?? performers.someoneElse(than: by, index))))
            case "add-label": members.append(JSONMember("label", .string("label-\(index + 1)")))
            case "set-milestone": members.append(JSONMember("milestone", .string("milestone-\(index + 1)")))
            default: break
            }
            return .object(members)
        }
    }
}

/// Which colleague does what nobody who is known did.
private struct IncidentPerformers {
    private var approvals: [Int64: Set<String>] = [:]

    /// Nobody approves twice, and only who has approved takes that back.
    mutating func colleague(for event: IncidentEvents.Event, _ index: Int) -> String {
        let all = IncidentCast.colleagues
        let usual = all[index % all.count]
        let given = approvals[event.item] ?? []
        switch event.action {
        case "approve":
            let name = all.first { !given.contains($0) } ?? usual
            approvals[event.item, default: []].insert(name)
            return name
        case "unapprove":
            let name = all.first(where: given.contains) ?? usual
            approvals[event.item]?.remove(name)
            return name
        default: return usual
        }
    }

    func someoneElse(than name: String, _ index: Int) -> String {
        let all = IncidentCast.colleagues
        let other = all[(index + 1) % all.count]
        return other == name ? all[(index + 2) % all.count] : other
    }
}
