/// Decides how many exchanges a lane gives to libcurl at a time: as many as can start, and no more.
///
/// libcurl does not tell how many streams a server allows. What it cannot start it keeps, and 7.88 forgets some of that until a timeout
/// strikes (observed with a limit of one stream); on a new connection it opens a hundred streams before it has heard the limit. So a
/// lane begins with one exchange, doubles while all that it gives start at once, and takes back what does not (APNs facts §8, §17.2).
struct LaneWindow: Equatable {
    /// After so many exchanges one more than could start is tried again: the server may allow more by now.
    static let probeInterval = 16

    /// Exchanges under way at most.
    private(set) var size = 1
    /// True when all exchanges go over one connection: more than one at a time means HTTP/2.
    private(set) var isMultiplexed = false
    private let limit: Int
    private let connectionLimit: Int
    /// Exchanges that must end before the window grows again; nil while nothing has stood against it.
    private var untilProbe: Int?

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
        if size == 1, untilProbe == nil { size = min(2, limit) }
        guard let left = untilProbe else { return }
        untilProbe = left > 1 ? left - 1 : nil
        if untilProbe == nil { size = min(size + 1, limit) }
    }

    /// Everything that was given has started, and the window is full.
    mutating func filled() {
        guard isMultiplexed, untilProbe == nil else { return }
        size = min(size * 2, limit)
    }

    /// Nothing came back. Where nothing ever has, others need not wait for their turn to learn the same.
    mutating func failed() {
        guard !isMultiplexed else { return }
        size = connectionLimit
    }

    /// Only so many have started; the others are taken back. With none, it is the connection that they wait for.
    mutating func met(started: Int) {
        guard started > 0 else { return forget() }
        size = min(started, limit)
        untilProbe = Self.probeInterval
    }

    /// Nobody knows any more what the connection can do.
    mutating func forget() {
        size = 1
        untilProbe = nil
    }
}
