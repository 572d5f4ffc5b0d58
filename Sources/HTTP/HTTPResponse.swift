/// One response as a value, the same for every transport.
package struct HTTPResponse: Sendable, Equatable {
    /// 100…599.
    package var status: Int
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
