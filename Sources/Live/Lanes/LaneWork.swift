import HTTP

/// What a lane's thread has to do: which exchanges wait, which are under way.
///
/// Isolation: the lane's thread.
protocol LaneWork: SendableMetatype {
    /// An exchange on its way through the lane.
    associatedtype Transfer: LaneTransfer

    /// True when nothing waits and nothing is under way.
    var isIdle: Bool { get }

    mutating func enqueue(_ transfers: [Transfer])
    /// Ends an exchange with the outcome `cancelled`, unless it has ended.
    mutating func cancel(_ transfer: Transfer)
    /// Does all that can be done without waiting.
    mutating func advance()
    /// Waits until there is something to do, or the lane is woken.
    mutating func wait()
    /// Ends everything at once.
    mutating func abandon()
}

/// One exchange, as its lane sees it.
protocol LaneTransfer: AnyObject, Sendable {
    var pending: PendingOutcome { get }
    /// Tells whoever waits, once, and gives back what the exchange held.
    func finish(_ outcome: HTTPOutcome)
}

/// Ends the wait of a lane's thread, from any thread.
protocol LaneWaker: Sendable {
    func wake()
}
