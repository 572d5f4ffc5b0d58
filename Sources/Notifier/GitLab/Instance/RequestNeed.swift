/// Whether a request that waits for its turn is still needed when the turn comes: while it waited, another account may have been shown
/// what it would ask for.
struct RequestNeed: Sendable {
    /// Asked when the turn comes, on whatever task that happens; asks nobody and waits for nothing.
    let isThere: @Sendable () -> Bool

    /// That of the request which the current task makes; nil where it is always needed.
    @TaskLocal static var current: RequestNeed?

    /// Makes a request of which there is that need.
    ///
    /// - Throws: what the request throws; `spared` when there was no need of it.
    nonisolated(nonsending) static func given<Answer>(
        _ need: RequestNeed?,
        _ ask: () async throws(GitLabError) -> Answer
    ) async throws(GitLabError) -> Answer {
        guard let need else { return try await ask() }
        let answer: Result<Answer, GitLabError> = await $current.withValue(need) {
            do throws(GitLabError) { return .success(try await ask()) } catch { return .failure(error) }
        }
        return try answer.get()
    }
}
