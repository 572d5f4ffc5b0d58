import Configuration
import Platform
import Synchronization

/// Polls every account, each in a task of its own, so that one account's trouble is not another's.
final class PollingService: Sendable {
    private struct State {
        var lines: [AccountID: Line] = [:]
        /// Of accounts that are polled, and of those whose app was faster.
        var gates: [AccountID: RequestGate] = [:]
        /// Accounts that somebody named and that nobody polls yet, in the order of the calls.
        var waiting: [Waiting] = []
    }

    /// How a poller is reached.
    private struct Line {
        var wakeSignal: WakeSignal
        var gate: RequestGate
        var inbox: PollerInbox
    }

    private struct Waiting {
        var account: AccountID
        /// Requests made in its name already.
        var requests: Int
    }

    /// How polling goes.
    let status = PollingStatusBoard()

    private let context: PollingContext
    private let wakeSignal: WakeSignal
    private let state = Mutex(State())

    init(_ context: PollingContext) {
        self.context = context
        wakeSignal = WakeSignal(time: context.time)
    }

    /// Tells the service that an account was made, has a new token, or has another watch list, and how many requests that took
    /// (of a baseline, say), which the account's budget bears. May be called at any time, also before ``run()``.
    func accountChanged(_ account: AccountID, requestsMade: Int = 0) {
        let line = state.withLock { state in
            let line = state.lines[account]
            if line == nil { Self.wait(account, requestsMade, in: &state) }
            return line
        }
        line?.gate.charge(requestsMade)
        line?.inbox.noteChange()
        (line?.wakeSignal ?? wakeSignal).send()
    }

    /// Tells the service that a person has left: what is under way for them asks GitLab nothing more, however many pages it would have read.
    func accountRemoved(_ account: AccountID) {
        state.withLock { $0.lines[account] }?.gate.close()
        accountChanged(account)
    }

    /// Lets an account's budget bear requests that were made in its name already, whatever comes of them.
    func charge(_ requests: Int, to account: AccountID) {
        state.withLock { state in self.gate(of: account, in: &state) }.charge(requests)
    }

    /// Stands before the requests that one call of the account's app makes, from now on; `count` at least.
    ///
    /// - Throws: `budgetSpent` when the account has not so many left in time.
    func appGate(of account: AccountID, expecting count: Int) throws(GitLabError) -> AppRequestGate {
        let gate = state.withLock { state in self.gate(of: account, in: &state) }
        return try AppRequestGate(gate: gate, time: context.time, expecting: count)
    }

    /// The one gate of an account, also before anybody polls it.
    private func gate(of account: AccountID, in state: inout State) -> RequestGate {
        if let gate = state.gates[account] { return gate }
        let limit = context.configuration.requestsPerHour
        let budget = RequestBudget(limitPerHour: limit, now: context.time.monotonicNow)
        let gate = RequestGate(budget: budget, time: context.time)
        state.gates[account] = gate
        return gate
    }

    /// Tells the service that a webhook named an item which the account watches. No effect while nobody polls the account.
    func itemNamed(_ item: ItemReference, of account: AccountID) {
        guard let line = state.withLock({ $0.lines[account] }) else { return }
        if line.inbox.name(item, at: context.time.monotonicNow) { line.wakeSignal.send() }
    }

    private static func wait(_ account: AccountID, _ requests: Int, in state: inout State) {
        if let index = state.waiting.firstIndex(where: { $0.account == account }) {
            state.waiting[index].requests += requests
        } else {
            state.waiting.append(Waiting(account: account, requests: requests))
        }
    }

    /// Polls until the task is cancelled; leaves no task behind.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func run() async throws {
        if context.instances.origins.isEmpty { context.log.write(.noGitLabServed) }
        let known = try await accountIDs()
        try await withThrowingDiscardingTaskGroup { group in
            for account in known { accountChanged(account) }
            while true {
                for waiting in takeWaiting() {
                    guard let poller = makePoller(waiting) else { continue }
                    group.addTask { await self.poll(waiting.account, by: poller) }
                }
                _ = try await wakeSignal.wait(until: nil)
            }
        }
    }

    private func makePoller(_ waiting: Waiting) -> AccountPoller? {
        let time = context.time
        let named = NamedItems(perMinute: context.configuration.webhookPollsPerMinute, now: time.monotonicNow)
        let line = Line(
            wakeSignal: WakeSignal(time: time),
            gate: state.withLock { gate(of: waiting.account, in: &$0) },
            inbox: PollerInbox(named: named)
        )
        let isNew = state.withLock { state in
            guard state.lines[waiting.account] == nil else { return false }
            state.lines[waiting.account] = line
            return true
        }
        guard isNew else { return nil }
        line.gate.charge(waiting.requests)
        return AccountPoller(
            waiting.account,
            wakeSignal: line.wakeSignal,
            gate: line.gate,
            inbox: line.inbox,
            status: status,
            context: context
        )
    }

    private func poll(_ account: AccountID, by poller: AccountPoller) async {
        await poller.run()
        state.withLock { state in
            state.lines[account] = nil
            state.gates[account] = nil
        }
        status.remove(account)
        guard !Task.isCancelled else { return }
        // Its number may have been given to a new account between the last look and now.
        if (try? await context.store.read { try $0.account(account) }) != nil { accountChanged(account) }
    }

    private func takeWaiting() -> [Waiting] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func accountIDs() async throws -> [AccountID] {
        let interrupted = (context.marks?.takeInterrupted() ?? []).map { AccountID(rawValue: $0) }
        while true {
            do {
                try await InterruptedPolls(context: context).settle(interrupted)
                return try await context.store.read { try $0.accountIDs() }
            } catch {
                context.log.write(.pollStoreFailed, [("error", .text("\(error)"))])
                try await context.time.sleep(for: .seconds(10))
            }
        }
    }
}
