import Platform

/// Leaves an account alone during whose cycles the process has died.
extension AccountPoller {
    /// Does what reads GitLab, with a mark that outlives the process.
    func marked(_ body: () async throws -> Void) async rethrows {
        context.marks?.begin(id.rawValue)
        defer { context.marks?.end(id.rawValue) }
        try await body()
    }

    /// Takes over what is stored: how long the account is left alone, from now.
    func takeDeaths(_ stored: PollDeaths?) {
        deaths = stored
        let pause = stored?.pauseLeft(at: context.time.wallNow) ?? .zero
        restUntil = pause > .zero ? context.time.monotonicNow.advanced(by: pause) : nil
        context.metrics.set(.accountsSetAside, to: stored?.isSetAside == true ? 1 : 0, of: id)
    }

    /// True while GitLab is not read for the account.
    var isResting: Bool { restUntil.map { context.time.monotonicNow < $0 } ?? false }

    /// A cycle brought answers and the process has survived it.
    func clearDeaths() async throws {
        guard let deaths else { return }
        try await context.store.transaction { [id] in try $0.setPollDeaths(nil, of: id) }
        let wasSetAside = deaths.isSetAside
        takeDeaths(nil)
        if wasSetAside { context.log.write(.pollTakenBack, [accountField]) }
    }
}
