import CNGHTTP2
import HTTP

/// What an HTTP/2 session tells of what comes in. Called within ``HTTP2Session/receive(_:)`` and ``HTTP2Session/nextBytes()``.
protocol HTTP2SessionDelegate: AnyObject {
    func beginRequest(on stream: Int32)
    func takeField(_ name: String, _ value: String, on stream: Int32)
    func takeBody(_ bytes: UnsafeBufferPointer<UInt8>, on stream: Int32)
    func endHead(on stream: Int32)
    func endRequest(on stream: Int32)
    func endStream(_ stream: Int32)
    /// The client has opened a stream more than it was told it may.
    func exceededStreams()
    /// The next bytes of an answer's body; nil breaks it off. Fewer than `buffer` holds only at the end.
    func fillBody(on stream: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, isLast: Bool)?
    func received(_ frame: nghttp2_frame_type, isAcknowledgement: Bool)
    /// `stream` is the one whose answer is whole with this frame; nil for any other frame.
    func sent(_ frame: nghttp2_frame_type, refusesStream: Bool, end stream: Int32?)
}

/// Owner of one of nghttp2's server sessions: bytes in, events out, frames to send out of it.
///
/// Isolation: the server's thread.
final class HTTP2Session {
    private var session: OpaquePointer?

    /// Nil when there is no memory for it. The delegate must outlive it.
    init?(delegate: any HTTP2SessionDelegate, streamLimit: Int, headerLimitBytes: Int) {
        let box = Unmanaged.passRetained(DelegateBox(delegate))
        context = box
        guard let callbacks = HTTP2Callbacks.make() else { return nil }
        defer { nghttp2_session_callbacks_del(callbacks) }
        guard let options = Self.makeOptions() else { return nil }
        defer { nghttp2_option_del(options) }
        guard nghttp2_session_server_new2(&session, callbacks, box.toOpaque(), options) == 0, session != nil else {
            return nil
        }
        // APNs' first frame: these four, and no initial window (supplement §6).
        let settings = [
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, 4_096), (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, streamLimit),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, 16_384), (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, headerLimitBytes),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.rawValue), value: UInt32(clamping: $1)) }
        guard nghttp2_submit_settings(session, 0, settings, settings.count) == 0 else { return nil }
    }

    /// libcurl 7.88 sends RST_STREAM behind every exchange that has ended, but for the first of a connection. nghttp2 takes more than
    /// 33 a second for an attack and ends the connection, so it is told to bear as many as a busy sender has exchanges. What an
    /// attacker gains by resetting streams is bounded by the requests that may be under way.
    private static func makeOptions() -> OpaquePointer? {
        var options: OpaquePointer?
        guard nghttp2_option_new(&options) == 0 else { return nil }
        nghttp2_option_set_stream_reset_rate_limit(options, resetsPerSecond, resetsPerSecond)
        // What was read makes room again by `makeRoom`, unless a fault withholds it.
        nghttp2_option_set_no_auto_window_update(options, 1)
        return options
    }

    private static let resetsPerSecond: UInt64 = 50_000

    deinit {
        nghttp2_session_del(session)
        context.release()
    }

    /// Released here, when nghttp2 calls back no more.
    private let context: Unmanaged<DelegateBox>

    /// nghttp2's pointer to the delegate, which does not keep it alive.
    final class DelegateBox {
        private(set) weak var delegate: (any HTTP2SessionDelegate)?
        init(_ delegate: any HTTP2SessionDelegate) { self.delegate = delegate }
    }

    // MARK: Bytes

    /// Takes bytes that came; false when the session cannot go on. A client's mistake is answered with GOAWAY by itself.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        return nghttp2_session_mem_recv(session, start, bytes.count) == bytes.count
    }

    /// Bytes to send, which are valid until the next call; empty when there are none, nil when the session cannot go on.
    func nextBytes() -> UnsafeBufferPointer<UInt8>? {
        var start: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(session, &start)
        return count < 0 ? nil : UnsafeBufferPointer(start: start, count: count)
    }

    /// False once nothing is to come and nothing to go.
    var isLive: Bool {
        nghttp2_session_want_read(session) != 0 || nghttp2_session_want_write(session) != 0
    }

    var lastStream: Int32 { nghttp2_session_get_last_proc_stream_id(session) }

    // MARK: Frames
    //
    // Each of these fails for want of memory or because the stream or session has ended, which its end tells anyway.

    func announce(streamLimit: Int) {
        let entry = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
            value: UInt32(clamping: streamLimit)
        )
        _ = nghttp2_submit_settings(session, 0, [entry], 1)
    }

    func reset(_ stream: Int32, _ code: nghttp2_error_code) {
        _ = nghttp2_submit_rst_stream(session, 0, stream, code.rawValue)
    }

    /// Lets the client send as many bytes again, on the connection and on the stream.
    func makeRoom(_ count: Int, on stream: Int32) {
        _ = nghttp2_session_consume(session, stream, count)
    }

    func goAway(after stream: Int32, _ code: nghttp2_error_code, data: [UInt8] = []) {
        _ = nghttp2_submit_goaway(session, 0, stream, code.rawValue, data, data.count)
    }

    /// Sends an answer's head; its body is asked for when there is one.
    func respond(on stream: Int32, status: Int, fields: HTTPFields, hasBody: Bool) {
        var block = HTTP2FieldBlock()
        block.append(":status", String(status))
        for field in fields.fields { block.append(field.name, field.value) }
        var provider = nghttp2_data_provider()
        provider.read_callback = HTTP2Callbacks.readBody
        // nghttp2 copies the fields before the call returns.
        block.withEntries { entries in
            withUnsafePointer(to: &provider) { provider in
                _ = nghttp2_submit_response(session, stream, entries, entries.count, hasBody ? provider : nil)
            }
        }
    }
}
