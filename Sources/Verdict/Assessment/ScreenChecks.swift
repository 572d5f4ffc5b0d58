import Platform
import Scenarios

/// Whether the app's screens said of a person's account, and of who waits for them, what was so. What screens say of each other and of GitLab's
/// lists was compared while the run lasted.
struct ScreenChecks {
    /// As long as a refused token may stay unknown, and one that is taken again (`refused-token-untold`).
    private static let patience = Duration.minutes(30)
    /// Between a change at the server and its screens some time passes, and clocks of services differ.
    private static let tolerance = Duration.minutes(1)
    /// The server's word for an account whose token GitLab refuses, and for one that can be read.
    private static let refused = "auth_expired"
    private static let active = "active"

    private let judged: JudgedRun
    private let record: RunRecord
    /// Asks on items, and which items became others.
    private let asks: [Username: [(item: ItemReference, ask: TruthAsk)]]
    private let successors: Set<ItemReference>
    private let isUnclear: Set<Username>
    /// What there is to know of the way to GitLab; nil where there are no screens.
    private let service: ServiceNewsChecks?

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
        successors = Set(record.activities.compactMap(\.successor))
        isUnclear = Set(judged.observations.truncated.keys.map { judged.truth.people[$0] })
        guard !record.screens.isEmpty else {
            (asks, service) = ([:], nil)
            return
        }
        service = ServiceNewsChecks(judged: judged)
        let truth = AskTruth(record, truth: judged.truth)
        asks = judged.outcomes.reduce(into: [:]) { asks, outcome in
            guard let item = judged.record.activities[outcome.pair.activity].item, let ask = truth.ask(outcome) else {
                return
            }
            asks[ask.person, default: []].append((item, ask))
        }
    }

    func violations() -> [ViolationRecord] {
        record.screens.flatMap { screen in
            [account(screen), trouble(screen), expiry(screen), quiet(screen), history(screen), waiting(screen)]
                .flatMap { $0 }
        }
    }

    private func violation(_ screen: ScreenRecord, _ what: String) -> ViolationRecord {
        ViolationRecord(
            invariant: .screenMistold,
            at: screen.askedAt,
            detail: "\(screen.device) of \(screen.person) \(what)"
        )
    }

    // MARK: The account

    private func account(_ screen: ScreenRecord) -> [ViolationRecord] {
        let registrations = record.registrations.filter { $0.person == screen.person }
        let dead = registrations.flatMap(\.tokenDead)
        switch screen.accountState {
        case Self.active:
            let isKnown = dead.contains { span in
                judged.truth.refusalDeadline(from: span.from, grace: Self.patience, for: screen.person) < screen.askedAt
                    && screen.answeredAt < span.until
            }
            return isKnown ? [violation(screen, "says that GitLab can be read; it refuses the token.")] : []
        case Self.refused:
            let refusals = registrations.flatMap(\.unserved)
            let isExcused =
                refusals.contains { $0.from <= screen.answeredAt && screen.askedAt < $0.until + Self.patience }
                || record.faults.contains { $0.span.from <= screen.answeredAt && $0.kind.place != .apns }
            return isExcused ? [] : [violation(screen, "says that GitLab refuses the token; it takes it.")]
        default:
            return [violation(screen, "says of the account: \(screen.accountState).")]
        }
    }

    /// Whose token is refused is not asked for: of the way to GitLab nothing is known then.
    private func trouble(_ screen: ScreenRecord) -> [ViolationRecord] {
        guard screen.accountState == Self.active, let what = service?.complaint(about: screen) else { return [] }
        return [violation(screen, what)]
    }

    /// The day on which a pasted token dies, as long as it is the first.
    private func expiry(_ screen: ScreenRecord) -> [ViolationRecord] {
        guard let day = screen.tokenExpiresOn,
            let notified = record.resolved.scenario.world.person(screen.person)?.notified, notified.signIn == .token,
            !hasChangedToken(screen.person, until: screen.answeredAt)
        else { return [] }
        let start = record.resolved.scenario.start
        let truth = notified.token.expiry.map { CalendarNotation.dayText(CivilDate(start.advanced(by: $0))) }
        guard truth != day else { return [] }
        return [violation(screen, "says that the token dies on \(day); it does on \(truth ?? "no day").")]
    }

    private func hasChangedToken(_ person: Username, until end: Duration) -> Bool {
        record.resolved.steps.contains { step in
            if case .token(_, by: person) = step.action { step.offset <= end } else { false }
        }
    }

    /// Until when the quiet hours last that somebody is in.
    private func quiet(_ screen: ScreenRecord) -> [ViolationRecord] {
        guard !record.faults.contains(where: { $0.kind.place == .clock || $0.kind == .restoreBackup }) else {
            return []
        }
        let truth: Duration?
        switch judged.truth.preferences.saidToBeQuiet(screen.person, from: screen.askedAt, until: screen.answeredAt) {
        case .unclear: return []
        case .none: truth = nil
        case .held(let end): truth = end
        }
        guard truth != screen.quietUntil else { return [] }
        func name(_ end: Duration?) -> String { end.map { "until \(DurationNotation.text($0))" } ?? "not" }
        return [violation(screen, "says that it is quiet \(name(screen.quietUntil)); it is \(name(truth)).")]
    }

    // MARK: What is kept

    /// What is too old is forgotten once a day, for the first time an hour after a start.
    private static let forgetting = Duration.hours(26)
    private static let afterStart = Duration.hours(1)

    /// Something that was to be forgotten.
    private func history(_ screen: ScreenRecord) -> [ViolationRecord] {
        let isDisturbed = record.faults.contains {
            $0.kind.keepsFromStoring || [.clock, .database].contains($0.kind.place)
        }
        guard let oldest = screen.oldest, !isDisturbed else { return [] }
        let kept = record.resolved.scenario.notifier.retention
        let stops = record.downtimes.filter { $0.from <= screen.askedAt && oldest + kept <= $0.until }
        let longest = stops.reduce(kept + Self.forgetting) { $0 + Self.afterStart + ($1.until - $1.from) }
        guard oldest + longest < screen.askedAt else { return [] }
        let (age, limit) = (DurationNotation.text(screen.askedAt - oldest), DurationNotation.text(kept))
        return [violation(screen, "lists what is \(age) old, and had to be forgotten after \(limit).")]
    }

    // MARK: Who waits

    private func waiting(_ screen: ScreenRecord) -> [ViolationRecord] {
        // Gone back to a backup, the notifier has forgotten whom it told.
        guard !record.faults.contains(where: { $0.kind == .restoreBackup }), !isUnclear.contains(screen.person) else {
            return []
        }
        let asks = asks[screen.person] ?? []
        let listed = Set(screen.asks).filter { !successors.contains($0) }
        let wrong = listed.sorted { $0.description < $1.description }.compactMap { item -> ViolationRecord? in
            let own = asks.filter { $0.item == item && $0.ask.since <= screen.answeredAt }
            let isOver = own.allSatisfy { $0.ask.endKnown.map { $0 + Self.tolerance < screen.askedAt } ?? false }
            return isOver ? violation(screen, "says that somebody waits on \(item); nobody does.") : nil
        }
        let missing = asks.filter { item, ask in
            // Without reminders nothing is kept of who waits.
            guard !record.resolved.scenario.notifier.reminderDelays.isEmpty, let told = ask.told, ask.isCertain,
                !listed.contains(item)
            else { return false }
            return max(told.by, ask.knownFrom) + Self.tolerance <= screen.askedAt && screen.answeredAt < ask.mayEnd
        }
        return wrong + missing.map { violation(screen, "does not say that somebody waits on \($0.item).") }
    }
}
