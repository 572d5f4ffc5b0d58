import CZlib
import HTTP

/// What the NGINX of a GitLab does to answers that a client takes compressed (supplement §5): gzip at level 2 from 250 bytes on. A
/// compressed answer has no length, so it travels in chunks.
enum NGINXCompression {
    /// NGINX's `gzip_min_length`, in bytes.
    private static let leastLength = 250
    private static let level: Int32 = 2
    /// The statuses whose answers NGINX compresses.
    private static let statuses = [200, 403, 404]
    private static let types = ["application/json", "text/plain", "text/html"]

    /// The answer as it leaves NGINX.
    static func apply(to reply: SentResponse, of request: HTTPRequest) -> SentResponse {
        guard case .whole = reply.travel, isEligible(reply.response), request.method != .head else { return reply }
        var reply = reply
        reply.response.fields.append("Vary", "Accept-Encoding")
        guard accepts(request), let body = compress(reply.response.body) else { return reply }
        reply.response.body = body
        reply.response.fields["Content-Length"] = nil
        reply.response.fields["Content-Encoding"] = "gzip"
        reply.response.fields["Transfer-Encoding"] = "chunked"
        return reply
    }

    private static func isEligible(_ response: HTTPResponse) -> Bool {
        guard statuses.contains(response.status), response.body.count >= leastLength else { return false }
        guard response.fields["Content-Encoding"] == nil, let type = response.fields["Content-Type"] else {
            return false
        }
        return types.contains { type.hasPrefix($0) }
    }

    /// Whether the client names gzip, without calling it unwanted.
    private static func accepts(_ request: HTTPRequest) -> Bool {
        guard let accepted = request.fields["Accept-Encoding"] else { return false }
        return accepted.split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            return parts.first == "gzip"
                && !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
        }
    }

    /// The bytes as one member of gzip; nil when zlib has no memory.
    private static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard wb_deflate_init_gzip(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var bytes = bytes
        let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
        return bytes.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            var isWhole = false
            let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(capacity)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = capacity - Int(stream.avail_out)
            }
            return isWhole ? output : nil
        }
    }
}
