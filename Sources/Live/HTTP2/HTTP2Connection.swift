import CNGHTTP2
import HTTP
import Platform

/// One client's connection: moves its bytes, gathers its requests, sends their answers.
///
/// Isolation: the server's thread.
final class HTTP2Connection {
    /// Bytes taken out of the session before the socket has taken them.
    private static let outputLimitBytes = 65_536

    let id: Int64
    let address: String
    let socket: HTTP2Socket
    let configuration: HTTP2ServerConfiguration
    unowned let loop: HTTP2Loop
    var streams: [Int32: HTTP2Stream] = [:]
    private(set) var isClosed = false
    private var session: HTTP2Session?
    private var output: [UInt8] = []
    private var outputStart = 0
    private let openedAt: MonotonicInstant
    private var lastMoveAt: MonotonicInstant
    private var hasBegun = false
    private var isDeaf = false
    private var streamLimit: Int
    /// Requests whose answer has not come, whether or not their stream is still open.
    private var underWay = 0
    /// What the last GOAWAY will say; it waits until the client has answered the PING behind the first one.
    private var pendingGoAway: [UInt8]?
    private var hasPinged = false

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

    var wantsToWrite: Bool { !isDeaf && (socket.wantsToWrite || outputStart < output.count) }
    var hasBufferedInput: Bool { socket.hasBufferedBytes }
    var isBusy: Bool { underWay > 0 || !streams.isEmpty }

    // MARK: Bytes

