import HTTP
import Platform

/// What NGINX, Rack and Rails' middleware answer before the API sees a request (supplement §5).
extension APIError {
    /// One buffer of NGINX takes 8 KiB: a request line, or one line of the header.
    static let longestLineBytes = 8_192

    static var tooLarge: APIError { page(413, "413 Request Entity Too Large") }

    /// NUL or bytes that are no UTF-8, in the path or a parameter.
    static var malformed: APIError {
        APIError(status: 400, body: Array("Bad Request".utf8), contentType: "text/plain")
    }

    static var notJSON: APIError {
        error(
            400,
            "Problem:\n  message body does not match declared format\nResolution:\n  "
                + "send valid application/json in the body of a request that declares it\n  "
        )
    }

    /// A page of NGINX.
    static func page(_ status: Int, _ title: String, _ text: String? = nil) -> APIError {
        let lines = [
            "<html>", "<head><title>\(title)</title></head>", "<body>", "<center><h1>\(title)</h1></center>",
        ]
        let more = text.map { ["<center>\($0)</center>"] } ?? []
        let body = lines + more + ["<hr><center>nginx</center>", "</body>", "</html>", ""]
        return APIError(status: status, body: Array(body.joined(separator: "\r\n").utf8), contentType: "text/html")
    }

    /// Why a request gets no further than NGINX; nil when it does.
    static func overlong(_ request: HTTPRequest) -> APIError? {
        let line = request.method.rawValue.utf8.count + request.target.utf8.count + " HTTP/1.1\r\n".utf8.count + 1
        if line > longestLineBytes { return page(414, "414 Request-URI Too Large") }
        for field in request.fields.fields
        where field.name.utf8.count + field.value.utf8.count + 4 > longestLineBytes {
            return page(400, "400 Bad Request", "Request Header Or Cookie Too Large")
        }
        return nil
    }

    /// True for a path or query that holds NUL or bytes that are no UTF-8.
    static func isMalformed(_ target: String) -> Bool {
        guard target.utf8.contains(UInt8(ascii: "%")) || target.utf8.contains(0) else { return false }
        guard let decoded = PercentEncoding.decode(target[...]) else { return true }
        return decoded.utf8.contains(0)
    }
}

/// CORS (supplement §5): preflights are answered before the API, and nobody has to sign in for one.
extension InstanceState {
    private static let exposed =
        "Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Gitlab-Blob-Id, "
        + "X-Gitlab-Commit-Id, X-Gitlab-Content-Sha256, X-Gitlab-Encoding, X-Gitlab-File-Name, X-Gitlab-File-Path, "
        + "X-Gitlab-Last-Commit-Id, X-Gitlab-Ref, X-Gitlab-Size"

    static func isPreflight(_ request: HTTPRequest) -> Bool {
        request.method.rawValue == "OPTIONS" && request.path.utf8.starts(with: "/api/".utf8)
            && request.fields["Origin"] != nil && request.fields["Access-Control-Request-Method"] != nil
    }

    mutating func preflight(_ request: HTTPRequest, _ exchange: Exchange) -> HTTPResponse {
        var fields: HTTPFields = ["Server": "nginx", "Date": dateText.text(at: exchange.now)]
        Self.allowOrigin(&fields)
        fields.append("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
        fields.append("Access-Control-Max-Age", "7200")
        if let asked = request.fields["Access-Control-Request-Headers"] {
            fields.append("Access-Control-Allow-Headers", asked)
        }
        return HTTPResponse(status: 200, fields: fields, body: [])
    }

    /// What an answer to a page of another origin carries.
    static func allowOrigin(_ fields: inout HTTPFields) {
        fields.append("Access-Control-Allow-Origin", "*")
        fields.append("Access-Control-Expose-Headers", exposed)
    }
}
