/// Lets one piece of work go on at a time, in the order in which they came.
actor Turn {
    private var isTaken = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Does `work` when its turn has come.
    nonisolated func take<Result: Sendable>(
        _ work: () async throws(NotifierError) -> Result
    ) async throws(NotifierError) -> Result {
        await enter()
        do {
            let result = try await work()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiters.append($0) }
    }

    private func leave() {
        guard !waiters.isEmpty else {
            isTaken = false
            return
        }
        waiters.removeFirst().resume()
    }
}

extension Result where Failure == NotifierError {
    /// What `body` gives or throws.
    init(_ body: () async throws(NotifierError) -> Success) async {
        do throws(NotifierError) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
