import Platform

/// Decides who may receive an answer for which the shared room does not suffice: one account at a time, and first the one that has
/// had the least time lately. So whoever seldom needs a turn has one soon, however many want one all the time.
struct ResponseTurns: Sendable {
    /// Time that was used so long ago does not count any more.
    static let memory = Duration.minutes(15)

    private struct Waiting {
        var number: Int
        var account: AccountID?
    }

    private struct Usage {
        var time: Duration
        var lastAt: MonotonicInstant
    }

    private struct Turn {
        var number: Int
        var account: AccountID?
        var startedAt: MonotonicInstant
    }

    /// In the order of arrival.
    private var waiting: [Waiting] = []
    private var turn: Turn?
    private var usage: [AccountID?: Usage] = [:]
    private var lastNumber = 0

    /// The number of whose turn it is; nil when it is nobody's.
    var current: Int? { turn?.number }

    /// Begins to wait; the number stands for the one who waits.
    mutating func join(_ account: AccountID?) -> Int {
        lastNumber += 1
        waiting.append(Waiting(number: lastNumber, account: account))
        return lastNumber
    }

    /// Ends the wait or the turn of a number; without effect when it has neither.
    mutating func leave(_ number: Int, at now: MonotonicInstant) {
        waiting.removeAll { $0.number == number }
        guard let turn, turn.number == number else { return }
        self.turn = nil
        usage = usage.filter { $0.value.lastAt.duration(to: now) < Self.memory }
        let before = usage[turn.account]?.time ?? .zero
        usage[turn.account] = Usage(time: before + turn.startedAt.duration(to: now), lastAt: now)
    }

    /// Gives the next one its turn, which is returned; nil when nobody waits or somebody has it.
    mutating func begin(at now: MonotonicInstant) -> Int? {
        guard turn == nil else { return nil }
        let next = waiting.indices.min { used(waiting[$0].account, at: now) < used(waiting[$1].account, at: now) }
        guard let next else { return nil }
        let first = waiting.remove(at: next)
        turn = Turn(number: first.number, account: first.account, startedAt: now)
        return first.number
    }

    private func used(_ account: AccountID?, at now: MonotonicInstant) -> Duration {
        guard let usage = usage[account], usage.lastAt.duration(to: now) < Self.memory else { return .zero }
        return usage.time
    }
}
