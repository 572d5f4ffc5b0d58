import HTTP
import Platform
import Synchronization

/// Lets requests of all accounts pass to one GitLab, as ``InstanceBudget`` decides.
final class InstanceGate: Sendable {
    private struct State {
        var budget: InstanceBudget
        /// Of those who wait.
        var wakeSignals: [InstanceBudget.Ticket: WakeSignal] = [:]
        /// Who may go and has not heard of it yet.
        var granted: Set<InstanceBudget.Ticket> = []
        /// Who need not ask any more and has not heard of it yet.
        var spared: Set<InstanceBudget.Ticket> = []
        /// Of those who wait and may be spared.
        var needs: [InstanceBudget.Ticket: RequestNeed] = [:]
        /// The one who waits for the time at which the next may go.
        var timekeeper: InstanceBudget.Ticket?
        var wasNarrowed = false
        var toldWaitAt: MonotonicInstant?
    }

    /// What there is to say to the operator.
    enum News: Hashable, Sendable {
        /// `isRare` at most once a minute, and only of long waits.
        case waited(Duration, RequestUrgency, isRare: Bool)
        /// GitLab is asked for less than is configured, or for all of it again.
        case narrowed(Bool)
        /// GitLab was asked for something, and said this.
        case answered(RequestedList, RequestReason, RequestAnswer)
    }

    private let time: any TimeSource
    private let tell: @Sendable (News) -> Void
    private let state: Mutex<State>

    /// Calls `tell` with what there is to say, on whatever task it happens.
    init(_ limits: InstanceBudget.Limits, time: any TimeSource, tell: @escaping @Sendable (News) -> Void) {
        self.time = time
        self.tell = tell
        state = Mutex(State(budget: InstanceBudget(limits, now: time.monotonicNow)))
    }

    /// True while this GitLab is asked for less than is configured, since it does not bear that.
    var isNarrowed: Bool { state.withLock { $0.budget.strain.isNarrowed } }

    /// Waits until the request may be sent; `leave` must follow. It is part of a call that began at `since`, or at this moment.
    ///
    /// - Throws: `spared` when its turn has come and there is no `need` of it any more, `crowded` when that is not until `deadline`, `unreachable(cancelled)` when the task is cancelled.
    func enter(
        _ account: AccountID?,
        _ urgency: RequestUrgency,
        since: MonotonicInstant? = nil,
        by deadline: MonotonicInstant?,
        need: RequestNeed? = nil
    ) async throws(GitLabError) -> InstanceBudget.Ticket {
        let now = time.monotonicNow
        let ticket = state.withLock { state in
            let ticket = state.budget.enter(account, urgency, since: since ?? now)
            state.needs[ticket] = need
            return ticket
        }
        switch next(ticket) {
        case .granted: return ticket
        case .spared: throw .spared
        case .waits: break
        }
        let isGranted = try await isGranted(ticket, by: deadline)
        tellWait(of: ticket, from: now)
        guard isGranted else { throw .spared }
        return ticket
    }

    /// Waits for the ticket's turn; false when there was no need of it any more.
    private func isGranted(
        _ ticket: InstanceBudget.Ticket,
        by deadline: MonotonicInstant?
    ) async throws(GitLabError) -> Bool {
        let wakeSignal = WakeSignal(time: time)
        state.withLock { $0.wakeSignals[ticket] = wakeSignal }
        do {
            return try await wait(for: ticket, wakeSignal, by: deadline)
        } catch {
            abandon(ticket)
            throw error as? GitLabError ?? .unreachable(.cancelled)
        }
    }

    /// How long waits must have become to be worth a line, and how seldom there is one.
    private static let longWait = Duration.seconds(1)
    private static let silence = Duration.minutes(1)

