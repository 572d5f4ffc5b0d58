import Platform
import Scenarios

/// Whether anybody was told what they could not read, or asked for what they cannot have known: what accounts share must not pass on
/// anything but when to look.
struct SecretChecks {
    private let judged: JudgedRun
    private let record: RunRecord
    private let confidentiality: Confidentiality
    private let told: [Username: [Telling]]
    /// Where each person had no access, and when.
    private let excluded: [Username: [NoAccess]]
    /// Items that a person watched at any time, as far as the record or the scenario say.
    private let watched: Set<PersonItem>

    private typealias NoAccess = (project: ProjectPath, span: Span)

    /// What reached a person, by push or from the feed.
    private struct Telling {
        var at: Duration
        var factKeys: [String]
        var text: String
    }

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
        confidentiality = Confidentiality(judged.record.resolved)
        told = Self.tellings(judged.record)
        excluded = Dictionary(grouping: judged.record.registrations.filter { !$0.noAccess.isEmpty }, by: \.person)
            .mapValues { $0.flatMap(\.noAccess) }
        watched = Self.watched(judged.record)
    }

    /// A watch whose answer was lost is none that the app knows of; the story does.
    private static func watched(_ record: RunRecord) -> Set<PersonItem> {
        var watched = Set(record.watches.map { PersonItem(person: $0.person, item: $0.item) })
        for person in record.resolved.scenario.world.people {
            for item in person.notified?.watches ?? [] {
                watched.insert(PersonItem(person: person.username, item: item))
            }
        }
        return watched
    }

    func violations() -> [ViolationRecord] { toldUnseen() + askedUnwatched() }

    private static func tellings(_ record: RunRecord) -> [Username: [Telling]] {
        var told: [Username: [Telling]] = [:]
        func add(_ content: PushContent, _ person: Username, at instant: Duration) {
            let text = "\(content.title)\n\(content.text)"
            told[person, default: []].append(Telling(at: instant, factKeys: content.factKeys, text: text))
        }
        for push in record.pushes {
            if let person = push.person, let content = push.content { add(content, person, at: push.at) }
        }
        for event in record.deviceEvents where event.isByApp {
            if let content = event.content { add(content, event.person, at: event.at) }
        }
        for read in record.catchUps {
            told[read.person, default: []].append(Telling(at: read.at, factKeys: read.factKeys, text: ""))
        }
        return told
    }

    // MARK: told-without-access

    /// What was told of something that was hidden from its reader from when it was done until they were told.
    private func toldUnseen() -> [ViolationRecord] {
        judged.truth.pairs.compactMap { pair in
            let activity = record.activities[pair.activity]
            let person = judged.truth.people[pair.person]
            guard let tellings = told[person], let end = hiddenUntil(activity, person) else { return nil }
            let words = secretWords(of: activity, person)
            let telling = tellings.first { telling in
                guard activity.at <= telling.at, telling.at < end else { return false }
                return telling.factKeys.contains { pair.keys.own.contains($0) }
                    || words.contains(where: telling.text.contains)
            }
            guard let telling else { return nil }
            return ViolationRecord(
                invariant: .toldUnseen,
                at: telling.at,
                detail:
                    "\(person) was told of activity \(activity.number) on \(activity.item.map { "\($0)" } ?? "nothing"), "
                    + "which they could not read at any time since it was done."
            )
        }
    }

    /// Until when the activity stayed hidden from a person who could not read it when it was done; nil when they could. Whoever was made
    /// an assignee may have been let in by that.
    private func hiddenUntil(_ activity: ActivityRecord, _ person: Username) -> Duration? {
        let last = excluded[person]?.last { project, span in
            project == activity.project && span.from <= activity.at && activity.at < span.until
        }
        if let last { return last.span.until }
        guard let item = activity.item,
            let end = confidentiality.hiddenUntil(item, from: person, at: activity.at),
            !record.activities.contains(where: { $0.item == item && $0.kind == .assigned })
        else { return nil }
        return end
    }

    /// A text of fewer characters may stand anywhere by chance.
    private static let shortestSecret = 12
    /// A text is cut where there is no room for it.
    private static let longestSecret = 32

    /// What only a reader of the activity can know: the words of a comment, a new title. Nothing that somebody said where the person could read
    /// it, and no title that the item had before.
    private func secretWords(of activity: ActivityRecord, _ person: Username) -> [String] {
        var words = [activity.body].compactMap(\.self)
        if activity.kind == .titleChanged { words.append(activity.itemTitle) }
        return words.map { String($0.prefix(Self.longestSecret)) }.filter { word in
            word.count >= Self.shortestSecret
                && !record.activities.contains { other in
                    guard other.number != activity.number, hiddenUntil(other, person) == nil else { return false }
                    return other.body?.contains(word) == true || other.itemTitle.contains(word)
                }
        }
    }

    // MARK: asked-unwatched

    /// What the notifier asked for with the token of somebody who neither watched it nor was told of it by GitLab: a hint of others' must not
    /// be followed there, since already the question says that there is something.
    private func askedUnwatched() -> [ViolationRecord] {
        record.itemRequests.compactMap { request in
            guard !mayAsk(request) else { return nil }
            return ViolationRecord(
                invariant: .askedUnwatched,
                at: request.at,
                detail:
                    "GitLab was asked for \(request.item) with the token of \(request.person), who did not watch it."
            )
        }
    }

    /// So may whoever may be asked for an issue that has been moved there: a note of its own names the other end.
    private func mayAsk(_ request: ItemRequestRecord) -> Bool {
        var items = [request.item]
        for activity in record.activities.reversed() where activity.successor.map(items.contains) == true {
            if let item = activity.item, activity.at <= request.at { items.append(item) }
        }
        return items.contains { mayAsk(for: $0, request.person, at: request.at) }
    }

    private func mayAsk(for item: ItemReference, _ person: Username, at instant: Duration) -> Bool {
        if watched.contains(PersonItem(person: person, item: item)) { return true }
        let isPlanned = record.resolved.steps.contains { step in
            guard case .watch(item, by: person) = step.action else { return false }
            return step.offset <= instant
        }
        return isPlanned
            || record.activities.contains { activity in
                activity.item == item && activity.at <= instant && activity.todos.contains { $0.person == person }
            }
    }
}
