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
    /// Of that, what was kept beyond the limit.
    private var excessBytes = 0
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
    /// How much of it goes into one frame at most; nil for as much as there is.
    var frameBytes: Int?
    /// True once the last frame of the answer has left.
    var isAnswered = false
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

    /// True while some of the answer is sent and some is to come.
    var isBeingAnswered: Bool { status != nil && !isAnswered }

    /// Keeps a field of the request's head. What `isCut` keeps beyond the limit is enough to see that it was exceeded.
    func take(_ name: String, _ value: String, limitBytes: Int, isCut: Bool) {
        guard !hasHead else { return }
        // RFC 9113 §6.5.2: 32 bytes stand for what an entry costs beside its text.
        headerBytes += name.utf8.count + value.utf8.count + 32
        hasLongHeaders = headerBytes > limitBytes
        guard hasLongHeaders else { return keep(name, value) }
        guard isCut else { return }
        // Each cut to the limit by itself, so that a short field behind a long one, such as the request's id, is still there.
        let (name, value) = (Self.cut(name, to: limitBytes), Self.cut(value, to: limitBytes))
        excessBytes += name.utf8.count + value.utf8.count + 32
        if excessBytes <= 3 * limitBytes { keep(name, value) }
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }

    private func keep(_ name: String, _ value: String) {
        switch name {
        case ":method": method = value
        case ":path": target = value
        case ":authority": authority = value
        case _ where name.hasPrefix(":"): break
        default: fields.append(name, value)
        }
    }

    /// Keeps bytes of the body. Of a body that is too long nothing is kept, or as much as is allowed where it `isCut`.
    func take(_ bytes: UnsafeBufferPointer<UInt8>, limitBytes: Int, isCut: Bool) {
        receivedBytes += bytes.count
        if receivedBytes <= limitBytes {
            body += bytes
        } else if isCut {
            body += bytes.prefix(limitBytes - body.count)
        } else {
            body = []
        }
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
