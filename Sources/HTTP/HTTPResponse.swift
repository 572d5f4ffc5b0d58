/// One response as a value, the same for every transport.
package struct HTTPResponse: Sendable, Equatable {
    /// Three digits of which the first is not 0; what lies above 599 has no meaning, and counts as the server's fault (RFC 9110 §15).
    package static let statuses = 100...999

    /// In ``statuses``.
    package var status: Int
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
