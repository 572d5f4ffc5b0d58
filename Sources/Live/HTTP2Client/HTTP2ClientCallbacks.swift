import CNGHTTP2

/// nghttp2's callbacks for a client. Their context is the ``HTTP2ClientSession`` itself, which is alive while nghttp2 is called.
enum HTTP2ClientCallbacks {
    /// The table of callbacks; belongs to the caller. Nil when there is no memory for it.
    static func make() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        nghttp2_session_callbacks_set_on_header_callback(callbacks, header)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, dataChunk)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frameReceived)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClosed)
        return callbacks
    }

    /// Reads a request's body for nghttp2.
    static let readBody: nghttp2_data_source_read_callback = { _, stream, buffer, count, flags, _, context in
        let space = UnsafeMutableBufferPointer(start: buffer, count: count)
        guard let chunk = session(context).fillBody(on: stream, space) else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        if chunk.isLast { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return chunk.count
    }

    private static func session(_ context: UnsafeMutableRawPointer?) -> HTTP2ClientSession {
        guard let context else { preconditionFailure("nghttp2 hands back the context it was given") }
        return Unmanaged<HTTP2ClientSession>.fromOpaque(context).takeUnretainedValue()
    }

    private static let header: nghttp2_on_header_callback = {
        _,
        frame,
        name,
        nameCount,
        value,
        valueCount,
        _,
        context in
        // A promised request has fields, too.
        guard let frame, UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
        let stream = frame.pointee.hd.stream_id
        let name = UnsafeBufferPointer(start: name, count: nameCount)
        let value = String(decoding: UnsafeBufferPointer(start: value, count: valueCount), as: UTF8.self)
        if name.first == UInt8(ascii: ":") {
            // The only one that an answer has; nghttp2 has seen to that, and that it is a number of three digits.
            session(context).takeStatus(Int(value) ?? 0, on: stream)
        } else {
            session(context).takeField(String(decoding: name, as: UTF8.self), value, on: stream)
        }
        return 0
    }

    private static let dataChunk: nghttp2_on_data_chunk_recv_callback = { _, _, stream, bytes, count, context in
        session(context).takeBody(UnsafeBufferPointer(start: bytes, count: count), on: stream)
        return 0
    }

    private static let frameReceived: nghttp2_on_frame_recv_callback = { _, frame, context in
        guard let frame, wb_nghttp2_frame_ends_stream(frame) != 0 else { return 0 }
        let type = nghttp2_frame_type(UInt32(frame.pointee.hd.type))
        // The flag means something else on other frames.
        if type == NGHTTP2_HEADERS || type == NGHTTP2_DATA {
            session(context).endAnswer(on: frame.pointee.hd.stream_id)
        }
        return 0
    }

    private static let streamClosed: nghttp2_on_stream_close_callback = { _, stream, code, context in
        session(context).endStream(stream, code)
        return 0
    }
}
