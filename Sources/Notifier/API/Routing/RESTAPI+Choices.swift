import Platform

/// What people choose, and their other devices have to hear of.
extension RESTAPI {
    /// One transaction for what somebody chooses: when it changes something that their devices keep alike, a silent push to the others is
    /// planned with it.
    ///
    /// - Throws: what `body` throws, `APIError.sessionMissing`, or `SQLiteError` when the commit fails.
    func choose<Result: Sendable>(
        _ caller: APICall.Caller,
        _ body: @Sendable (Store) throws -> Result
    ) async throws -> Result {
        let (account, device) = (caller.account.id, caller.session.device?.publicID)
        let policy = SilentPushPolicy(context.configuration)
        let now = context.time.wallNow
        let (result, isPlanned) = try await context.store.transaction { [context] store in
            // They may have left while this waited.
            guard try store.hasAccount(account) else { throw APIError.sessionInvalid }
            // By the clock as it is once all others' choices are there.
            try store.endFormerChoices(of: account, at: context.time.wallNow)
            let before = try store.syncRevision(of: account)
            let result = try body(store)
            let revision = try store.syncRevision(of: account)
            guard revision > before else { return (result, false) }
            let isPlanned = try store.planSilentPushes(
                for: revision,
                of: account,
                besides: device,
                by: policy,
                at: now
            )
            return (result, isPlanned)
        }
        if isPlanned { context.delivery.wakeSignal.send() }
        return result
    }
}
