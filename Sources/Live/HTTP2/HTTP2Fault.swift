/// Trouble with frames and connections, which a response cannot express (APNs facts §16.21). Started and stopped by its id.
package struct HTTP2Fault: Sendable, Hashable {
    /// What happens to a request that it strikes.
    package enum Kind: Sendable, Hashable {
        /// RST_STREAM with REFUSED_STREAM: it was not processed and may be sent again.
        case refuseStream
        /// RST_STREAM with INTERNAL_ERROR, and nothing was done.
        case resetStream
        /// It is acted on, then RST_STREAM with INTERNAL_ERROR stands for the answer.
        case resetStreamAfterActing
        /// It is never answered and nothing was done; the connection goes on.
        case neverAnswer
        /// It is answered while GOAWAY lets every stream end, with the reason as JSON or without data.
        case goAway(reason: String?)
        /// GOAWAY whose last stream is the one before it: it was not processed.
        case goAwayBefore(reason: String?)
        /// It is answered, behind two GOAWAY frames in a row without data.
        case goAwayTwice
        /// The TCP connection is reset and nothing was done.
        case resetConnection
        /// From now on the connection swallows everything and says nothing, PING included.
        case halfOpen
        /// SETTINGS let the client have so many streams from now on, while the request is under way. The next answer changes it back
        /// as the server's policy says.
        case streamLimit(Int)
    }

    package var id: String
    package var kind: Kind
    /// Strikes each nth request, beginning with the nth; 1 for all.
    package var every: Int

    package init(_ id: String, _ kind: Kind, every: Int = 1) {
        precondition(every > 0, "a fault strikes some requests")
        self.id = id
        self.kind = kind
        self.every = every
    }
}

/// The running faults in the order in which they were started.
struct HTTP2FaultTable {
    private var slots: [(fault: HTTP2Fault, requests: Int)] = []

    mutating func start(_ fault: HTTP2Fault) {
        stop(fault.id)
        slots.append((fault, 0))
    }

    mutating func stop(_ id: String) {
        slots.removeAll { $0.fault.id == id }
    }

    /// What strikes the next request; every fault counts it, the first one strikes.
    mutating func draw() -> HTTP2Fault.Kind? {
        var struck: HTTP2Fault.Kind?
        for index in slots.indices {
            slots[index].requests += 1
            if slots[index].requests.isMultiple(of: slots[index].fault.every) {
                struck = struck ?? slots[index].fault.kind
            }
        }
        return struck
    }
}
