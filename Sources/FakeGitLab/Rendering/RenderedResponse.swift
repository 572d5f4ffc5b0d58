import HTTP
import Platform

/// A successful answer with its header fields; only three of them differ from one request to the next.
struct RenderedResponse: Sendable {
    let status: Int
    private(set) var body: [UInt8]
    /// Weak, over the body; empty when the answer has none (GitLab facts §1).
    private(set) var etag: String
    private var fields: [HTTPFields.Field]
    private let place: (date: Int, requestID: Int, runtime: Int)
    /// Where the one field stands that an answer without a body leaves out.
    private let contentType: Int?

    /// `paging` holds the paging fields, in alphabetical order.
    init(status: Int, body: [UInt8], link: String?, paging: [HTTPFields.Field], isSecure: Bool) {
        self.status = status
        self.body = body
        etag = status == 204 || status == 304 || body.isEmpty ? "" : BodyDigest.weakETag(of: body)
        fields = Self.named(etag: etag, hasBody: !body.isEmpty, link: link, paging: paging, isSecure: isSecure)
        place = Self.places(in: fields)
        contentType = fields.firstIndex { $0.name == "Content-Type" }
    }

    /// Holds the same bytes and fields as others do that answer alike, once and not each for itself.
    mutating func keepParts(in parts: inout SharedParts) {
        body = parts.bodies.shared(body, by: etag)
        fields = parts.fields.shared(fields, by: fields.first { $0.name == "Link" }?.value ?? etag)
    }

    /// The same answer with another body, and so with another tag.
    func with(_ body: [UInt8]) -> RenderedResponse {
        var other = self
        other.body = body
        guard !etag.isEmpty, let place = fields.firstIndex(where: { $0.name == "ETag" }) else { return other }
        other.etag = BodyDigest.weakETag(of: body)
        other.fields[place].value = other.etag
        return other
    }

    private static func named(
        etag: String,
        hasBody: Bool,
        link: String?,
        paging: [HTTPFields.Field],
        isSecure: Bool
    ) -> [HTTPFields.Field] {
        var fields: [HTTPFields.Field] = [.init(name: "Server", value: "nginx"), .init(name: "Date", value: "")]
        if hasBody { fields.append(.init(name: "Content-Type", value: "application/json")) }
        if etag.isEmpty {
            fields.append(.init(name: "Cache-Control", value: "no-cache"))
        } else {
            fields.append(.init(name: "Cache-Control", value: "max-age=0, private, must-revalidate"))
            fields.append(.init(name: "ETag", value: etag))
        }
        if let link { fields.append(.init(name: "Link", value: link)) }
        fields.append(.init(name: "Vary", value: "Origin"))
        fields.append(.init(name: "X-Content-Type-Options", value: "nosniff"))
        fields.append(.init(name: "X-Frame-Options", value: "SAMEORIGIN"))
        fields += paging
        fields.append(.init(name: "X-Request-Id", value: ""))
        fields.append(.init(name: "X-Runtime", value: ""))
        if isSecure { fields.append(.init(name: "Strict-Transport-Security", value: "max-age=63072000")) }
        return fields
    }

    private static func places(in fields: [HTTPFields.Field]) -> (date: Int, requestID: Int, runtime: Int) {
        func place(_ name: String) -> Int { fields.firstIndex { $0.name == name } ?? 0 }
        return (place("Date"), place("X-Request-Id"), place("X-Runtime"))
    }

    /// The answer to one request; without a body and 304 when the client has it already.
    func response(
        to request: HTTPRequest,
        date: String,
        requestID: String,
        runtime: String
    ) -> HTTPResponse {
        let isKnown = status == 200 && !etag.isEmpty && Self.matches(request.fields["If-None-Match"], etag)
        var named = fields
        named[place.date].value = date
        named[place.requestID].value = requestID
        named[place.runtime].value = runtime
        if isKnown, let contentType { named.remove(at: contentType) }
        let body = isKnown ? [] : body
        return HTTPResponse(status: isKnown ? 304 : status, fields: HTTPFields(named), body: body)
    }

    /// RFC 9110 §13.1.2: a list of tags, or `*`; weak comparison.
    static func matches(_ ifNoneMatch: String?, _ etag: String) -> Bool {
        guard let ifNoneMatch else { return false }
        if ifNoneMatch == etag { return true }
        return ifNoneMatch.split(separator: ",").contains { part in
            let tag = part.drop { $0 == " " }
            return tag == "*" || tag == etag || "W/" + tag == etag
        }
    }
}

/// A digest of a rendered body, for ETags: not for secrets.
enum BodyDigest {
    /// `W/"<32 hex>"`.
    static func weakETag(of body: [UInt8]) -> String {
        var text = Array("W/\"".utf8)
        let (high, low) = digest(body)
        text.appendHex(high)
        text.appendHex(low)
        text.append(UInt8(ascii: "\""))
        return String(decoding: text, as: UTF8.self)
    }

    private static func digest(_ body: [UInt8]) -> (UInt64, UInt64) {
        var high: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(body.count)
        var low: UInt64 = 0xC2B2_AE3D_27D4_EB4F
        body.withUnsafeBytes { bytes in
            var index = 0
            while index + 8 <= bytes.count {
                mix(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian, &high, &low)
                index += 8
            }
            var rest: UInt64 = 0
            while index < bytes.count {
                rest = rest << 8 | UInt64(bytes[index])
                index += 1
            }
            mix(rest, &high, &low)
        }
        let (first, second) = (high, low)
        mix(second, &high, &low)
        mix(first, &high, &low)
        return (high, low)
    }

    private static func mix(_ word: UInt64, _ high: inout UInt64, _ low: inout UInt64) {
        let product = (high ^ word).multipliedFullWidth(by: 0x94D0_49BB_1331_11EB)
        high = product.low ^ product.high
        low = (low &+ word) &* 0xBF58_476D_1CE4_E5B9
        low ^= low >> 29 ^ high
    }
}
