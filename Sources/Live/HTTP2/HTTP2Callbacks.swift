import CNGHTTP2

/// nghttp2's callbacks. Their context is the session's ``HTTP2Session/DelegateBox``, which the session keeps alive.
enum HTTP2Callbacks {
    /// The table of callbacks; belongs to the caller. Nil when there is no memory for it.
    static func make() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, beginHeaders)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, header)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, dataChunk)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frameReceived)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClosed)
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, frameSent)
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, invalidFrame)
        return callbacks
    }

    /// Reads an answer's body for nghttp2.
    static let readBody: nghttp2_data_source_read_callback = { _, stream, buffer, count, flags, _, context in
        let space = UnsafeMutableBufferPointer(start: buffer, count: count)
        guard let chunk = delegate(context)?.fillBody(on: stream, space) else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        if chunk.isLast { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return chunk.count
    }

    private static func delegate(_ context: UnsafeMutableRawPointer?) -> (any HTTP2SessionDelegate)? {
        guard let context else { return nil }
        return Unmanaged<HTTP2Session.DelegateBox>.fromOpaque(context).takeUnretainedValue().delegate
    }

    private static let beginHeaders: nghttp2_on_begin_headers_callback = { _, frame, context in
        if let frame, wb_nghttp2_frame_is_request(frame) != 0 {
            delegate(context)?.beginRequest(on: frame.pointee.hd.stream_id)
        }
        return 0
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
        guard let frame else { return 0 }
        delegate(context)?.takeField(
            String(decoding: UnsafeBufferPointer(start: name, count: nameCount), as: UTF8.self),
            String(decoding: UnsafeBufferPointer(start: value, count: valueCount), as: UTF8.self),
            on: frame.pointee.hd.stream_id
        )
        return 0
    }

    private static let dataChunk: nghttp2_on_data_chunk_recv_callback = { _, _, stream, bytes, count, context in
        delegate(context)?.takeBody(UnsafeBufferPointer(start: bytes, count: count), on: stream)
        return 0
    }

    private static let frameReceived: nghttp2_on_frame_recv_callback = { _, frame, context in
        guard let frame, let delegate = delegate(context) else { return 0 }
        let header = frame.pointee.hd
        let type = nghttp2_frame_type(UInt32(header.type))
        if type == NGHTTP2_HEADERS { delegate.endHead(on: header.stream_id) }
        if type == NGHTTP2_HEADERS || type == NGHTTP2_DATA, wb_nghttp2_frame_ends_stream(frame) != 0 {
            delegate.endRequest(on: header.stream_id)
        }
        let isAcknowledgement = UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue != 0
        delegate.received(type, isAcknowledgement: isAcknowledgement)
        return 0
    }

    private static let streamClosed: nghttp2_on_stream_close_callback = { _, stream, _, context in
        delegate(context)?.endStream(stream)
        return 0
    }

    /// A client that has not heard of the limit is refused the stream; one that has breaks the protocol.
    private static let invalidFrame: nghttp2_on_invalid_frame_recv_callback = { session, frame, code, context in
        guard let frame, let delegate = delegate(context), wb_nghttp2_frame_is_request(frame) != 0 else { return 0 }
        if code == NGHTTP2_ERR_REFUSED_STREAM.rawValue || code == NGHTTP2_ERR_PROTO.rawValue {
            delegate.exceededStreams()
        }
        return 0
    }

    private static let frameSent: nghttp2_on_frame_send_callback = { _, frame, context in
        guard let frame else { return 0 }
        let type = nghttp2_frame_type(UInt32(frame.pointee.hd.type))
        let refuses =
            type == NGHTTP2_RST_STREAM && frame.pointee.rst_stream.error_code == NGHTTP2_REFUSED_STREAM.rawValue
        let isAnswer = type == NGHTTP2_HEADERS || type == NGHTTP2_DATA
        let ends = isAnswer && wb_nghttp2_frame_ends_stream(frame) != 0
        delegate(context)?.sent(type, refusesStream: refuses, end: ends ? frame.pointee.hd.stream_id : nil)
        return 0
    }
}
