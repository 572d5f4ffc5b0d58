import Platform

/// Decides how many streams a connection may have open, and when it has to show that it is alive.
///
/// A connection that has answered nothing yet gets one stream: a server may allow no more before a request has proven its sender, and
/// what goes over the limit it may take for an attack (APNs facts §8, §17.2). From the first success on, what the server's SETTINGS
/// say counts. Idle connections die silently, so one that has been silent is asked by a PING before it gets a request: what is lost
/// that way was never sent.
struct StreamWindow: Equatable {
    private let limit: Int
    private let silence: HTTP2Client.Silence
    /// True once a request has been answered over the connection.
    private(set) var isProven = false
    /// True from a success to a refusal.
    private var isWide = false
    private var heardAt: MonotonicInstant
    /// When the PING went that is not answered yet.
    private var askedAt: MonotonicInstant?

    /// At most `limit` streams are open at a time.
    init(limit: Int, silence: HTTP2Client.Silence, openedAt: MonotonicInstant) {
        self.limit = limit
        self.silence = silence
        heardAt = openedAt
    }

    /// How many more streams may be opened, with so many open and so many `allowed` by the server.
    func room(open: Int, allowed: Int) -> Int {
        guard askedAt == nil else { return 0 }
        return max(0, (isWide ? min(limit, allowed) : min(1, allowed)) - open)
    }

    /// True when a PING must go before further requests; that it goes is up to the caller, who tells by ``asked(at:)``.
    func mustAsk(at now: MonotonicInstant) -> Bool {
        askedAt == nil && heardAt.duration(to: now) > silence.trust
    }

    /// True when a PING is due to keep the connection.
    func shouldAsk(at now: MonotonicInstant) -> Bool {
        askedAt == nil && heardAt.duration(to: now) >= silence.keepAlive
    }

    mutating func asked(at now: MonotonicInstant) {
        askedAt = askedAt ?? now
    }

    /// Something came over the connection.
    mutating func heard(at now: MonotonicInstant) {
        heardAt = now
        askedAt = nil
    }

    /// A request was answered. Only one that was accepted has proven its sender (APNs facts §8).
    mutating func answered(isSuccess: Bool) {
        isProven = true
        isWide = isWide || isSuccess
    }

    /// A request was refused: one at a time from here, until one succeeds.
    mutating func refused() {
        isWide = false
    }

    /// True when the connection has not answered in time.
    func isDead(at now: MonotonicInstant) -> Bool {
        askedAt.map { $0.duration(to: now) >= silence.patience } ?? false
    }

    /// When it is to be looked at again.
    var nextLook: MonotonicInstant {
        askedAt?.advanced(by: silence.patience) ?? heardAt.advanced(by: silence.keepAlive)
    }
}
