import CNGHTTP2
import HTTP

/// Answers on their way out, and what is said beside them.
extension HTTP2Connection {
    /// Sends an answer on its way. One whose stream has ended is dropped.
    func answer(_ stream: Int32, _ reply: SentResponse, fault: HTTP2Fault.Kind?) {
        underWay -= 1
        defer { goAwayWhenDue() }
        guard let session, let stream = streams[stream] else { return }
        if fault == .resetStreamAfterActing { return session.reset(stream.id, NGHTTP2_INTERNAL_ERROR) }
        switch reply.travel {
        case .never: return
        case .reset: return abort()
        case .truncated(let bytes): stream.answerEnd = bytes
        case .whole: break
        }
        if fault == .splitAnswer { stream.frameBytes = 5 }
        respond(on: stream, reply.response)
        if reply.closesConnection { drain(HTTP2Farewell(data: Self.reason(in: reply.response))) }
        switch fault {
        case .goAway(let reason): drain(HTTP2Farewell(data: Self.data(reason)))
        case .goAwayTwice(let reason): drain(HTTP2Farewell(data: Self.data(reason), count: 2))
        default: break
        }
    }

    /// Answers without asking the handler.
    func respond(on stream: HTTP2Stream, _ response: HTTPResponse) {
        guard let session else { return }
        stream.status = response.status
        stream.answerMovedAt = LiveTime().monotonicNow
        if stream.method != HTTPMethod.head.rawValue { stream.answer = response.body }
        session.respond(
            on: stream.id,
            status: response.status,
            fields: Self.withoutConnectionFields(response.fields),
            hasBody: !stream.answer.isEmpty
        )
    }

    func fillBody(on stream: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, isLast: Bool)? {
        guard let stream = streams[stream] else { return nil }
        let end = min(stream.answer.count, stream.answerEnd ?? .max)
        guard stream.answerOffset < end || stream.answerEnd == nil else { return nil }
        let count = min(buffer.count, end - stream.answerOffset, stream.frameBytes ?? .max)
        _ = buffer.update(fromContentsOf: stream.answer[stream.answerOffset..<stream.answerOffset + count])
        stream.answerOffset += count
        stream.answerMovedAt = LiveTime().monotonicNow
        return (count, stream.answerOffset == stream.answer.count && stream.answerEnd == nil)
    }

    func sent(_ frame: nghttp2_frame_type, refusesStream: Bool, end stream: Int32?) {
        if refusesStream { loop.count { $0.refusedStreams += 1 } }
        // Behind the whole answer: clients that count streams by hand, such as aioapns, lose count when a limit changes while
        // the answer that changes it is still under way.
        if let stream, let status = streams[stream]?.status {
            announce(configuration.streamPolicy.limit(after: status, now: streamLimit))
            streams[stream]?.isAnswered = true
            goAwayWhenDue()
        }
        if frame == NGHTTP2_GOAWAY { saidGoAway() }
    }

    /// Tells the client how many streams it may have open from now on.
    func announce(_ limit: Int) {
        if limit != streamLimit { session?.announce(streamLimit: limit) }
        streamLimit = limit
    }

    /// Fields that HTTP/2 forbids (RFC 9113 §8.2.2).
    private static func withoutConnectionFields(_ fields: HTTPFields) -> HTTPFields {
        var fields = fields
        for name in ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"] {
            fields[name] = nil
        }
        return fields
    }

    /// GOAWAY carries the same reason as the answer before it, without spaces (APNs facts §8, supplement §6).
    private static func reason(in response: HTTPResponse) -> [UInt8] {
        let isReason = response.fields["content-type"] == "application/json" && response.body.count <= 1_024
        return isReason ? response.body : []
    }

    static func data(_ reason: String?) -> [UInt8] {
        reason.map { Array(#"{"reason":"\#($0)"}"#.utf8) } ?? []
    }
}
