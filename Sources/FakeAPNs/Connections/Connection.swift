import Platform

/// What APNs remembers of one connection. A class for its identity; reached only under the fake's lock.
final class Connection {
    /// The `authorization` last found good here.
    struct Admitted {
        let authorization: String
        let issuedAt: WallTime
        /// Which state of the registered keys it was judged by.
        let keyGeneration: Int
    }

    let id: Int64
    /// Which of the servers behind the name answers.
    let backend: Int
    /// The first valid provider token binds the connection to its team, key and the key's topics (APNs facts §7).
    var binding: ProviderKey?
    var tokenUpdates = TokenUpdateLimiter()
    var admitted: Admitted?
    /// An expired provider token was seen: nothing but 403 until the client leaves (APNs facts §8).
    var isWedged = false
    /// The sticky fault that took hold here.
    var stickyFaultID: String?
    var isWarm = false
    var streams = StreamLimit()
    var badAnswers: [MonotonicInstant] = []
    var badDeviceTokens: [MonotonicInstant] = []

    init(id: Int64, backend: Int) {
        self.id = id
        self.backend = backend
    }
}

/// The most recent connections. The transport does not tell when one ends, so the oldest is forgotten at the bound.
struct ConnectionTable {
    private let limit: Int
    private var connections: [Int64: Connection] = [:]
    private var order: [Int64] = []
    private var latest: Connection?

    init(limit: Int) {
        self.limit = limit
    }

    subscript(id: Int64) -> Connection? {
        if let latest, latest.id == id { return latest }
        return connections[id]
    }

    mutating func use(_ connection: Connection) {
        guard latest !== connection else { return }
        latest = connection
        guard connections.updateValue(connection, forKey: connection.id) == nil else { return }
        order.append(connection.id)
        if order.count > limit + limit / 4 {
            for id in order.prefix(order.count - limit) { connections[id] = nil }
            order.removeFirst(order.count - limit)
        }
    }

    /// Forgets which provider tokens each connection has shown.
    func forgetTokenUpdates() {
        latest?.tokenUpdates = TokenUpdateLimiter()
        for connection in connections.values { connection.tokenUpdates = TokenUpdateLimiter() }
    }

    mutating func forget(_ id: Int64) {
        if latest?.id == id { latest = nil }
        guard connections.removeValue(forKey: id) != nil else { return }
        order.removeAll { $0 == id }
    }
}
