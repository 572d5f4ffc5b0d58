import Platform
import Scenarios

/// Whether people whose GitLab token dies on a day that GitLab tells heard of it ahead: once `tokenWarningDays` before, and once more when
/// a day is left.
///
/// Judged until something happens to the token; what becomes of the next one is not known from outside.
struct ExpiryNewsChecks {
    /// The type of a push that says so.
    private static let type = "token_expiring"
    /// When the second warning is due, before the end.
    private static let lastDay = Duration.days(1)
    /// How long GitLab must have been readable since a warning was due. How soon it comes is not judged.
    private static let grace = Duration.minutes(30)

    /// How long after signing in an app has told the notifier of its device.
    private static let joining = Duration.minutes(1)

    /// From when until when a person has to be warned once.
    private struct Warning {
        var from: Duration
        var until: Duration
    }

    private struct News {
        var id: String
        var at: Duration
    }

    private let judged: JudgedRun
    private let record: RunRecord
    private let devices: DeviceFates
    private let daysAhead: Int
    /// A clock that is set moves the days as the notifier sees them: then nothing is judged.
    private let isTimed: Bool
    /// What each person was told of it, once for each notification, by when the notifier made it.
    private let news: [Username: [News]]

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
        devices = DeviceFates(record)
        daysAhead = record.resolved.scenario.notifier.tokenWarningDays
        isTimed = !record.faults.contains { $0.kind.place == .clock }
        news = isTimed ? Self.news(judged) : [:]
    }

    func violations() -> [ViolationRecord] {
        guard isTimed else { return [] }
        return record.resolved.scenario.world.people.flatMap { person -> [ViolationRecord] in
            guard let notified = person.notified, notified.signIn == .token else { return [] }
            let change = firstChange(of: person.username)
            let news = news[person.username, default: []].filter { $0.at < change }
            guard let expiry = notified.token.expiry else {
                return news.map {
                    violation("\(person.username) was warned of a token that does not expire.", at: $0.at)
                }
            }
            return warnings(of: person.username, expiry).flatMap { warning in
                wrong(warning, to: person.username, told: news, until: min(change, warning.until))
            }
        }
    }

    private func violation(_ detail: String, at instant: Duration) -> ViolationRecord {
        ViolationRecord(invariant: .expiryUntold, at: instant, detail: detail)
    }

    /// When the person's token became another one, or GitLab ceased to take it, for the first time since they registered.
    private func firstChange(of person: Username) -> Duration {
        let registrations = record.registrations.filter { $0.person == person }
        let registered = registrations.first?.activeFrom ?? .zero
        let refused = registrations.flatMap(\.unserved).map(\.from)
        let done = record.resolved.steps.filter { step in
            switch step.action {
            case .token(_, by: person), .register(by: person): registered < step.offset
            default: false
            }
        }
        return (refused + done.map(\.offset)).min() ?? record.simulated
    }

    private static func news(_ judged: JudgedRun) -> [Username: [News]] {
        let made = Dictionary(judged.log.enqueues.map { ($0.notificationID, $0.at) }) { first, _ in first }
        let pushed = judged.record.pushes.map { (person: $0.person, content: $0.content, at: $0.at) }
        // An open app fetches it before its push has left, and then none is sent.
        let shown = judged.record.deviceEvents.map { (person: Username?($0.person), content: $0.content, at: $0.at) }
        var known: [Username: Set<String>] = [:]
        return (pushed + shown).reduce(into: [:]) { news, sight in
            guard let person = sight.person, let content = sight.content, content.type == type,
                !judged.forgotten.contains(content.notificationID),
                known[person, default: []].insert(content.notificationID).inserted
            else { return }
            let id = content.notificationID
            news[person, default: []].append(News(id: id, at: made[id] ?? sight.at))
        }
    }

    /// What a person must hear, who registered with a token that dies at the beginning of the day, in UTC, on which so much time has passed.
    private func warnings(of person: Username, _ expiry: Duration) -> [Warning] {
        guard let registered = record.registrations.first(where: { $0.person == person })?.activeFrom else { return [] }
        let start = record.resolved.scenario.start
        let day = CivilDate(start.advanced(by: expiry))
        let end = start.duration(to: CivilDate(year: day.year, month: day.month, day: day.day).wallTime())
        let lastDay = end - Self.lastDay
        let spans = [
            Warning(from: max(registered, end - .days(daysAhead)), until: lastDay),
            Warning(from: max(registered, lastDay), until: end),
        ]
        return spans.filter { $0.from < $0.until }
    }

    private func wrong(
        _ warning: Warning,
        to person: Username,
        told: [News],
        until end: Duration
    ) -> [ViolationRecord] {
        let told = told.filter { warning.from <= $0.at && $0.at < end }
        if told.count > 1 {
            return [violation("\(person) was warned \(told.count) times that their token expires.", at: told[1].at)]
        }
        guard told.isEmpty, let place = judged.truth.people.firstIndex(of: person) else { return [] }
        // Older releases tell nobody (GitLab facts §5.3).
        guard !record.resolved.scenario.releases.contains(.v15_0) else { return [] }
        let noticed = judged.truth.obstacles[place].deadline(from: warning.from, grace: Self.grace)
        let sent = judged.truth.sendingDeadline(from: noticed, for: person)
        guard sent < end, sent < record.idleSince ?? .zero,
            devices.hasUsable(for: person, from: warning.from + Self.joining, until: sent)
        else { return [] }
        return [violation("\(person) was not warned that their token expires.", at: warning.from)]
    }
}
