import Platform

/// A client's network: an IPv4 address, or the first 64 bits of an IPv6 one, of which everybody who has one has all.
struct ClientNetwork: Hashable {
    var isIPv4: Bool
    var bits: UInt64

    init(isIPv4: Bool, bits: UInt64) {
        (self.isIPv4, self.bits) = (isIPv4, bits)
    }

    /// Of the 16 bytes of an IPv6 address. An IPv4 address inside one is that IPv4 address.
    init(of bytes: [UInt8]) {
        func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        self.init(isIPv4: isMapped, bits: number(isMapped ? bytes[12...] : bytes[..<8]))
    }
}

/// The connections of a server: until when each may keep it waiting, and whose they are.
///
/// libmicrohttpd closes a connection that moves no byte; one that moves a byte now and then would be held for ever, and a thousand of them
/// would be all that the server has. So a connection has a deadline while its client sends a request or takes an answer, and none while
/// the server works on one. When there are more than `limit`, one that keeps the server waiting gives way: of the network that has the most,
/// the one whose deadline is nearest. A newcomer is one of few, and at the beginning of its time.
struct ConnectionTable {
    private struct Entry {
        var descriptor: Int32
        var network: ClientNetwork
        var deadline: MonotonicInstant?
        /// Told to end, and not closed yet.
        var isEnding = false
    }

    let limit: Int
    let limitOfNetwork: Int
    private var entries: [Int: Entry] = [:]
    private var counts: [ClientNetwork: Int] = [:]
    private var endingCount = 0

    init(limit: Int, limitOfNetwork: Int) {
        (self.limit, self.limitOfNetwork) = (limit, limitOfNetwork)
    }

    /// Whether one more of that network may come.
    func admits(_ network: ClientNetwork) -> Bool { counts[network, default: 0] < limitOfNetwork }

    /// A connection is there and has said nothing yet. Gives the descriptor of the one that has to end for it; its own when the server works
    /// for all the others.
    mutating func open(
        _ connection: Int,
        _ descriptor: Int32,
        of network: ClientNetwork,
        until deadline: MonotonicInstant
    ) -> Int32? {
        entries[connection] = Entry(descriptor: descriptor, network: network, deadline: deadline)
        counts[network, default: 0] += 1
        guard entries.count - endingCount > limit, let victim = victim() else { return nil }
        return end(victim)
    }

    /// The client has until then; with nil it is not waited for.
    mutating func set(_ connection: Int, until deadline: MonotonicInstant?) {
        entries[connection]?.deadline = deadline
    }

    /// The connection's descriptor may be another's from now on.
    mutating func close(_ connection: Int) {
        guard let entry = entries.removeValue(forKey: connection) else { return }
        if entry.isEnding { endingCount -= 1 }
        let left = counts[entry.network, default: 1] - 1
        counts[entry.network] = left > 0 ? left : nil
    }

    /// Descriptors of connections whose time is over; each is given once.
    mutating func takeOverdue(at now: MonotonicInstant) -> [Int32] {
        let overdue = entries.filter { entry in entry.value.deadline.map { $0 <= now } ?? false }.keys.sorted()
        for connection in overdue { entries[connection]?.deadline = nil }
        return overdue.compactMap { entries[$0]?.descriptor }
    }

    private mutating func end(_ connection: Int) -> Int32? {
        entries[connection]?.isEnding = true
        entries[connection]?.deadline = nil
        endingCount += 1
        return entries[connection]?.descriptor
    }

    /// Of the connections that the server waits for; ties go by number, so that nothing depends on the order of a table.
    private func victim() -> Int? {
        let waiting = entries.filter { $0.value.deadline != nil && !$0.value.isEnding }
        return waiting.max { one, other in
            let (ones, others) = (counts[one.value.network] ?? 0, counts[other.value.network] ?? 0)
            guard ones == others else { return ones < others }
            guard one.value.deadline == other.value.deadline else {
                return (one.value.deadline ?? .init(nanoseconds: 0)) > (other.value.deadline ?? .init(nanoseconds: 0))
            }
            return one.key > other.key
        }?.key
    }
}
