/// Holds the session of this device, and refreshes it once for all who need it.
///
/// It works for one sign-in: the first that it finds or takes. Where another process has signed somebody else in, it has none any more, since
/// what lies beside it is the former person's: what they chose would go out in the other's name, and their news would lie among the other's.
///
/// A new pair is stored before anybody uses it. Should storing fail, the pair waits in memory and nobody gets it: as long as none of its
/// tokens was used, the server takes the old refresh token again, so that not even a crash at this moment ends the session.
actor SessionKeeper {
    typealias Refresh = @Sendable (Credentials) async throws(NotifierError) -> Credentials
    private typealias Outcome = Result<Credentials, NotifierError>

    private let store: CredentialStore
    private let tasks: TaskStarter
    /// Lets one at a time write or delete: this actor does other things while it waits for its store.
    private let turn = Turn()
    /// The sign-in that it works for; nil before it has seen one.
    private var signIn: String?
    /// A pair that the server has given and the store has not taken yet, and the token in whose place it was given.
    private var unstored: (given: Credentials, former: String)?
    /// Who waits for a refresh that is under way, by sign-in.
    private var waiters: [String: [CheckedContinuation<Outcome, Never>]] = [:]

    init(store: CredentialStore, tasks: TaskStarter) {
        (self.store, self.tasks) = (store, tasks)
    }

    /// What to send with a request.
    ///
    /// - Throws: `NotifierError.notSignedIn`, or of kind `storage` while the store cannot be read.
    func credentials() async throws(NotifierError) -> Credentials {
        guard let found = try await credentialsIfAny() else { throw .notSignedIn }
        return found
    }

    /// Nil when nobody is signed in, or another sign-in has taken the place of this one's.
    func credentialsIfAny() async throws(NotifierError) -> Credentials? {
        guard let stored = try await store.read() else { return nil }
        let own = signIn ?? stored.signIn
        signIn = own
        return stored.signIn == own ? stored : nil
    }

    /// Whether what was asked with `used` still has somebody to hear of it. That the store cannot be read now ends nothing.
    func isCurrent(_ used: Credentials) async -> Bool {
        do { return try await store.read()?.signIn == used.signIn } catch { return true }
    }

    /// Takes what a sign-in has given, in the place of what was there.
    func take(_ credentials: Credentials) async throws(NotifierError) {
        try await alone { () async throws(NotifierError) in try await self.store.write(credentials) }
        (signIn, unstored) = (credentials.signIn, nil)
    }

    /// Works from now on for whoever is signed in.
    func follow() { (signIn, unstored) = (nil, nil) }

    /// Changes something about the sign-in, as it is kept now: it may have been refreshed since it was read.
    func amend(_ change: @Sendable (inout Credentials) -> Void) async throws(NotifierError) {
        let own = signIn
        try await alone { () async throws(NotifierError) in
            guard let stored = try await self.store.read(), own == nil || stored.signIn == own else {
                throw NotifierError.notSignedIn
            }
            var amended = stored
            change(&amended)
            if amended != stored { try await self.store.write(amended) }
        }
    }

    /// Nobody is signed in on this device any more; somebody else, who has signed in since, stays so.
    func forget() async throws(NotifierError) {
        let own = signIn
        try await alone { () async throws(NotifierError) in
            let stored = try? await self.store.read()
            if let own, let stored, stored.signIn != own { return }
            try await self.store.delete()
        }
        (signIn, unstored) = (nil, nil)
    }

    /// Does `work` while nobody else changes the store, in this process or in another.
    private func alone(_ work: @Sendable () async throws(NotifierError) -> Void) async throws(NotifierError) {
        let result: Result<Void, NotifierError> = try await store.exclusively {
            await Result { () async throws(NotifierError) in try await self.turn.take(work) }
        }
        try result.get()
    }

    // MARK: Refreshing

    /// Other tokens than `used`, which the server does not take any more. However many ask at once, one refresh is sent, and it ends even
    /// when the task that asked for it is cancelled.
    ///
    /// - Throws: `NotifierError` of kind `signedOut` when the session is over; anything else leaves it as it is.
    func refreshed(after used: Credentials, by refresh: @escaping Refresh) async throws(NotifierError) -> Credentials {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let isUnderWay = waiters[used.signIn] != nil
            waiters[used.signIn, default: []].append(continuation)
            guard !isUnderWay else { return }
            tasks.start { await self.renew(used, by: refresh) }
        }
        return try result.get()
    }

    private func renew(_ used: Credentials, by refresh: @escaping Refresh) async {
        let result: Outcome
        do throws(NotifierError) {
            result = try await store.exclusively {
                await Result { () async throws(NotifierError) in
                    try await self.exchange(used, by: refresh)
                }
            }
        } catch {
            result = .failure(error)
        }
        for waiter in waiters.removeValue(forKey: used.signIn) ?? [] { waiter.resume(returning: result) }
    }

    private func exchange(_ used: Credentials, by refresh: Refresh) async throws(NotifierError) -> Credentials {
        guard let stored = try await store.read(), stored.signIn == used.signIn else { throw .notSignedIn }
        // Another process has been here meanwhile.
        guard stored.token == used.token else { return stored }
        // What this process holds and could not store yet is the newest there is.
        if let unstored, unstored.former == stored.token { return try await keep(unstored.given, after: stored) }
        do throws(NotifierError) {
            return try await keep(try await refresh(stored), after: stored)
        } catch {
            if error.kind == .signedOut { try await end(stored) }
            throw error
        }
    }

    /// Stores a pair, unless the sign-in has ended since it was asked for, or another has taken its place: not every store keeps others out.
    private func keep(_ given: Credentials, after former: Credentials) async throws(NotifierError) -> Credentials {
        unstored = (given, former.token)
        try await turn.take { () async throws(NotifierError) in
            guard try await store.read()?.signIn == given.signIn else { throw NotifierError.notSignedIn }
            try await store.write(given)
        }
        unstored = nil
        return given
    }

    /// The server has refused to refresh: what lies there goes, if it is still that.
    private func end(_ refused: Credentials) async throws(NotifierError) {
        try await turn.take { () async throws(NotifierError) in
            if try await store.read()?.token == refused.token { try await store.delete() }
        }
    }
}
