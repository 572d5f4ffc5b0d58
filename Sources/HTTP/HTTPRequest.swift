/// A request method. Unknown ones are kept: refusing them is the server's decision.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
}

/// One request as a value, the same for every transport.
package struct HTTPRequest: Sendable, Equatable {
    package var method: HTTPMethod
    /// Where it goes: scheme, host and port.
    package var origin: HTTPOrigin
    /// Path and query as they stand on the request line, percent-encoded, beginning with `/`.
    package var target: String
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(
        method: HTTPMethod,
        origin: HTTPOrigin,
        target: String,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = []
    ) {
        self.method = method
        self.origin = origin
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// The target up to the query.
    package var path: Substring {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target[...] }
        return target[..<mark]
    }

    /// The target behind the first `?`, without it; nil when there is none.
    package var query: Substring? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return target[target.utf8.index(after: mark)...]
    }
}
