/// A line of a trace as far as a story needs it.
struct TraceLine: Decodable {
    var atNanoseconds: Int64
    var event: String
    var exchange: Int64?
    var link: String?
    var method: String?
    var target: String?
    var status: Int?
    var fault: String?
    var failure: String?
    var id: String?
    var kind: String?
    var name: String?
    var message: String?
}