    private func tellWait(of ticket: InstanceBudget.Ticket, from start: MonotonicInstant) {
        let now = time.monotonicNow
        let waited = start.duration(to: now)
        let isRare =
            waited >= Self.longWait
            && state.withLock { state in
                guard state.toldWaitAt.map({ $0.duration(to: now) >= Self.silence }) ?? true else { return false }
                state.toldWaitAt = now
                return true
            }
        tell(.waited(waited, ticket.urgency, isRare: isRare))
    }

    /// A request has ended that was sent.
    func report(_ request: HTTPRequest, _ reason: RequestReason, _ outcome: HTTPOutcome) {
        tell(.answered(RequestedList(target: request.target), reason, RequestAnswer(outcome)))
    }

    /// The request has ended.
    func leave(_ ticket: InstanceBudget.Ticket, _ answer: InstanceStrain.Answer) {
        let now = time.monotonicNow
        let (signals, change) = state.withLock { state in
            state.budget.leave(ticket, answer, at: now)
            var (wakeAt, signals) = Self.grant(&state, at: now)
            // While all were under way there was no time to keep.
            if wakeAt != nil, state.timekeeper == nil { signals += Self.firstWaiting(state) }
            return (signals, Self.takeChange(&state))
        }
        for signal in signals { signal.send() }
        if let change { tell(.narrowed(change)) }
    }

    private func wait(
        for ticket: InstanceBudget.Ticket,
        _ wakeSignal: WakeSignal,
        by deadline: MonotonicInstant?
    ) async throws -> Bool {
        while true {
            let turn = next(ticket)
            guard case .waits(let wakeAt) = turn else {
                resign(ticket)
                return turn == .granted
            }
            _ = try await wakeSignal.wait(until: [wakeAt, deadline].compactMap(\.self).min())
            if let deadline, time.monotonicNow >= deadline { throw GitLabError.crowded }
        }
    }

    private enum Turn: Equatable {
        case granted
        case spared
        /// Until then, for who keeps the time; for the others until they are woken.
        case waits(until: MonotonicInstant?)
    }

    /// Lets go who may, and says what that means for one who waits.
    private func next(_ ticket: InstanceBudget.Ticket) -> Turn {
        let now = time.monotonicNow
        let (signals, turn) = state.withLock { state -> ([WakeSignal], Turn) in
            let (wakeAt, signals) = Self.grant(&state, at: now)
            if state.granted.remove(ticket) != nil { return (signals, .granted) }
            if state.spared.remove(ticket) != nil { return (signals, .spared) }
            if state.timekeeper == ticket { state.timekeeper = nil }
            guard let wakeAt, state.timekeeper == nil else { return (signals, .waits(until: nil)) }
            state.timekeeper = ticket
            return (signals, .waits(until: wakeAt))
        }
        for signal in signals { signal.send() }
        return turn
    }

    private static func grant(
        _ state: inout State,
        at now: MonotonicInstant
    ) -> (wakeAt: MonotonicInstant?, signals: [WakeSignal]) {
        let needs = state.needs
        let grants = state.budget.grants(at: now) { needs[$0]?.isThere() ?? true }
        state.granted.formUnion(grants.tickets)
        state.spared.formUnion(grants.spared)
        let over = grants.tickets + grants.spared
        for ticket in over { state.needs[ticket] = nil }
        return (grants.wakeAt, over.compactMap { state.wakeSignals[$0] })
    }

    /// Waits no more: somebody else keeps the time.
    private func resign(_ ticket: InstanceBudget.Ticket) {
        let signals = state.withLock { state -> [WakeSignal] in
            state.wakeSignals[ticket] = nil
            if state.timekeeper == ticket { state.timekeeper = nil }
            // Also one that was asked to keep the time, and has not begun to.
            return state.timekeeper == nil ? Self.firstWaiting(state) : []
        }
        for signal in signals { signal.send() }
    }

    /// Who is to keep the time next. One that has only just come looks by itself.
    private static func firstWaiting(_ state: State) -> [WakeSignal] {
        [state.budget.firstWaiting.flatMap { state.wakeSignals[$0] }].compactMap(\.self)
    }

