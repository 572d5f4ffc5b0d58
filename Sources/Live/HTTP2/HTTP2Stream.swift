import HTTP
import Platform

/// One request on its way in and its answer on its way out.
///
/// Isolation: the server's thread.
final class HTTP2Stream {
    let id: Int32
    let startedAt: MonotonicInstant
    private(set) var method = ""
    private(set) var target = ""
    private(set) var authority: String?
    private(set) var fields = HTTPFields()
    private(set) var body: [UInt8] = []
    /// What arrived of the body, kept or not.
    private(set) var receivedBytes = 0
    private var headerBytes = 0
    private(set) var hasLongHeaders = false
    var isWhole = false
    /// True once the first block of fields is over: a later one holds trailers, which nobody reads.
    var hasHead = false

    /// The answer's; nil before there is one.
    var status: Int?
    /// What is sent, and how much of it has been.
    var answer: [UInt8] = []
    var answerOffset = 0
    /// The answer breaks off behind this many bytes.
    var answerEnd: Int?
    /// When the answer was given, or the client last took some of it; nil before.
    var answerMovedAt: MonotonicInstant?

    init(id: Int32, startedAt: MonotonicInstant) {
        self.id = id
        self.startedAt = startedAt
    }

    /// True when the client has neither sent the whole request nor taken any more of its answer for longer than `limit`.
    func isOverdue(at now: MonotonicInstant, after limit: Duration) -> Bool {
        if !isWhole { return startedAt.duration(to: now) > limit }
        return answerMovedAt.map { $0.duration(to: now) > limit } ?? false
    }

    /// Keeps a field of the request's head.
    func take(_ name: String, _ value: String, limitBytes: Int) {
        guard !hasHead else { return }
        // RFC 9113 §6.5.2: 32 bytes stand for what an entry costs beside its text.
        headerBytes += name.utf8.count + value.utf8.count + 32
        guard headerBytes <= limitBytes else {
            hasLongHeaders = true
            return
        }
        switch name {
        case ":method": method = value
        case ":path": target = value
        case ":authority": authority = value
        case _ where name.hasPrefix(":"): break
        default: fields.append(name, value)
        }
    }

    /// Keeps bytes of the body, unless they are too many.
    func take(_ bytes: UnsafeBufferPointer<UInt8>, limitBytes: Int) {
        receivedBytes += bytes.count
        guard receivedBytes <= limitBytes else {
            body = []
            return
        }
        body += bytes
    }

    func request(scheme: String) -> HTTPRequest {
        // Real clients send either (APNs facts §2).
        let authority = authority ?? fields["host"] ?? "localhost"
        return HTTPRequest(
            method: HTTPMethod(rawValue: method),
            origin: HTTPOrigin("\(scheme)://\(authority)") ?? HTTPOrigin(scheme: scheme, host: "localhost"),
            target: target,
            fields: fields,
            body: body
        )
    }
}
