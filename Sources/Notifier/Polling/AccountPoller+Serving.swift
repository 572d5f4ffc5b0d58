import Platform

/// Accounts of a GitLab that the settings do not list any more: nothing is asked there, their tokens stay where they are, and they go on
/// as they are when it is listed again.
extension AccountPoller {
    /// Whether GitLab may be asked in the account's name. Told once while it may not.
    func mayAsk(_ account: Account) -> Bool {
        let wasServed = isServed
        isServed = context.instances.serve(account.origin)
        guard !isServed else { return true }
        polled = nil
        mustLoad = false
        if wasServed { context.log.write(.accountNotServed, [accountField]) }
        return false
    }

    /// What is listed does not change while the process lives; the account may go, or become another's.
    func waitUntilServed() async throws {
        guard try await wakeSignal.wait(until: nil) == .signalled, inbox.takeChange() else { return }
        mustLoad = true
    }
}