    /// Reads what has come, but no more than its share of the thread's time.
    func read(_ buffer: UnsafeMutableRawBufferPointer, now: MonotonicInstant) {
        for _ in 0..<16 where !isClosed {
            switch socket.read(into: buffer) {
            case .moved(let count):
                lastMoveAt = now
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
        guard !isDeaf, let session else { return }
        while !isClosed {
            if outputStart == output.count, !fillOutput(from: session) { return close() }
            guard outputStart < output.count else { break }
            let progress = output.withUnsafeBytes { socket.write(UnsafeRawBufferPointer(rebasing: $0[outputStart...])) }
            switch progress {
            case .moved(let count):
                outputStart += count
                lastMoveAt = now
            case .blocked: return
            case .ended: return close()
            }
        }
        if !session.isLive { close() }
    }

    private func fillOutput(from session: HTTP2Session) -> Bool {
        output.removeAll(keepingCapacity: true)
        outputStart = 0
        while output.count < Self.outputLimitBytes {
            guard let bytes = session.nextBytes() else { return false }
            if bytes.isEmpty { break }
            output += bytes
        }
        return true
    }

    // MARK: Ending

    /// Ends the connection in order.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        socket.sayGoodbye()
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

    /// Lets streams that are open end and takes no more.
    func drain(data: [UInt8] = []) {
        guard pendingGoAway == nil, let session else { return }
        pendingGoAway = data
        session.announceShutdown()
    }

    /// Says at once which stream was the last; `count` times.
    func goAway(after stream: Int32? = nil, data: [UInt8] = [], count: Int = 1) {
        guard let session else { return }
        for _ in 0..<count { session.goAway(after: stream ?? session.lastStream, data: data) }
    }

    /// Ends a connection that has used up its time.
    func checkTime(_ now: MonotonicInstant) {
        let quiet = lastMoveAt.duration(to: now)
        let isLate =
            !hasBegun && openedAt.duration(to: now) > configuration.handshakeTimeout
            || wantsToWrite && quiet > configuration.requestTimeout
            || streams.isEmpty && quiet > configuration.idleTimeout
            || streams.values.contains { !$0.isWhole && $0.startedAt.duration(to: now) > configuration.requestTimeout }
        if isLate { close() }
    }

    // MARK: Answering

    /// Sends an answer on its way. One whose stream has ended is dropped.
    func answer(_ stream: Int32, _ reply: HTTPReply, fault: HTTP2Fault.Kind?) {
        underWay -= 1
        guard let session, let stream = streams[stream] else { return }
        if fault == .resetStreamAfterActing { return session.reset(stream.id, NGHTTP2_INTERNAL_ERROR) }
        switch reply.travel {
        case .never: return
        case .reset: return abort()
        case .truncated(let bytes): stream.answerEnd = bytes
        case .whole: break
        }
        respond(on: stream, reply.response)
        if reply.closesConnection { drain(data: Self.reason(in: reply.response)) }
        switch fault {
        case .goAway(let reason): drain(data: Self.data(reason))
        case .goAwayTwice: goAway(count: 2)
        default: break
        }
    }

    /// Answers without asking the handler.
    func respond(on stream: HTTP2Stream, _ response: HTTPResponse) {
        guard let session else { return }
        stream.status = response.status
        if stream.method != HTTPMethod.head.rawValue { stream.answer = response.body }
        session.respond(
            on: stream.id,
            status: response.status,
            fields: Self.withoutConnectionFields(response.fields),
            hasBody: !stream.answer.isEmpty
        )
    }

    /// Fields that HTTP/2 forbids (RFC 9113 §8.2.2).
    private static func withoutConnectionFields(_ fields: HTTPFields) -> HTTPFields {
        var fields = fields
        for name in ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"] {
            fields[name] = nil
        }
        return fields
    }

    /// GOAWAY carries the same reason as the answer before it (APNs facts §8).
    private static func reason(in response: HTTPResponse) -> [UInt8] {
        response.fields["content-type"] == "application/json" ? response.body : []
    }

    private static func data(_ reason: String?) -> [UInt8] {
        reason.map { Array(#"{"reason":"\#($0)"}"#.utf8) } ?? []
    }

    // MARK: Handing over

    /// Hands a whole request over, unless it is too large or a fault strikes it.
    private func handOver(_ stream: HTTP2Stream) {
        guard !stream.hasLongHeaders else { return respond(on: stream, HTTPResponse(status: 431)) }
        guard stream.receivedBytes <= configuration.bodyLimitBytes else {
            return respond(on: stream, HTTPResponse(status: 413))
        }
        // A client that opens and resets streams must not leave the handler more work than its limit allows.
        guard underWay < configuration.streamPolicy.proven else {
            session?.reset(stream.id, NGHTTP2_REFUSED_STREAM)
            return
        }
        let fault = loop.drawFault()
        if let fault, prevents(stream, fault) { return }
        underWay += 1
        let scheme = configuration.identity == nil ? "http" : "https"
        loop.handOver(
            HTTP2Exchange(
                connection: id,
                stream: stream.id,
                request: stream.request(scheme: scheme),
                peer: HTTPPeer(address: address, connection: id),
                fault: fault
            )
        )
    }

    /// True when the fault keeps the request from being handled.
    private func prevents(_ stream: HTTP2Stream, _ fault: HTTP2Fault.Kind) -> Bool {
        switch fault {
        case .refuseStream: session?.reset(stream.id, NGHTTP2_REFUSED_STREAM)
        case .resetStream: session?.reset(stream.id, NGHTTP2_INTERNAL_ERROR)
        case .neverAnswer: break
        case .goAwayBefore(let reason): goAway(after: max(0, stream.id - 2), data: Self.data(reason))
        case .resetConnection: abort()
        case .halfOpen: goDeaf()
        case .resetStreamAfterActing, .goAway, .goAwayTwice: return false
        }
        return true
    }
}

extension HTTP2Connection: HTTP2SessionDelegate {
    /// Behind the whole answer: clients that count streams by hand, such as aioapns, lose count when a limit changes while
    /// the answer that changes it is still under way.
    private func announceLimit(after status: Int) {
        let limit = configuration.streamPolicy.limit(after: status, now: streamLimit)
        if limit != streamLimit { session?.announce(streamLimit: limit) }
        streamLimit = limit
    }

    func beginRequest(on stream: Int32) {
        hasBegun = true
        streams[stream] = HTTP2Stream(id: stream, startedAt: lastMoveAt)
        let open = streams.count
        loop.count { $0.peakStreams = max($0.peakStreams, open) }
    }

    func takeField(_ name: String, _ value: String, on stream: Int32) {
        streams[stream]?.take(name, value, limitBytes: configuration.headerLimitBytes)
    }

    func takeBody(_ bytes: UnsafeBufferPointer<UInt8>, on stream: Int32) {
        guard let stream = streams[stream] else { return }
        stream.take(bytes, limitBytes: configuration.bodyLimitBytes)
        let buffered = streams.values.reduce(0) { $0 + ($1.isWhole ? 0 : $1.body.count) }
        if stream.receivedBytes > 4 * configuration.bodyLimitBytes || buffered > configuration.bufferLimitBytes {
            session?.reset(stream.id, NGHTTP2_ENHANCE_YOUR_CALM)
        }
    }

    func endHead(on stream: Int32) {
        streams[stream]?.hasHead = true
    }

    func endRequest(on stream: Int32) {
        guard let stream = streams[stream] else { return }
        stream.isWhole = true
        handOver(stream)
    }

    func endStream(_ stream: Int32) {
        streams[stream] = nil
    }

    func fillBody(on stream: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, isLast: Bool)? {
        guard let stream = streams[stream] else { return nil }
        let end = min(stream.answer.count, stream.answerEnd ?? .max)
        guard stream.answerOffset < end || stream.answerEnd == nil else { return nil }
        let count = min(buffer.count, end - stream.answerOffset)
        _ = buffer.update(fromContentsOf: stream.answer[stream.answerOffset..<stream.answerOffset + count])
        stream.answerOffset += count
        return (count, stream.answerOffset == stream.answer.count && stream.answerEnd == nil)
    }

    func received(_ frame: nghttp2_frame_type, isAcknowledgement: Bool) {
        guard !isDeaf else { return }
        switch frame {
        case NGHTTP2_PING where isAcknowledgement:
            if let data = pendingGoAway, hasPinged { goAway(data: data) }
        case NGHTTP2_PING: loop.count { $0.pings += 1 }
        case NGHTTP2_RST_STREAM: loop.count { $0.streamsResetByClient += 1 }
        default: break
        }
    }

    func sent(_ frame: nghttp2_frame_type, refusesStream: Bool, end stream: Int32?) {
        if refusesStream { loop.count { $0.refusedStreams += 1 } }
        if let stream, let status = streams[stream]?.status { announceLimit(after: status) }
        guard frame == NGHTTP2_GOAWAY else { return }
        loop.count { $0.goAways += 1 }
        guard pendingGoAway != nil, !hasPinged else { return }
        // Only now, since nghttp2 lets a PING overtake.
        hasPinged = true
        session?.ping()
    }
}
