/// Where the parts of the kit say how it goes, and an app reads it.
public actor StatusBoard {
    private var status = ConnectionStatus()
    private var readers: [Int: AsyncStream<ConnectionState>.Continuation] = [:]
    private var count = 0

    /// Begins empty.
    public init() {}

    /// What to show now.
    public var state: ConnectionState { status.state }

    /// The present state, and from then on each other one; of those that come faster than they are read, the newest.
    public func states() -> AsyncStream<ConnectionState> {
        let (stream, continuation) = AsyncStream<ConnectionState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        count += 1
        let number = count
        readers[number] = continuation
        continuation.yield(status.state)
        return stream
    }

    /// Readers get no more.
    public func close() {
        for reader in readers.values { reader.finish() }
        readers = [:]
    }

    func network(isOnline: Bool) { change { $0.network(isOnline: isOnline) } }

    /// Does `work`, and tells that it is under way and how it ended.
    nonisolated func during<Result: Sendable>(
        _ work: () async throws(NotifierError) -> Result
    ) async throws(NotifierError) -> Result {
        await began()
        do {
            let result = try await work()
            await ended(nil)
            return result
        } catch {
            await ended(error)
            throw error
        }
    }

    private func began() { change { $0.began() } }

    private func ended(_ failure: NotifierError?) { change { $0.ended(failure) } }

    private func change(_ body: (inout ConnectionStatus) -> Void) {
        let before = status.state
        body(&status)
        guard status.state != before else { return }
        for (number, reader) in readers.sorted(by: { $0.key < $1.key }) {
            if case .terminated = reader.yield(status.state) { readers[number] = nil }
        }
    }
}
