package import Platform

/// Something that goes wrong on a link, as data. A ratio of 0 makes any fault a no-op.
package struct LinkFault: Sendable, Hashable {
    /// What goes wrong.
    package enum Kind: Sendable, Hashable {
        /// Each way takes longer by a draw from the table.
        case latency(QuantileTable)
        /// Connecting is refused: the server never sees the request.
        case refuse
        /// The server acts, the first byte of its answer comes this much later.
        case stallBeforeFirstByte(Duration)
        /// The server acts, the head arrives, the body stops for this long.
        case stallInBody(Duration)
        /// The connection is reset before the server saw the request; the client cannot know.
        case resetBeforeServer
        /// The server acts, then the connection is reset.
        case resetAfterServer
        /// The server acts, half of the body arrives, then the connection ends.
        case truncateBody
        /// The body arrives at this many bytes a second.
        case slowBody(bytesPerSecond: Int64)
    }

    /// Names the fault in the trace.
    package var id: String
    package var kind: Kind
    /// Strikes `numerator` of `denominator` exchanges on average.
    var numerator: UInt64
    var denominator: UInt64

    package init(id: String, kind: Kind, numerator: UInt64 = 1, denominator: UInt64 = 1) {
        precondition(denominator > 0 && numerator <= denominator, "a ratio lies between 0 and 1")
        self.id = id
        self.kind = kind
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The stable name of the kind.
    var kindName: String {
        switch kind {
        case .latency: "latency"
        case .refuse: "refuse"
        case .stallBeforeFirstByte: "stall-before-first-byte"
        case .stallInBody: "stall-in-body"
        case .resetBeforeServer: "reset-before"
        case .resetAfterServer: "reset-after"
        case .truncateBody: "truncate"
        case .slowBody: "slow-body"
        }
    }
}
