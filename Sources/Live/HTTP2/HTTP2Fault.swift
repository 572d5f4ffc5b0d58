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
        /// It is answered, and GOAWAY follows the whole answer, with the reason as JSON or without data.
        case goAway(reason: String?)
        /// GOAWAY whose last stream is the one before it: it was not processed.
        case goAwayBefore(reason: String?)
        /// It is answered, and two GOAWAY frames in a row follow, the second without data.
        case goAwayTwice(reason: String?)
        /// GOAWAY stands for the answer: last stream 0, no error, the reason as JSON. Then TCP ends without TLS's goodbye (supplement
        /// §6, as seen with a certificate of the wrong kind). Nothing was done.
        case goAwayFatal(reason: String)
        /// Strikes no request: a client that opens more streams than it may loses its connection by GOAWAY with error 7 and plain text
        /// (APNs facts §8).
        case goAwayOnExcess
        /// Strikes no request: a connection that has had one and is idle is told to go (supplement §6).
        case goAwayWhenIdle(reason: String)
        /// It is answered, the body in several frames (APNs facts §5).
        case splitAnswer
        /// It is answered. From now on the client gets no more room to send, so that it can send some 64 KB at most.
        case exhaustedWindow
        /// The TCP connection is reset and nothing was done.
        case resetConnection
        /// From now on the connection swallows everything and says nothing, PING included.
        case halfOpen
        /// SETTINGS let the client have so many streams from now on, while the request is under way. The next answer changes it back
        /// as the server's policy says.
        case streamLimit(Int)
    }

    var id: String
    var kind: Kind
    /// Strikes each nth request, beginning with the nth; 1 for all.
    var every: Int

    package init(_ id: String, _ kind: Kind, every: Int = 1) {
        precondition(every > 0, "a fault strikes some requests")
        self.id = id
        self.kind = kind
        self.every = every
    }
}

extension HTTP2Fault.Kind {
    /// False for those that strike connections whatever they are asked.
    fileprivate var strikesRequests: Bool {
        switch self {
        case .goAwayOnExcess, .goAwayWhenIdle: false
        default: true
        }
    }
}

/// The running faults in the order in which they were started.
struct HTTP2FaultTable {
    private var slots: [(fault: HTTP2Fault, requests: Int)] = []

    mutating func start(_ fault: HTTP2Fault) {
        stop(fault.id)
        slots.append((fault, 0))
    }

    @discardableResult mutating func stop(_ id: String) -> Bool {
        let count = slots.count
        slots.removeAll { $0.fault.id == id }
        return slots.count < count
    }

    /// Whether a client that opens too many streams loses its connection.
    var punishesExcess: Bool { slots.contains { $0.fault.kind == .goAwayOnExcess } }

    /// Why idle connections are told to go; nil when they are not.
    var idleReason: String? {
        for slot in slots {
            if case .goAwayWhenIdle(let reason) = slot.fault.kind { return reason }
        }
        return nil
    }

    /// What strikes the next request; every fault counts it, the first one strikes.
    mutating func draw() -> HTTP2Fault.Kind? {
        var struck: HTTP2Fault.Kind?
        for index in slots.indices where slots[index].fault.kind.strikesRequests {
            slots[index].requests += 1
            if slots[index].requests.isMultiple(of: slots[index].fault.every) {
                struck = struck ?? slots[index].fault.kind
            }
        }
        return struck
    }
}
