/// Holds the session of this device, and refreshes it once for all who need it.
///
/// The new pair is stored before anybody uses it. Should storing fail, the pair waits in memory and nobody gets it: as long as none of its
/// tokens was used, the server takes the old refresh token again, so that not even a crash at this moment ends the session.
actor SessionKeeper {
    typealias Refresh = @Sendable (Credentials) async throws(NotifierError) -> Credentials

    private let store: CredentialStore
    private let tasks: TaskStarter
    private var current: Credentials?
    /// A pair that the server has given and the store has not taken yet.
    private var unstored: Credentials?
    private var isRefreshing = false
    private var waiters: [CheckedContinuation<Result<Credentials, NotifierError>, Never>] = []

    init(store: CredentialStore, tasks: TaskStarter) {
        (self.store, self.tasks) = (store, tasks)
    }

    /// What to send with a request.
    ///
    /// - Throws: `NotifierError.notSignedIn`, or of kind `storage` while the store cannot be read.
    func credentials() async throws(NotifierError) -> Credentials {
        if let current { return current }
        guard let stored = try await store.read() else { throw .notSignedIn }
        current = current ?? stored
        return current ?? stored
    }

    /// Nil when nobody is signed in.
    func credentialsIfAny() async throws(NotifierError) -> Credentials? {
        if let current { return current }
        current = try await store.read()
        return current
    }

    /// Takes what a sign-in has given, in the place of what was there.
    func take(_ credentials: Credentials) async throws(NotifierError) {
        try await store.write(credentials)
        (current, unstored) = (credentials, nil)
    }

    /// Nobody is signed in on this device any more.
    func forget() async throws(NotifierError) {
        (current, unstored) = (nil, nil)
        try await store.delete()
    }

    /// Other tokens than `used`, which the server does not take any more. However many ask at once, one refresh is sent, and it ends even
    /// when the task that asked for it is cancelled.
    ///
    /// - Throws: `NotifierError` of kind `signedOut` when the session is over; anything else leaves it as it is.
    func refreshed(after used: Credentials, by refresh: @escaping Refresh) async throws(NotifierError) -> Credentials {
        if let current, current.token != used.token { return current }
        let result = await withCheckedContinuation { continuation in
            waiters.append(continuation)
            guard !isRefreshing else { return }
            isRefreshing = true
            tasks.start { await self.renew(used, by: refresh) }
        }
        return try result.get()
    }

    private func renew(_ used: Credentials, by refresh: @escaping Refresh) async {
        let result: Result<Credentials, NotifierError>
        do throws(NotifierError) {
            // What this process holds and could not store yet is the newest there is.
            let waiting = unstored
            result = try await store.exclusively {
                await Result { () async throws(NotifierError) in
                    try await self.exchange(used, waiting, by: refresh)
                }
            }
        } catch {
            result = .failure(error)
        }
        isRefreshing = false
        let told = waiters
        waiters = []
        for waiter in told { waiter.resume(returning: result) }
    }

    private func exchange(
        _ used: Credentials,
        _ waiting: Credentials?,
        by refresh: Refresh
    ) async throws(NotifierError) -> Credentials {
        if let waiting { return try await keep(waiting) }
        guard let stored = try await store.read() else {
            current = nil
            throw .notSignedIn
        }
        // Another process has been here meanwhile.
        if stored.token != used.token {
            current = stored
            return stored
        }
        do throws(NotifierError) {
            return try await keep(try await refresh(stored))
        } catch {
            if error.kind == .signedOut {
                current = nil
                try await store.delete()
            }
            throw error
        }
    }

    private func keep(_ given: Credentials) async throws(NotifierError) -> Credentials {
        unstored = given
        try await store.write(given)
        (current, unstored) = (given, nil)
        return given
    }
}
