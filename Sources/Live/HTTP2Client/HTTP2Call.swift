import HTTP
import Platform

/// One exchange over HTTP/2: its request, what has come back, and who waits.
///
/// Unchecked: own thread: everything in it is used by the lane's alone once ``Lane/begin(_:_:)`` has handed the call over, but for
/// ``pending``, which is Sendable itself.
final class HTTP2Call: LaneTransfer, @unchecked Sendable {
    /// Status and fields together, each with 32 bytes more (RFC 9113 §6.5.2); more ends the exchange.
    static let headerLimitBytes = 256 * 1_024

    let pending = PendingOutcome()
    let request: HTTPRequest
    let options: HTTPSendOptions
    private let deadline: MonotonicInstant
    private let firstByteDeadline: MonotonicInstant?

    /// Bytes of the request's body that have gone.
    var sentBytes = 0
    /// How often the server has refused it.
    var refusalCount = 0
    /// Nil as long as nothing has come back.
    private var status: Int?
    private var fields = HTTPFields()
    private var headerBytes = 0
    private var body: [UInt8] = []

    init(_ request: HTTPRequest, options: HTTPSendOptions) {
        self.request = request
        self.options = options
        let now = LiveTime().monotonicNow
        deadline = now.advanced(by: options.totalTimeout)
        firstByteDeadline = options.firstByteTimeout.map { now.advanced(by: $0) }
    }

    func finish(_ outcome: HTTPOutcome) { pending.finish(outcome) }

    /// When it is given up unless more has come back by then.
    var nextDeadline: MonotonicInstant {
        guard status == nil, let firstByteDeadline else { return deadline }
        return min(deadline, firstByteDeadline)
    }

    // MARK: What comes back

    /// Whether an answer has begun.
    var hasAnswer: Bool { status != nil }

    /// A further answer begins: what stood before it was an interim one.
    func takeStatus(_ status: Int) {
        self.status = status
        fields = HTTPFields()
    }

    /// False when there are too many.
    func takeField(_ name: String, _ value: String) -> Bool {
        headerBytes += name.utf8.count + value.utf8.count + 32
        fields.append(name, value)
        return headerBytes <= Self.headerLimitBytes
    }

    /// False when it has become too long.
    func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard body.count + bytes.count <= options.responseLimitBytes, options.bodyMeter?.take(bytes.count) ?? true
        else {
            return false
        }
        body += bytes
        return true
    }

    /// What has come back is all.
    var response: HTTPOutcome {
        guard let status else { return .unknown(.connectionReset) }
        return .live(status: status, fields: fields, body: body)
    }

    /// No more will come back. What breaks behind the head of an answer has cut its body.
    var brokenOff: HTTPOutcome { .unknown(status == nil ? .connectionReset : .bodyTruncated) }

    /// It goes once more, from the beginning.
    func rewind() {
        sentBytes = 0
        status = nil
        fields = HTTPFields()
        headerBytes = 0
        body = []
    }
}
