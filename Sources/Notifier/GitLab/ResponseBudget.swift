import HTTP
import Platform
import Synchronization

/// The bytes of GitLab's answers that are received, decoded or kept until they are committed, over all accounts.
///
/// What ``ResponseRoom`` admits needs no waiting. Where it does not, the exchange ends, and its account may repeat it in its turn
/// (``ResponseTurns``), for which there is room of its own. Room that nobody holds any more is given back by itself.
final class ResponseBudget: Sendable {
    /// Bytes that are shared.
    static let sharedBytes = 16 * 1_024 * 1_024
    /// How long an account waits for its turn.
    static let patience = Duration.seconds(60)
    /// How long the exchange of a turn may take: meanwhile others wait.
    static let turnTime = Duration.seconds(15)

    private struct State {
        var room: ResponseRoom
        var turns = ResponseTurns()
        /// Of those who wait, by their number.
        var wakeSignals: [Int: WakeSignal] = [:]
    }

    private let time: any TimeSource
    private let state: Mutex<State>

    init(time: any TimeSource, sharedBytes: Int = ResponseBudget.sharedBytes) {
        self.time = time
        state = Mutex(State(room: ResponseRoom(capacity: sharedBytes)))
    }

    /// Bytes that are held in the shared room.
    var heldBytes: Int { state.withLock { $0.room.held } }

    /// An allowance for one exchange, which holds nothing yet.
    func allowance(for account: AccountID?) -> ResponseAllowance {
        ResponseAllowance(self, account: account, turn: nil)
    }

    /// Waits for the account's turn; the allowance has room for any answer, until it ends the turn.
    ///
    /// - Throws: `crowded` when the turn does not come in time, `unreachable(cancelled)` when the task is.
    func turn(for account: AccountID?) async throws(GitLabError) -> ResponseAllowance {
        let wakeSignal = WakeSignal(time: time)
        let number = state.withLock { state in
            let number = state.turns.join(account)
            state.wakeSignals[number] = wakeSignal
            return number
        }
        beginNext()
        do {
            _ = try await wakeSignal.wait(until: time.monotonicNow.advanced(by: Self.patience))
        } catch {
            endTurn(number)
            throw .unreachable(.cancelled)
        }
        guard state.withLock({ $0.turns.current == number }) else {
            endTurn(number)
            throw .crowded
        }
        return ResponseAllowance(self, account: account, turn: number)
    }

    fileprivate func take(_ bytes: Int, for account: AccountID?) -> Bool {
        state.withLock { $0.room.take(bytes, for: account) }
    }

    fileprivate func giveBack(_ bytes: Int, of account: AccountID?) {
        state.withLock { $0.room.giveBack(bytes, of: account) }
    }

    fileprivate func endTurn(_ number: Int) {
        let now = time.monotonicNow
        state.withLock { state in
            state.wakeSignals[number] = nil
            state.turns.leave(number, at: now)
        }
        beginNext()
    }

    private func beginNext() {
        let now = time.monotonicNow
        let wakeSignal = state.withLock { state in
            state.turns.begin(at: now).flatMap { state.wakeSignals.removeValue(forKey: $0) }
        }
        wakeSignal?.send()
    }
}

/// What one exchange holds of the budget; gives it back at the latest when nobody refers to it any more.
final class ResponseAllowance: HTTPBodyMeter {
    private struct State {
        var bytes = 0
        /// Nil when the shared room is used.
        var turn: Int?
        var wasRefused = false
    }

    private let budget: ResponseBudget
    private let account: AccountID?
    private let state: Mutex<State>

    fileprivate init(_ budget: ResponseBudget, account: AccountID?, turn: Int?) {
        self.budget = budget
        self.account = account
        state = Mutex(State(turn: turn))
    }

    deinit {
        release()
    }

    /// True when bytes of the body found no room.
    var wasRefused: Bool { state.withLock { $0.wasRefused } }

    func take(_ count: Int) -> Bool {
        state.withLock { state in
            if state.turn == nil, !budget.take(count, for: account) {
                state.wasRefused = true
                return false
            }
            state.bytes += count
            return true
        }
    }

    /// The body is gone; so many bytes of what it said are kept. False, and nothing is held, when there is no room for those.
    func keep(_ count: Int) -> Bool {
        release()
        return state.withLock { state in
            guard budget.take(count, for: account) else { return false }
            state.bytes = count
            return true
        }
    }

    /// Gives back what is held, and ends the turn.
    func release() {
        let turn = state.withLock { state in
            if state.turn == nil, state.bytes > 0 { budget.giveBack(state.bytes, of: account) }
            defer { (state.bytes, state.turn) = (0, nil) }
            return state.turn
        }
        if let turn { budget.endTurn(turn) }
    }
}
