import CNGHTTP2
import HTTP
import Platform

/// One client's connection: moves its bytes, gathers its requests, sends their answers.
///
/// Isolation: the server's thread.
final class HTTP2Connection {
    let id: Int64
    let address: String
    let socket: HTTP2Socket
    let configuration: HTTP2ServerConfiguration
    unowned let loop: HTTP2Loop
    private(set) var isClosed = false
    /// When bytes last moved, in either direction.
    private(set) var lastMoveAt: MonotonicInstant
    private(set) var session: HTTP2Session?

    /// Requests on their way in and answers on their way out.
    var streams: [Int32: HTTP2Stream] = [:]
    /// Bytes of bodies that are still coming, over all streams.
    var bufferedBytes = 0
    /// What was announced last.
    var streamLimit: Int
    /// Requests whose answer has not come, whether or not their stream is still open.
    var underWay = 0
    /// How the connection is to end; nil while nobody says goodbye.
    private(set) var farewell: HTTP2Farewell?
    /// What comes behind it is not acted on: the client was told so, or is about to be.
    private(set) var lastStream = Int32.max
    var hasBegun = false
    /// From now on the client gets no more room to send (RFC 9113 §5.2).
    var withholdsWindow = false

    private var output = HTTP2Output()
    private let openedAt: MonotonicInstant
    private var isDeaf = false
    /// The next GOAWAY is the last that the client hears.
    private var endsBehindGoAway = false
    private var isSilent = false
    private var endsAtGreeting = false

    init(
        id: Int64,
        address: String,
        socket: HTTP2Socket,
        configuration: HTTP2ServerConfiguration,
        loop: HTTP2Loop,
        now: MonotonicInstant
    ) {
        self.id = id
        self.address = address
        self.socket = socket
        self.configuration = configuration
        self.loop = loop
        openedAt = now
        lastMoveAt = now
        streamLimit = configuration.streamPolicy.unproven
        session = HTTP2Session(
            delegate: self,
            streamLimit: streamLimit,
            headerLimitBytes: configuration.headerLimitBytes
        )
        if session == nil { isClosed = true }
    }

    var wantsToWrite: Bool { !isDeaf && (socket.wantsToWrite || !output.isEmpty) }
    var hasBufferedInput: Bool { socket.hasBufferedBytes }
    var isBusy: Bool { underWay > 0 || !streams.isEmpty }
    /// True once everything is swallowed.
    var swallowsEverything: Bool { isDeaf }

    // MARK: Bytes

    /// Reads what has come, but no more than its share of the thread's time.
    func read(_ buffer: UnsafeMutableRawBufferPointer, now: MonotonicInstant) {
        for _ in 0..<16 where !isClosed {
            switch isDeaf || endsAtGreeting ? socket.swallow(buffer) : socket.read(into: buffer) {
            case .moved(let count):
                lastMoveAt = now
                if endsAtGreeting { return close() }
                take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
            case .blocked: return
            case .ended: close()
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        guard !isDeaf, let session else { return }
        guard session.receive(bytes) else {
            // The session may have said why.
            write(now: lastMoveAt)
            return close()
        }
    }

    /// Sends what there is to send, as far as the socket takes it, and closes a connection that is over.
    func write(now: MonotonicInstant) {
        guard !isDeaf, !endsAtGreeting, let session else { return }
        while !isClosed {
            guard output.fill(from: session, while: { !isSilent }) else { return close() }
            if output.isEmpty { break }
            switch output.send(to: socket) {
            case .moved: lastMoveAt = now
            case .blocked: return
            case .ended: return close()
            }
        }
        if isSilent { return hangUp() }
        if !session.isLive { close() }
    }

    // MARK: Ending

    /// Ends the connection in order.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        socket.sayGoodbye()
    }

    /// Ends TCP without a word of TLS.
    private func hangUp() {
        isClosed = true
    }

    /// Ends the connection so that the client sees a reset.
    func abort() {
        isClosed = true
        socket.resetWhenClosed()
    }

    /// From now on everything is swallowed.
    func goDeaf() {
        isDeaf = true
    }

    /// Ends as soon as the client has said anything.
    func endAtGreeting() {
        endsAtGreeting = true
    }

    /// Says goodbye once every answer that has begun is whole. Requests that come from now on are not acted on.
    func drain(_ farewell: HTTP2Farewell) {
        guard self.farewell == nil, let session else { return }
        self.farewell = farewell
        lastStream = min(lastStream, session.lastStream)
        goAwayWhenDue()
    }

    /// Says the goodbye that is due, if there is one.
    func goAwayWhenDue() {
        guard let farewell, !farewell.isSaid, !streams.values.contains(where: \.isBeingAnswered) else { return }
        guard !farewell.awaitsRequests || underWay == 0 else { return }
        sayFarewell(farewell)
    }

    /// Says a goodbye that is not said yet, whatever is under way: the server ends.
    func goAwayAtLast() {
        guard let farewell, !farewell.isSaid else { return }
        sayFarewell(farewell)
    }

    private func sayFarewell(_ farewell: HTTP2Farewell) {
        self.farewell?.isSaid = true
        for number in 0..<farewell.count { goAway(data: number == 0 ? farewell.data : []) }
    }

    /// Says at once which stream was the last.
    func goAway(after stream: Int32? = nil, _ code: nghttp2_error_code = NGHTTP2_NO_ERROR, data: [UInt8] = []) {
        guard let session else { return }
        // It may be said again, but never take back less (RFC 9113 §6.8).
        lastStream = min(lastStream, stream ?? session.lastStream)
        session.goAway(after: lastStream, code, data: data)
    }

    /// Says at once which stream was the last, and ends TCP behind that without TLS's goodbye (supplement §6).
    func goAwayForGood(after stream: Int32? = nil, _ code: nghttp2_error_code = NGHTTP2_NO_ERROR, data: [UInt8]) {
        endsBehindGoAway = true
        goAway(after: stream, code, data: data)
    }

    /// A GOAWAY has left the session.
    func saidGoAway() {
        loop.count { $0.goAways += 1 }
        isSilent = isSilent || endsBehindGoAway
    }

    /// Ends a connection that has used up its time.
    func checkTime(_ now: MonotonicInstant) {
        let quiet = lastMoveAt.duration(to: now)
        let isLate =
            !hasBegun && !isDeaf && openedAt.duration(to: now) > configuration.handshakeTimeout
            || wantsToWrite && quiet > configuration.requestTimeout
            || streams.isEmpty && quiet > configuration.idleTimeout
            || streams.values.contains { $0.isOverdue(at: now, after: configuration.requestTimeout) }
        if isLate { return close() }
        if hasBegun, !isBusy, farewell == nil, let reason = loop.idleGoodbye { drain(HTTP2Farewell(data: reason)) }
    }
}
