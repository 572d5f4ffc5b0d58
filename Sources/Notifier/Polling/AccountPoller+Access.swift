import Platform

/// Keeps the access token of people who signed in through GitLab alive.
extension AccountPoller {
    /// Makes sure that the requests to come have something to show.
    func renewAccess() async throws -> PollCycle.Event {
        guard polled?.grantedAt != nil else { return .accessRenewed }
        return take(try await context.grants.access(of: id))
    }

    /// GitLab has refused the access token: tries for another.
    func replaceAccess() async throws -> PollCycle.Event {
        guard let polled, polled.grantedAt != nil else { return .accessRenewed }
        return take(try await context.grants.access(of: id, rejected: polled.reader.client.credential))
    }

    private func take(_ access: GrantKeeper.Access) -> PollCycle.Event {
        switch access {
        case .usable(let credential):
            polled?.reader.client.credential = credential
            return .accessRenewed
        case .ended: return .accessEnded
        case .unavailable(let error):
            gate.noteFailure(error)
            return .accessUnavailable(error)
        case .unknown: return .accessUnavailable(nil)
        }
    }
}
