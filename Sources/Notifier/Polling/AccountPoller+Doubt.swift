import Platform

/// Looks into tokens that GitLab refuses, and into whom they belong to: ids stay, names do not (GitLab facts §1).
extension AccountPoller {
    /// How often GitLab is asked what the person is called, where nothing else leads to that.
    private static let nameInterval = Duration.hours(24)

    /// Asks whether the token works; a person who signed in through GitLab gets another first.
    func confirmToken() async -> PollCycle.Event {
        guard let client = polled?.reader.client else { return .tokenJudged(nil) }
        context.log.write(.authConfirming, [accountField])
        // A store that cannot be read now can be at the next cycle.
        guard let access = try? await replaceAccess() else { return .tokenJudged(nil) }
        guard case .accessRenewed = access else { return access }
        return .tokenJudged(await judgeToken(by: client))
    }

    /// Goes on with what a limit has ended in the cycle before: whatever is asked first is refused without a word that the token is dead, and where
    /// a round is one request, that would be all.
    func confirmDoubt() async {
        guard isTokenInDoubt, let client = polled?.reader.client else { return }
        if take(.tokenJudged(await judgeToken(by: client))).contains(.holdBack) { gate.close() }
    }

    private func judgeToken(by client: GitLabClient) async -> AccountHealth.Verdict {
        let error = await tokenError(client)
        isTokenInDoubt = error?.isHeldBack ?? false
        let verdict = health.judge(error, at: context.time.monotonicNow)
        if verdict == .tokenWorks { context.log.write(.authWorks, [accountField]) }
        return verdict
    }

    private func tokenError(_ client: GitLabClient) async -> GitLabError? {
        do throws(GitLabError) {
            try await gate.admit()
            let user = try await client.currentUser()
            gate.noteSuccess()
            await takeName(of: user)
            return nil
        } catch {
            gate.noteFailure(error)
            return error
        }
    }

    /// Asks once a day what the person is called, when GitLab is asked what it offers anyway. A token that is refused shows elsewhere.
    func refreshName(at now: MonotonicInstant) async {
        guard let polled, polled.nameReadAt.map({ $0.advanced(by: Self.nameInterval) <= now }) ?? true else { return }
        polled.nameReadAt = now
        _ = await tokenError(polled.reader.client)
    }

    /// Whoever has another name now is mentioned by it.
    private func takeName(of user: CurrentUser) async {
        guard let account = polled?.account, user.id == account.gitlabUserID, user.username != account.username else {
            return
        }
        do {
            try await context.store.transaction { [id] in try $0.setUsername(user.username, of: id) }
            polled?.takeName(user.username)
            context.log.write(.authRenamed, [accountField])
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
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
