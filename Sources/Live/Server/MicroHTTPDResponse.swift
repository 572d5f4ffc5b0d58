import CMicroHTTPD
import HTTP

/// Puts a reply on its way.
enum MicroHTTPDResponse {
    /// Fields that libmicrohttpd writes itself.
    private static let ownFields = ["content-length", "transfer-encoding"]

    /// Refused for a reply that does not arrive, which ends the connection.
    static func queue(_ reply: SentResponse, _ connection: OpaquePointer) -> MHD_Result {
        guard let made = make(reply) else { return .NO }
        defer { MHD_destroy_response(made) }
        for field in reply.response.fields.fields where !ownFields.contains(field.name.lowercased()) {
            // libmicrohttpd refuses a field without a value, and GitLab sends some (GitLab facts §2); a space around a value
            // is no part of it (RFC 9110 §5.5).
            _ = MHD_add_response_header(made, field.name, field.value.isEmpty ? " " : field.value)
        }
        if reply.closesConnection { _ = MHD_add_response_header(made, "Connection", "close") }
        return LibraryRefusals.queue(connection, UInt32(reply.response.status), made)
    }

    /// A whole answer as bytes, with the end of its connection; for a socket that libmicrohttpd has written nothing to.
    static func bytes(_ response: HTTPResponse) -> [UInt8] {
        let reason = MHD_get_reason_phrase_for(UInt32(response.status)).map { String(cString: $0) } ?? ""
        var head = "HTTP/1.1 \(response.status) \(reason)\r\n"
        for field in response.fields.fields where !ownFields.contains(field.name.lowercased()) {
            head += "\(field.name): \(field.value)\r\n"
        }
        head += "Connection: close\r\nContent-Length: \(response.body.count)\r\n\r\n"
        return Array(head.utf8) + response.body
    }

    private static func make(_ reply: SentResponse) -> OpaquePointer? {
        switch reply.travel {
        case .reset, .never: return nil
        case .truncated(let bytes):
            return makeTruncated(length: UInt64(reply.response.body.count), reply.response.body.prefix(bytes))
        case .whole:
            // The answer to HEAD tells how long that to GET would be; libmicrohttpd reads nothing of it.
            if reply.response.body.isEmpty, let length = reply.response.fields["Content-Length"].flatMap(UInt64.init),
                length > 0
            {
                return makeTruncated(length: length, [])
            }
            if reply.response.fields["Transfer-Encoding"] == "chunked" { return makeChunked(reply.response.body) }
            var body = reply.response.body
            return body.withUnsafeMutableBytes { bytes in
                MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
            }
        }
    }

    /// A body that libmicrohttpd asks for in pieces.
    private final class Pieces {
        let bytes: ArraySlice<UInt8>
        /// What stands behind the last: MHD_CONTENT_READER_END_OF_STREAM or …_END_WITH_ERROR, cast macros.
        let end: Int

        init(_ bytes: ArraySlice<UInt8>, end: Int) {
            self.bytes = bytes
            self.end = end
        }
    }

    /// A response of no announced length.
    private static func makeChunked(_ body: [UInt8]) -> OpaquePointer? {
        // MHD_SIZE_UNKNOWN, a cast macro.
        make(Pieces(body[...], end: -1), length: .max)
    }

    /// A response that promises the whole body and ends its connection behind a part of it.
    private static func makeTruncated(length: UInt64, _ stump: ArraySlice<UInt8>) -> OpaquePointer? {
        make(Pieces(stump, end: -2), length: length)
    }

    private static func make(_ pieces: Pieces, length: UInt64) -> OpaquePointer? {
        // Released by libmicrohttpd with the response.
        let context = Unmanaged.passRetained(pieces).toOpaque()
        let read: MHD_ContentReaderCallback = { context, position, buffer, space in
            guard let context, let buffer else { return -2 }
            let pieces = Unmanaged<Pieces>.fromOpaque(context).takeUnretainedValue()
            let chunk = pieces.bytes.dropFirst(Int(position)).prefix(space)
            guard !chunk.isEmpty else { return pieces.end }
            for (index, byte) in chunk.enumerated() { buffer[index] = CChar(bitPattern: byte) }
            return chunk.count
        }
        return MHD_create_response_from_callback(length, 16_384, read, context) { context in
            guard let context else { return }
            Unmanaged<Pieces>.fromOpaque(context).release()
        }
    }
}
