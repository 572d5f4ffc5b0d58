import Platform

/// Takes what programs say: once each, in one transaction with what comes of it, so that a program may repeat whatever it has no answer to.
struct SignalIntake: Sendable {
    let pipeline: NotificationPipeline
    let entropy: any EntropySource

    /// What became of a signal.
    struct Taken: Sendable {
        enum Result: String, Sendable, CaseIterable {
            case told, held, silenced, settled, late, repeated, refused
        }

        var result: Result
        /// What the pipeline made of it; nil when it did not get there.
        var outcome: NotificationPipeline.Outcome?
    }

    /// Takes it within the caller's transaction.
    ///
    /// - Parameters:
    ///   - signal: what is said, with lengths that were checked.
    ///   - token: whose token says it.
    ///   - now: when it arrived.
    ///   - store: the open transaction.
    /// - Returns: what became of it. Nothing was changed if it was repeated or refused.
    /// - Throws: `NotificationPipeline.WatchRemoved` when the person has left, or what the store throws.
    func take(_ signal: Signal, from token: SignalToken, at now: WallTime, in store: Store) throws -> Taken {
        let key = FactKey.signal(token.id, signal.kind, id: signal.id)
        let settlement = FactKey.signal(token.id, .settled, id: signal.id)
        let circumstances = SignalPolicy.Circumstances(
            isRepeated: try store.isKnown(key, to: token.account),
            isSettled: try store.isKnown(settlement, to: token.account),
            openAsks: try store.openSignalAsks(of: token.account)
        )
        switch SignalPolicy.decide(signal.kind, circumstances) {
        case .ignore: return Taken(result: .repeated)
        case .refuse: return Taken(result: .refused)
        case .keep:
            try store.insertNotifiedFact(key, to: token.account, occurredAt: now, at: now)
            try store.noteUse(of: token, at: now)
            return Taken(result: .late)
        case .settle:
            let asked = FactKey.signal(token.id, .approvalNeeded, id: signal.id)
            try store.endAsk(asked, of: token, at: now)
            try store.insertNotifiedFact(key, to: token.account, occurredAt: now, at: now)
            try store.noteUse(of: token, at: now)
            return Taken(result: .settled)
        case .tell:
            try store.noteUse(of: token, at: now)
            if signal.kind.endsRun, let run = signal.run {
                try store.endAsks(ofRun: run, of: token, at: now)
            }
            return try tell(signal, key, from: token, at: now, in: store)
        }
    }

    private func tell(
        _ signal: Signal,
        _ key: FactKey,
        from token: SignalToken,
        at now: WallTime,
        in store: Store
    ) throws -> Taken {
        guard let action = signal.kind.action else { preconditionFailure("what only ends something tells nothing") }
        let asks = signal.kind == .approvalNeeded && pipeline.asks != nil
        let fact = Fact(
            key: key,
            action: action,
            actor: Actor(id: token.actorID, username: "", name: token.name),
            item: nil,
            itemTitle: signal.project.map { "\($0): \(signal.title)" } ?? signal.title,
            projectPath: signal.project ?? token.name,
            webURL: signal.webURL,
            body: signal.body,
            occurredAt: now,
            source: .signal,
            sourceID: 0,
            signal: SignalReference(id: signal.id, run: signal.run, ask: asks ? entropy.uuidString() : nil)
        )
        let commit = FactCommit(account: token.account, candidates: [Candidate(fact: fact)])
        let outcome = try pipeline.take(commit, at: now, in: store)
        let result: Taken.Result =
            if !outcome.notifications.isEmpty { .told } else if !outcome.ruleOutcome.held.isEmpty { .held } else {
                .silenced
            }
        return Taken(result: result, outcome: outcome)
    }
}
