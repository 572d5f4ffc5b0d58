import Platform

/// Looks into tokens that GitLab refuses.
extension AccountPoller {
    /// Asks whether the token works; a person who signed in through GitLab gets another first.
    func confirmToken() async -> PollCycle.Event {
        guard let client = polled?.reader.client else { return .tokenJudged(nil) }
        context.log.write(.authConfirming, [accountField])
        // A store that cannot be read now can be at the next cycle.
        guard let access = try? await replaceAccess() else { return .tokenJudged(nil) }
        guard case .accessRenewed = access else { return access }
        let verdict = health.judge(await tokenError(client), at: context.time.monotonicNow)
        if verdict == .tokenWorks { context.log.write(.authWorks, [accountField]) }
        return .tokenJudged(verdict)
    }

    private func tokenError(_ client: GitLabClient) async -> GitLabError? {
        do throws(GitLabError) {
            try await gate.admit()
            _ = try await client.currentUser()
            gate.noteSuccess()
            return nil
        } catch {
            gate.noteFailure(error)
            return error
        }
    }

    /// A token that counts as dead is tried now and then: it may have been a mistake of GitLab's.
    func recheckToken() async throws {
        guard let client = polled?.reader.client else { return }
        gate.openCycle(patience: .max)
        let error = try await hasAccess() ? await tokenError(client) : .unauthorized(.revoked)
        try Task.checkCancellation()
        guard error == nil else { return planRecheck(after: error) }
        health = AccountHealth()
        _ = try await context.store.transaction { [id] in try $0.setState(.active, of: id) }
        polled?.account.state = .active
        context.log.write(.authRestored, [accountField])
        schedule.set(.cycle, at: context.time.monotonicNow)
    }

    private func hasAccess() async throws -> Bool {
        guard case .accessRenewed = try await renewAccess() else { return false }
        return true
    }

    func planRecheck(after error: GitLabError?) {
        let at = health.nextRecheck(after: error, at: context.time.monotonicNow)
        schedule.set(.probe, at: at)
    }
}
