import CMicroHTTPD
import HTTP

/// Puts a response on its way.
enum HTTPAnswer {
    /// Fields that libmicrohttpd writes itself.
    private static let ownFields = ["content-length", "transfer-encoding"]

    static func queue(_ response: HTTPResponse, _ connection: OpaquePointer) -> MHD_Result {
        guard let made = make(response) else { return .NO }
        defer { MHD_destroy_response(made) }
        for field in response.fields.fields where !ownFields.contains(field.name.lowercased()) {
            // libmicrohttpd refuses a field without a value, and GitLab sends some (GitLab facts §2); a space around a value
            // is no part of it (RFC 9110 §5.5).
            _ = MHD_add_response_header(made, field.name, field.value.isEmpty ? " " : field.value)
        }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }

    private static func make(_ response: HTTPResponse) -> OpaquePointer? {
        var body = response.body
        return body.withUnsafeMutableBytes { bytes in
            MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
        }
    }
}
