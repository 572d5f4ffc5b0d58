import CZlib
import HTTP
import Testing

@testable import Workbench

/// Supplement §5.
struct NGINXCompressionTests {
    private let text = String(repeating: "Größe, ", count: 10_000)

    private func reply(
        _ body: String,
        status: Int = 200,
        type: String? = "application/json",
        travel: SentResponse.Travel = .whole
    ) -> SentResponse {
        var fields: HTTPFields = ["Content-Length": "\(body.utf8.count)", "ETag": #"W/"1""#, "Vary": "Origin"]
        fields["Content-Type"] = type
        let response = HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
        return SentResponse(response, travel: travel)
    }

    private func request(_ method: HTTPMethod = .get, accepting: String? = "gzip") -> HTTPRequest {
        var fields = HTTPFields()
        fields["Accept-Encoding"] = accepting
        let origin = HTTPOrigin(scheme: "https", host: "localhost")
        return HTTPRequest(method: method, origin: origin, target: "/", fields: fields)
    }

    private func inflate(_ bytes: [UInt8]) throws -> [UInt8] {
        var (stream, bytes) = (z_stream(), bytes)
        // 31: the largest window, with gzip's header.
        try #require(inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(&stream) }
        return try bytes.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            var output = [UInt8](repeating: 0, count: 2 * text.utf8.count)
            let room = UInt32(output.count)
            try output.withUnsafeMutableBufferPointer { buffer in
                stream.next_out = buffer.baseAddress
                stream.avail_out = room
                try #require(CZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END)
            }
            return Array(output.prefix(Int(room - stream.avail_out)))
        }
    }

    @Test func `a client that takes gzip gets less than a tenth, without a length, and the same text`() throws {
        let reply = NGINXCompression.apply(to: reply(text), of: request(accepting: "deflate, gzip;q=0.8"))
        #expect(reply.response.body.count < text.utf8.count / 10)
        #expect(reply.response.fields["Content-Length"] == nil)
        #expect(reply.response.fields["Content-Encoding"] == "gzip")
        #expect(reply.response.fields["Transfer-Encoding"] == "chunked")
        #expect(reply.response.fields["ETag"] == #"W/"1""#)
        #expect(
            reply.response.fields.fields.filter { $0.name == "Vary" }.map(\.value) == ["Origin", "Accept-Encoding"]
        )
        #expect(try inflate(reply.response.body) == Array(text.utf8))
    }

    @Test(arguments: [nil, "", "identity", "gzip;q=0", "gzip; q=0.0, br", "gzipped"])
    func `a client that does not take gzip gets what there is, and is told that others might not`(accepted: String?) {
        let plain = NGINXCompression.apply(to: reply(text), of: request(accepting: accepted))
        #expect(plain.response.body == Array(text.utf8))
        #expect(plain.response.fields["Content-Encoding"] == nil)
        #expect(plain.response.fields.count(of: "Vary") == 2)
    }

    @Test func `what is short, of another status or type, an answer to HEAD, or breaks off stays as it is`() {
        let long = String(repeating: "a", count: 250)
        #expect(NGINXCompression.apply(to: reply(long), of: request()).response.fields["Content-Encoding"] == "gzip")
        for (reply, request) in [
            (reply(String(long.dropLast())), request()), (reply(long, status: 201), request()),
            (reply(long, type: "image/png"), request()), (reply(long, type: nil), request()),
            (reply(long), request(.head)), (reply(long, travel: .truncated(afterBytes: 9)), request()),
        ] {
            let left = NGINXCompression.apply(to: reply, of: request)
            #expect(left.response == reply.response)
        }
    }
}
