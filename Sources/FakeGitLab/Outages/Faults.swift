package import Platform

/// Faults, each named by an id that replies carry. Nothing of this is on at first; ending one restores the service.
extension FakeGitLab {
    /// Adds an outage with its window.
    package func addOutage(_ outage: Outage) {
        act { state, _ in state.outages.append(outage) }
    }

    /// Begins an outage now; it lasts until `endFault`.
    func beginOutage(_ mode: OutageMode, faultID: String, routes: RoutePattern = .all) {
        act { state, now in
            state.outages.append(Outage(faultID: faultID, mode: mode, routes: routes, from: now))
        }
    }

    /// The instance is another release from now on; what it may show of it is rendered anew (GitLab facts §5.1, §19).
    package func upgrade(to version: GitLabVersion) {
        act { state, _ in
            state.version = version
            state.invalidateEverything()
        }
    }

    /// Serves everyone's reads from replicas that lag by a draw from `lag` (at most 120 seconds), until `endFault`;
    /// whoever wrote lately reads from the primary (GitLab facts §16).
    package func beginReplicaLag(_ lag: QuantileTable, faultID: String) {
        act { state, now in
            state.lag = ReplicaLag(faultID: faultID, lag: lag, from: now, until: .distantFuture)
        }
    }

    /// Holds the commit of the next `count` rows of a kind, or of every row when it is nil, back by `delay`.
    package func holdCommits(of kind: RowKind, for delay: Duration, count: Int? = 1, faultID: String) {
        act { state, _ in
            guard delay > .zero, count.map({ $0 > 0 }) ?? true else { return }
            state.lateCommits.append(LateCommit(faultID: faultID, kind: kind, delay: delay, remaining: count))
        }
    }

    /// Approvals leave no system note until `endFault`: a background job writes it, and the job is lost (GitLab facts §7.1).
    package func loseApprovalNotes(faultID: String) {
        act { state, _ in state.losesApprovalNotes = faultID }
    }

    /// Changes a list between its first and its second page, `count` times.
    package func driftPages(_ change: PageDriftChange, on routes: RoutePattern, count: Int = 1, faultID: String) {
        act { state, _ in
            guard count > 0 else { return }
            state.drifts.append(PageDrift(faultID: faultID, routes: routes, change: change, remaining: count))
        }
    }

    /// Writes rows otherwise than documented until `endFault`; `draw` says which of their members it hits, and how.
    package func changeRows(
        _ change: MemberChange,
        on routes: RoutePattern = .all,
        perMille: UInt64 = 1_000,
        draw: UInt64,
        faultID: String
    ) {
        let rows = ChangedRows(faultID: faultID, change: change, routes: routes, perMille: perMille, draw: draw)
        act { state, _ in state.changedRows.append(rows) }
    }

    /// Sets limiter A, or switches it off when `limit` is nil (GitLab facts §3).
    package func setRequestLimit(_ limit: RequestLimit?, faultID: String? = nil) {
        act { state, _ in
            state.requestLimiter.limit = limit
            state.requestLimiter.faultID = limit == nil ? nil : faultID
        }
    }

    /// Sets limiter B: notes per person and minute; nil switches it off.
    package func setNoteLimit(_ limit: Int?, faultID: String? = nil) {
        act { state, _ in
            state.noteLimiter.limit = limit
            state.noteLimiter.faultID = limit == nil ? nil : faultID
        }
    }

    /// Makes a token valid, expired, revoked or unknown from now on.
    ///
    /// - Throws: `FakeGitLabError` with `unknownToken`.
    package func setToken(_ secret: String, to tokenState: TokenState, faultID: String? = nil) throws {
        try changeToken(secret) { token in
            token.state = tokenState
            token.faultID = tokenState == .valid ? nil : faultID
        }
    }

    /// Gives a token other scopes.
    ///
    /// - Throws: `FakeGitLabError` with `unknownToken`.
    func setTokenScopes(_ secret: String, to scopes: [TokenScope], faultID: String? = nil) throws {
        try changeToken(secret) { token in
            token.scopes = scopes
            token.faultID = faultID
        }
    }

    private func changeToken(_ secret: String, _ change: (inout Token) -> Void) throws {
        try act { state, _ in
            guard var token = state.tokens[secret] else {
                throw FakeGitLabError(.unknownToken, "There is no such token.", hint: "Add the token first.")
            }
            change(&token)
            state.tokens[secret] = token
        }
    }

    /// Ends every fault of this id: outages, lag, late commits to come, drifts, changes of rows and limits. Rows already held stay held.
    ///
    /// - Throws: `FakeGitLabError` with `unknownFault` when none is active.
    package func endFault(_ faultID: String) throws {
        try act { state, now in
            guard state.endFault(faultID, at: now) else {
                throw FakeGitLabError(.unknownFault, "No fault \"\(faultID)\" is active.", hint: "Begin it first.")
            }
        }
    }
}

extension InstanceState {
    /// False when nothing bears the id.
    mutating func endFault(_ faultID: String, at now: WallTime) -> Bool {
        let before = outages.count + lateCommits.count + drifts.count + changedRows.count
        outages.removeAll { $0.faultID == faultID }
        lateCommits.removeAll { $0.faultID == faultID }
        drifts.removeAll { $0.faultID == faultID }
        changedRows.removeAll { $0.faultID == faultID }
        var found = before != outages.count + lateCommits.count + drifts.count + changedRows.count
        if losesApprovalNotes == faultID {
            losesApprovalNotes = nil
            found = true
        }
        if lag?.faultID == faultID {
            lag = nil
            found = true
        }
        if requestLimiter.faultID == faultID {
            requestLimiter.limit = configuration.requestLimit
            requestLimiter.faultID = nil
            found = true
        }
        if noteLimiter.faultID == faultID {
            noteLimiter.limit = configuration.noteLimit
            noteLimiter.faultID = nil
            found = true
        }
        return found
    }
}
