/// What a person is shown of the connection.
public enum ConnectionState: Sendable, Equatable {
    /// The last request was answered.
    case connected
    /// Something is being fetched or sent.
    case syncing
    /// This device has no network, or nobody answers: what is shown is what was known last.
    case offline
    /// Something is wrong that the person, or whoever runs the server, has to mend.
    case error(NotifierError)
}

/// What has been learnt of the connection, as a value.
public struct ConnectionStatus: Sendable, Equatable {
    private var running = 0
    private var failure: NotifierError?
    private var isOffline = false

    /// Begins empty.
    public init() {}

    /// What to show.
    public var state: ConnectionState {
        if isOffline { return .offline }
        if let failure, failure.kind == .signedOut { return .error(failure) }
        if running > 0 { return .syncing }
        guard let failure else { return .connected }
        switch failure.kind {
        case .offline, .unreachable: return .offline
        case .cancelled: return .connected
        default: return .error(failure)
        }
    }

    /// Something is being fetched or sent.
    public mutating func began() { running += 1 }

    /// It has ended: well, or by `failure`.
    public mutating func ended(_ failure: NotifierError? = nil) {
        running = max(running - 1, 0)
        // Whoever cancels learns nothing of the connection.
        if failure?.kind != .cancelled { self.failure = failure }
    }

    /// The device says whether it has a network.
    public mutating func network(isOnline: Bool) { isOffline = !isOnline }
}
