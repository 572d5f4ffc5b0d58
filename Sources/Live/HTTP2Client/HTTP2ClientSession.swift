import CNGHTTP2
import HTTP
import Platform

/// Owner of one of nghttp2's client sessions: calls in, bytes in and out, endings out. Knows no socket.
///
/// Isolation: the lane's thread.
final class HTTP2ClientSession {
    /// How a call has ended.
    enum Ending {
        case outcome(HTTPOutcome)
        /// The server said that it did not act on it (RFC 9113 §8.7).
        case refused
    }

    private var session: OpaquePointer?
    private var calls: [Int32: HTTP2Call] = [:]
    /// Calls that have ended since this was last emptied.
    private var endings: [(call: HTTP2Call, ending: Ending)] = []

    /// Nil when there is no memory for it.
    init?() {
        guard let callbacks = HTTP2ClientCallbacks.make() else { return nil }
        defer { nghttp2_session_callbacks_del(callbacks) }
        // Not retained: nghttp2 calls back only while it is called.
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard nghttp2_session_client_new(&session, callbacks, context) == 0, session != nil else { return nil }
        let settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(HTTP2Call.headerLimitBytes)
            ),
        ]
        guard nghttp2_submit_settings(session, 0, settings, settings.count) == 0 else { return nil }
    }

    deinit {
        nghttp2_session_del(session)
    }

    /// Calls whose outcome is open.
    var openCount: Int { calls.count }

    /// Streams the server allows at a time; nghttp2's guess of 100 before it has said a number.
    var allowedStreams: Int {
        Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// False once the server has said goodbye, or all numbers for streams are used.
    var takesCalls: Bool { nghttp2_session_check_request_allowed(session) != 0 }

    /// False once nothing is to come and nothing to go.
    var isLive: Bool { nghttp2_session_want_read(session) != 0 || nghttp2_session_want_write(session) != 0 }

    // MARK: Calls

    /// Opens a stream for the call; false when the session takes none.
    func begin(_ call: HTTP2Call) -> Bool {
        var block = HTTP2FieldBlock(call.request)
        var provider = nghttp2_data_provider()
        provider.read_callback = HTTP2ClientCallbacks.readBody
        let hasBody = !call.request.body.isEmpty
        // nghttp2 copies the fields before the call returns.
        let stream = block.withEntries { entries in
            withUnsafePointer(to: &provider) { provider in
                nghttp2_submit_request(session, nil, entries, entries.count, hasBody ? provider : nil, nil)
            }
        }
        guard stream > 0 else { return false }
        calls[stream] = call
        return true
    }

    /// Those whose time is over.
    func overdue(where isOver: (HTTP2Call) -> Bool) -> [HTTP2Call] {
        calls.isEmpty ? [] : calls.values.filter(isOver)
    }

    /// The next instant at which one is.
    var nextDeadline: MonotonicInstant? { calls.values.lazy.map(\.nextDeadline).min() }

    /// Gives a call up, unless it has ended.
    func cancel(_ call: HTTP2Call, _ outcome: HTTPOutcome) {
        guard let stream = calls.first(where: { $0.value === call })?.key else { return }
        end(stream, .outcome(outcome), reset: true)
    }

    /// The connection is over: so is every call.
    func breakOff(_ outcome: (HTTP2Call) -> HTTPOutcome) {
        for call in calls.values { endings.append((call, .outcome(outcome(call)))) }
        calls = [:]
    }

    /// The calls that have ended, each once.
    func takeEndings() -> [(call: HTTP2Call, ending: Ending)] {
        guard !endings.isEmpty else { return [] }
        defer { endings.removeAll(keepingCapacity: true) }
        return endings
    }

    private func end(_ stream: Int32, _ ending: Ending, reset: Bool) {
        guard let call = calls.removeValue(forKey: stream) else { return }
        endings.append((call, ending))
        if reset { _ = nghttp2_submit_rst_stream(session, 0, stream, NGHTTP2_CANCEL.rawValue) }
    }

    // MARK: Frames

    /// Each fails for want of memory only, or because the session has ended, which is seen anyway.
    func ping() { _ = nghttp2_submit_ping(session, 0, nil) }

    func goAway() { _ = nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue) }

    // MARK: Bytes

    /// Takes bytes that came; false when the session cannot go on.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        return nghttp2_session_mem_recv(session, start, bytes.count) == bytes.count
    }

    /// Appends what is to be sent, until there are so many bytes; false when the session cannot go on.
    func fill(_ output: inout [UInt8], upTo limit: Int) -> Bool {
        while output.count < limit {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &start)
            guard count >= 0 else { return false }
            if count == 0 { break }
            output += UnsafeBufferPointer(start: start, count: count)
        }
        return true
    }
}

// MARK: - What nghttp2 tells

extension HTTP2ClientSession {
    func takeStatus(_ status: Int, on stream: Int32) {
        calls[stream]?.takeStatus(status)
    }

    func takeField(_ name: String, _ value: String, on stream: Int32) {
        guard let call = calls[stream], !call.takeField(name, value) else { return }
        end(stream, .outcome(.unknown(.responseTooLarge)), reset: true)
    }

    func takeBody(_ bytes: UnsafeBufferPointer<UInt8>, on stream: Int32) {
        guard let call = calls[stream], !call.takeBody(bytes) else { return }
        end(stream, .outcome(.unknown(.responseTooLarge)), reset: true)
    }

    /// The answer is whole. What the server did not want of the request need not follow.
    func endAnswer(on stream: Int32) {
        guard let call = calls[stream] else { return }
        end(stream, .outcome(call.response), reset: nghttp2_session_get_stream_local_close(session, stream) == 0)
    }

    /// The stream is over; its answer, if there was a whole one, was told before.
    func endStream(_ stream: Int32, _ code: UInt32) {
        guard let call = calls[stream] else { return }
        // Who has begun to answer has acted, whatever is said afterwards.
        let isRefused = code == NGHTTP2_REFUSED_STREAM.rawValue && !call.hasAnswer
        end(stream, isRefused ? .refused : .outcome(call.brokenOff), reset: false)
    }

    /// The next bytes of a request's body.
    func fillBody(on stream: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, isLast: Bool)? {
        guard let call = calls[stream] else { return nil }
        let rest = call.request.body[call.sentBytes...].prefix(buffer.count)
        _ = buffer.update(fromContentsOf: rest)
        call.sentBytes += rest.count
        return (rest.count, call.sentBytes == call.request.body.count)
    }
}

extension HTTP2FieldBlock {
    /// Those that speak of a connection have no place in HTTP/2 (RFC 9113 §8.2.2).
    private static let connectionFields = [
        "connection", "host", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    fileprivate init(_ request: HTTPRequest) {
        self.init()
        append(":method", request.method.rawValue)
        append(":scheme", request.origin.scheme)
        append(":authority", request.origin.authority)
        append(":path", request.target)
        for field in request.fields.fields {
            guard !Self.connectionFields.contains(where: { HTTPFields.sameName($0, field.name) }) else { continue }
            append(field.name, field.value)
        }
        let method = request.method
        guard !request.body.isEmpty || method == .post || method == .put || method == .patch else { return }
        if request.fields["content-length"] == nil { append("content-length", String(request.body.count)) }
    }
}