    /// Whoever was let go in the same instant leaves without having asked.
    private func abandon(_ ticket: InstanceBudget.Ticket) {
        let wasGranted = state.withLock { state in
            state.needs[ticket] = nil
            if state.spared.remove(ticket) != nil { return false }
            return state.granted.remove(ticket) != nil || !state.budget.giveUp(ticket)
        }
        resign(ticket)
        if wasGranted { leave(ticket, InstanceStrain.Answer(took: .zero, isAnswered: false)) }
    }

    /// What to say: true when it was narrowed, false when it is as wide as ever again, nil for nothing.
    private static func takeChange(_ state: inout State) -> Bool? {
        let isNarrowed = state.budget.strain.isNarrowed
        guard isNarrowed != state.wasNarrowed else { return nil }
        state.wasNarrowed = isNarrowed
        return isNarrowed
    }
}

/// One gate for each GitLab.
final class InstanceGates: Sendable {
    private let limits: InstanceBudget.Limits
    private let time: any TimeSource
    private let tell: @Sendable (InstanceGate.News) -> Void
    private let gates = Mutex<[HTTPOrigin: InstanceGate]>([:])

    init(_ limits: InstanceBudget.Limits, time: any TimeSource, tell: @escaping @Sendable (InstanceGate.News) -> Void) {
        (self.limits, self.time, self.tell) = (limits, time, tell)
    }

    /// True while `origin` is asked for less than is configured.
    func isNarrowed(_ origin: HTTPOrigin) -> Bool {
        gates.withLock { $0[origin] }?.isNarrowed ?? false
    }

    /// The one gate to `origin`, which must be one that is served: there are few of those.
    subscript(_ origin: HTTPOrigin) -> InstanceGate {
        gates.withLock { gates in
            if let gate = gates[origin] { return gate }
            let gate = InstanceGate(limits, time: time, tell: tell)
            gates[origin] = gate
            return gate
        }
    }
}

/// Who asks a GitLab, and how long they wait to be let.
struct InstancePass: Sendable {
    let gate: InstanceGate
    let time: any TimeSource
    let account: AccountID?
    /// Nil for what the task says.
    var reason: RequestReason?
    /// When the call began that asks; nil for none.
    var since: MonotonicInstant?
    /// Nil for as long as it takes.
    var deadline: MonotonicInstant?
    /// The account's own gate: while a request waited, GitLab may have told another one that no more may come.
    var accountGate: RequestGate?

    /// Sends `request` when it may be sent.
    ///
    /// - Throws: what `InstanceGate.enter` throws, and `RequestGate.recheck`.
    func send(
        _ request: HTTPRequest,
        _ options: HTTPSendOptions,
        through http: any HTTPClient
    ) async throws(GitLabError) -> HTTPOutcome {
        let reason = reason ?? RequestReason.current
        let ticket = try await gate.enter(
            account,
            reason.urgency,
            since: since,
            by: deadline,
            need: RequestNeed.current
        )
        do { try accountGate?.recheck() } catch {
            gate.leave(ticket, InstanceStrain.Answer(took: .zero, isAnswered: false))
            throw error
        }
        let sentAt = time.monotonicNow
        let outcome = await http.send(request, options: options)
        gate.leave(ticket, Self.answer(outcome, took: sentAt.duration(to: time.monotonicNow)))
        gate.report(request, reason, outcome)
        if let accountGate, case .response(let response) = outcome,
            let announcement = RateQuota.Announcement(response.fields)
        {
            accountGate.note(announcement)
        }
        return outcome
    }

    private static func answer(_ outcome: HTTPOutcome, took: Duration) -> InstanceStrain.Answer {
        guard case .response(let response) = outcome else {
            return InstanceStrain.Answer(took: took, isAnswered: false)
        }
        return InstanceStrain.Answer(took: took, isLimited: response.status == 429)
    }
}
