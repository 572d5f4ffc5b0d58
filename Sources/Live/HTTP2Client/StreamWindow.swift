import Platform

/// Decides how many streams a connection may have open, and when it has to show that it is alive.
///
/// A connection that has answered nothing yet gets one stream: a server may allow no more before a request has proven its sender, and
/// what goes over the limit it may take for an attack (APNs facts §8, §17.2). From the first success on, what the server's SETTINGS
/// say counts. From a refusal on the number begins at one and grows by one with each success: where a limit falls again and again, or
/// is lower than it is said to be, few are refused at a time, and no request again and again. Idle connections die silently, so one that has been silent is asked by a PING before it gets a request: what is lost
/// that way was never sent.
struct StreamWindow: Equatable {
    private let limit: Int
    private let silence: HTTP2Client.Silence
    /// True once a request has been answered over the connection.
    private(set) var isProven = false
    /// How many streams what has been answered and refused so far speaks for.
    private var trusted = 1
    private var wasRefused = false
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
        return max(0, min(trusted, allowed) - open)
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
        guard isSuccess else { return }
        trusted = wasRefused ? min(trusted + 1, limit) : limit
    }

    /// A request was refused: from here on the number grows from one.
    mutating func refused() {
        trusted = 1
        wasRefused = true
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
