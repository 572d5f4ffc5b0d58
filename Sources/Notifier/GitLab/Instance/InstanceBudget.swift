import Configuration
import Platform

/// Decides in which order and how fast requests go to one GitLab, over all the accounts that are there.
///
/// While neither the rate nor the number at a time is reached, everything goes at once. Where requests wait, of five turns two belong to
/// what somebody waits for, two to what news points to and one to rounds; a turn that its urgency has no use for goes to the most urgent
/// one that waits. Of what somebody waits for the call goes first that began first, so that what has begun comes to its end in time;
/// within the other urgencies the account that has had the fewest requests lately, then who came first. So each urgency and each
/// account goes on, however much the others ask.
///
/// Whether a request is needed is judged when its turn has come: of many that wait to be told the same, one goes, and the others are spared.
/// So the longer the queue, the more it is cut short by each answer, instead of growing by what grew too old in it.
struct InstanceBudget: Sendable {
    /// What one GitLab is asked at most.
    struct Limits: Hashable, Sendable {
        /// In a second, on average over five.
        var perSecond: Int
        /// Under way at a time.
        var atATime: Int

        init(perSecond: Int, atATime: Int) {
            (self.perSecond, self.atATime) = (perSecond, atATime)
        }

        init(_ configuration: NotifierConfiguration) {
            (perSecond, atATime) = (configuration.gitlabRequestsPerSecond, configuration.gitlabConcurrency)
        }
    }

    /// A request that waits or is under way.
    struct Ticket: Hashable, Sendable {
        fileprivate var number: UInt64
        var account: AccountID?
        var urgency: RequestUrgency
        /// When the request came, or the call that it is part of.
        var since: MonotonicInstant

        /// By the number alone, which no other has.
        func hash(into hasher: inout Hasher) {
            hasher.combine(number)
        }
    }

    /// What may be sent now.
    struct Grants: Hashable, Sendable {
        var tickets: [Ticket] = []
        /// Whose turn has come, and who need not ask any more: they take nothing of the rate, and must not leave.
        var spared: [Ticket] = []
        /// When to look again, though nothing else happens; nil where only the end of a request helps.
        var wakeAt: MonotonicInstant?
    }

    private struct Usage {
        /// What was sent counts half as much after so long.
        static let halfLife = Duration.minutes(1)
        private static let halfLifeNanoseconds = halfLife.wholeNanoseconds

        var requests: Int
        var at: MonotonicInstant

        func halvings(until now: MonotonicInstant) -> Int {
            Int(max((now.nanoseconds - at.nanoseconds) / Self.halfLifeNanoseconds, 0))
        }

        func left(at now: MonotonicInstant) -> Int { requests >> min(halvings(until: now), 62) }
    }

    /// Whose turn it is when requests of all urgencies wait.
    private static let turns: [RequestUrgency] = [.person, .news, .person, .news, .rounds]
    /// What no longer counts is forgotten every so many requests.
    private static let forgetEvery: UInt64 = 1_024
    /// How much of the rate may be sent at once.
    private static let burst = Duration.seconds(5)

    private let limits: Limits
    private(set) var strain: InstanceStrain
    private var bucketFullAt: MonotonicInstant
    /// In the order of arrival.
    private var waiting: [Ticket] = []
    private var underWay = 0
    private var turn = 0
    private var usage: [AccountID?: Usage] = [:]
    private var lastNumber: UInt64 = 0

    /// Traps unless both limits are positive.
    init(_ limits: Limits, now: MonotonicInstant) {
        precondition(limits.perSecond > 0 && limits.atATime > 0, "a GitLab that may not be asked cannot be polled")
        self.limits = limits
        strain = InstanceStrain(atATime: limits.atATime)
        bucketFullAt = now
    }

    /// Who has waited longest.
    var firstWaiting: Ticket? { waiting.first }

