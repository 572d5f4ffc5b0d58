import HTTP

extension HTTPOutcome {
    /// What a server has said, as far as it is an answer: a status that HTTP does not have is none. libcurl takes the first number behind
    /// a version that it does not know, nghttp2 any three digits.
    static func live(status: Int, fields: HTTPFields, body: [UInt8]) -> HTTPOutcome {
        guard HTTPResponse.statuses.contains(status) else { return .unknown(.connectionReset) }
        return .response(HTTPResponse(status: status, fields: fields, body: body))
    }
}
