/// Decides how many exchanges a lane gives to libcurl at a time: as many as can start, and no more.
///
/// libcurl does not tell how many streams a server allows. What it cannot start it keeps, and 7.88 forgets some of that until a timeout
/// strikes; on a new connection it opens a hundred streams before it has heard the limit; and it leaves a connection on which a stream
/// was refused. So a lane begins with one exchange, adds one with each answer, and takes back what does not start at once (APNs facts
/// §8, §17.2).
struct LaneWindow: Equatable {
    /// After so many answers one more than could start is tried again: the server may allow more by now.
    static let probeInterval = 16
    /// After so many answers exchanges go together again over a connection that took the place of another; four times as many when
    /// that happens again soon.
    static let caution = 256
    /// A connection that has given so many answers may end without a reason to be careful: servers count, too (nginx to a thousand).
    static let ordinaryLife = 512

    /// Exchanges under way at most.
    private(set) var size = 1
    /// True when all exchanges go over one connection: more than one at a time means HTTP/2.
    private(set) var isMultiplexed = false
    private let limit: Int
    private let connectionLimit: Int
    /// Answers to wait for before the window grows again.
    private var untilGrowth = 0
    /// True while a new connection is nothing to wonder about.
    private var mayReconnect = false
    /// Answers over the connection that there is.
    private var answerCount = 0
    /// Answers since a connection was lost early; nil when none was, or long ago.
    private var sinceLoss: Int?

    /// - Parameters:
    ///   - limit: exchanges under way at most, over HTTP/2.
    ///   - connectionLimit: the same over HTTP/1.1, where each has a connection.
    init(limit: Int, connectionLimit: Int) {
        self.limit = limit
        self.connectionLimit = connectionLimit
    }

    /// An answer came over HTTP/2, or over a connection that carries one exchange at a time.
    mutating func answered(isMultiplexed: Bool) {
        self.isMultiplexed = isMultiplexed
        guard isMultiplexed else {
            size = connectionLimit
            return
        }
        mayReconnect = false
        answerCount += 1
        sinceLoss = sinceLoss.flatMap { $0 < 8 * Self.caution ? $0 + 1 : nil }
        untilGrowth -= 1
        guard untilGrowth <= 0 else { return }
        untilGrowth = 0
        size = min(size + 1, limit)
    }

    /// Nothing came back. Where nothing ever has, others need not wait for their turn to learn the same.
    mutating func failed() {
        guard !isMultiplexed else { return }
        size = connectionLimit
    }

    /// Only so many have started; the others are taken back. With none, it is the connection that they wait for.
    mutating func met(started: Int) {
        size = max(1, min(started, limit))
        guard started > 0 else { return }
        untilGrowth = max(untilGrowth, Self.probeInterval)
    }

    /// Another connection took the place of the one that was there. libcurl 7.88 gives an exchange up that was
    /// refused too often, so it is one at a time from here, for long where the connection was young.
    mutating func lostConnection() {
        size = 1
        defer { answerCount = 0 }
        guard !mayReconnect, answerCount < Self.ordinaryLife else { return }
        untilGrowth = sinceLoss == nil ? Self.caution : 4 * Self.caution
        sinceLoss = 0
    }

    /// After a while without an exchange nobody knows any more what the connection can do, or whether it is there.
    mutating func forget() {
        size = 1
        mayReconnect = true
        untilGrowth = 0
    }
}