    /// Begins to wait; `grants(at:)` says when the request may be sent.
    mutating func enter(_ account: AccountID?, _ urgency: RequestUrgency, since: MonotonicInstant) -> Ticket {
        lastNumber += 1
        let ticket = Ticket(number: lastNumber, account: account, urgency: urgency, since: since)
        waiting.append(ticket)
        return ticket
    }

    /// Gives up waiting; false when the request has been granted already, and then `leave` must follow.
    mutating func giveUp(_ ticket: Ticket) -> Bool {
        guard let index = waiting.firstIndex(of: ticket) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// A request that was granted has ended.
    mutating func leave(_ ticket: Ticket, _ answer: InstanceStrain.Answer, at now: MonotonicInstant) {
        underWay -= 1
        strain.take(answer, of: ticket.account, at: now)
    }

    /// Takes from those who wait as many as may be sent now, and are needed.
    mutating func grants(at now: MonotonicInstant, isNeeded: (Ticket) -> Bool = { _ in true }) -> Grants {
        var grants = Grants()
        strain.recover(at: now)
        while !waiting.isEmpty, underWay < strain.atATime {
            let start = nextStart
            guard start <= now else {
                grants.wakeAt = start
                break
            }
            let ticket = takeNext(at: now)
            guard isNeeded(ticket) else {
                grants.spared.append(ticket)
                continue
            }
            charge(ticket, at: now)
            bucketFullAt = max(bucketFullAt, now).advanced(by: interval)
            underWay += 1
            grants.tickets.append(ticket)
        }
        return grants
    }

    /// Between two requests, as slowly as the instance bears.
    private var interval: Duration {
        .nanoseconds(1_000_000_000_000 / Int64(limits.perSecond) / Int64(strain.pacePermille))
    }

    private var nextStart: MonotonicInstant {
        bucketFullAt.advanced(by: .zero - max(Self.burst - interval, .zero))
    }

    private mutating func takeNext(at now: MonotonicInstant) -> Ticket {
        guard waiting.count > 1 else { return waiting.removeFirst() }
        let urgency = nextUrgency()
        var next: (place: Int, rank: Int64)?
        // Each is ranked once: with a large team hundreds wait, and this is done for every request.
        for place in waiting.indices where waiting[place].urgency == urgency {
            let ticket = waiting[place]
            let rank = urgency == .person ? ticket.since.nanoseconds : Int64(used(ticket.account, at: now))
            // Who came last has come furthest among calls that began at the same instant: each would else come to its deadline, and none to its end.
            let isFurther = urgency == .person && rank == next?.rank
            if isFurther || next.map({ rank < $0.rank }) ?? true { next = (place, rank) }
        }
        guard let next else { preconditionFailure("an urgency is next only when somebody waits with it") }
        return waiting.remove(at: next.place)
    }

    private mutating func charge(_ ticket: Ticket, at now: MonotonicInstant) {
        if ticket.number % Self.forgetEvery == 0 { usage = usage.filter { $0.value.left(at: now) > 0 } }
        // The last halving stays where it was: who sends more than one request a minute would never see another.
        let known = usage[ticket.account] ?? Usage(requests: 0, at: now)
        let halvedAt = known.at.advanced(by: Usage.halfLife * known.halvings(until: now))
        usage[ticket.account] = Usage(requests: known.left(at: now) + Self.weight, at: halvedAt)
    }

    private mutating func nextUrgency() -> RequestUrgency {
        var (first, isAlone) = (waiting[0].urgency, true)
        for ticket in waiting where ticket.urgency != first {
            isAlone = false
            if ticket.urgency.isBefore(first) { first = ticket.urgency }
        }
        // Nobody's turn passes while nobody else waits.
        guard !isAlone else { return first }
        defer { turn = (turn + 1) % Self.turns.count }
        let next = Self.turns[turn]
        return waiting.contains { $0.urgency == next } ? next : first
    }

    /// What one request counts, so that halving it for some minutes does not make it nothing.
    private static let weight = 1_024

    /// What an account has had lately.
    private func used(_ account: AccountID?, at now: MonotonicInstant) -> Int {
        usage[account]?.left(at: now) ?? 0
    }
}
