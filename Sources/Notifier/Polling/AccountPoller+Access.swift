import Platform

/// Keeps the access token of people who signed in through GitLab alive.
extension AccountPoller {
    /// Makes sure that the requests to come have something to show. False when they have not: then the tally says why, and nothing
    /// is asked.
    func renewAccess() async throws -> Bool {
        guard polled?.grantedAt != nil else { return true }
        return take(try await context.grants.access(of: id))
    }

    /// GitLab has refused the access token: tries for another.
    func replaceAccess() async throws -> Bool {
        guard let polled, polled.grantedAt != nil else { return true }
        return take(try await context.grants.access(of: id, rejected: polled.reader.client.credential))
    }

    private func take(_ access: GrantKeeper.Access) -> Bool {
        switch access {
        case .usable(let credential):
            polled?.reader.client.credential = credential
            return true
        case .ended:
            tally.count(.unauthorized(.revoked))
            tally.verdict = .tokenDead(.revoked)
        case .unavailable(let error):
            tally.count(error)
            gate.noteFailure(error)
        case .unknown: break
        }
        gate.close()
        return false
    }
}
