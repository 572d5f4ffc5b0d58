import Platform

/// Until when each connection may keep the server waiting. libmicrohttpd closes one that moves no byte; one that moves a byte now and
/// then would be held for ever, and a thousand of them would be all that the server has.
///
/// A connection has a deadline while its client sends a request or takes an answer, and none while the server works on one.
struct ConnectionDeadlines {
    private struct Entry {
        var descriptor: Int32
        var deadline: MonotonicInstant?
    }

    private var entries: [Int: Entry] = [:]

    /// A connection is there and has said nothing yet.
    mutating func open(_ connection: Int, _ descriptor: Int32, until deadline: MonotonicInstant) {
        entries[connection] = Entry(descriptor: descriptor, deadline: deadline)
    }

    /// The client has until then; with nil it is not waited for.
    mutating func set(_ connection: Int, until deadline: MonotonicInstant?) {
        entries[connection]?.deadline = deadline
    }

    /// The connection's descriptor may be another's from now on.
    mutating func close(_ connection: Int) {
        entries[connection] = nil
    }

    /// Descriptors of connections whose time is over; each is given once.
    mutating func takeOverdue(at now: MonotonicInstant) -> [Int32] {
        let overdue = entries.filter { entry in entry.value.deadline.map { $0 <= now } ?? false }.keys.sorted()
        for connection in overdue { entries[connection]?.deadline = nil }
        return overdue.compactMap { entries[$0]?.descriptor }
    }
}
