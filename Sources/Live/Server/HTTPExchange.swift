import CCurl  // Whichever C module is read first brings the declarations of sockets, which then count as its own.
import CMicroHTTPD
import CNGHTTP2
import Glibc
import HTTP
import Platform
import Synchronization

/// One request on its way in and its response on its way out.
///
/// Unchecked: handed over: the daemon's thread alone uses it until it is complete, afterwards nothing changes but the reply, which
/// stands behind a lock.
final class HTTPExchange: @unchecked Sendable {
    let connection: OpaquePointer
    let startedAt: MonotonicInstant
    /// Of its client; told by the daemon.
    let presence = HTTPPresence()
    private let target: String
    /// Where the target stands in libmicrohttpd's memory, and what comes behind it.
    private let place: (start: UnsafePointer<CChar>, end: UnsafePointer<CChar>)
    private(set) var isBegun = false
    private(set) var isTooLarge = false
    private(set) var receivedBytes = 0
    private var body: [UInt8] = []
    /// Read once, when the head is whole: what comes behind a chunked body is left out.
    private lazy var fields = readFields()
    private var whole: (request: HTTPRequest, peer: HTTPPeer)?
    private var descriptor: Int32 = -1
    private var onAnswer: (@Sendable (HTTPExchange) -> Void)?
    private let reply = Mutex<SentResponse?>(nil)

    /// `target` lies in memory that stays until the request is over.
    init(target: UnsafePointer<CChar>, connection: OpaquePointer, startedAt: MonotonicInstant) {
        self.target = String(cString: target)
        place = (target, target + Int(strlen(target)) + 1)
        self.connection = connection
        self.startedAt = startedAt
    }

    // MARK: On the daemon's thread

    func begin() {
        isBegun = true
    }

    /// True for a request whose host or end can be read in two ways: what a proxy in front takes for its body could be another request
    /// here (RFC 9112 §3.2, §5.1, §6.3, §11.2). libmicrohttpd makes a choice of its own. It knows no `Content-Length ` with a space before
    /// the colon, where others do.
    var isAmbiguous: Bool {
        guard !target.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return true }
        guard fields.fields.allSatisfy({ $0.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }) else { return true }
        guard fields.count(of: "host") <= 1 else { return true }
        let codings = fields.fields.filter { HTTPFields.sameName($0.name, "transfer-encoding") }
        guard codings.isEmpty else {
            return codings.count > 1 || fields["content-length"] != nil
                || !HTTPFields.sameName(codings[0].value, "chunked")
        }
        return fields.count(of: "content-length") > 1
    }

    /// False where a zero byte stands in the request line, which ends a text for libmicrohttpd and none for a proxy in front (RFC 9112 §3): it takes
    /// the line apart in its place, with one zero byte for each space, so that nothing else lies between the parts.
    func isWhole(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> Bool {
        var next = method + Int(strlen(method)) + 1
        // Further spaces before the target are skipped.
        while next < place.start, next.pointee == 0x20 { next += 1 }
        return next == place.start && version == place.end
    }

    /// False for a body that is announced to be too large, when nobody gains by reading it: its client waits to hear whether it is wanted
    /// (RFC 9110 §10.1.1), or it is so long that it would not be read to its end.
    func isWorthReading(_ configuration: HTTPServerConfiguration) -> Bool {
        guard let announced = fields["content-length"].flatMap(UInt64.init),
            announced > UInt64(configuration.bodyLimitBytes)
        else { return true }
        let isAwaited = fields["expect"].map { HTTPFields.sameName($0, "100-continue") } ?? false
        return !isAwaited && announced <= UInt64(configuration.bodyLimitBytes + configuration.overflowLimitBytes)
    }

    /// Keeps bytes of the body, unless they are too many.
    func take(_ bytes: UnsafeRawBufferPointer, limitBytes: Int) {
        receivedBytes += bytes.count
        guard receivedBytes <= limitBytes else {
            isTooLarge = true
            body = []
            return
        }
        body += bytes
    }

    /// Makes the request whole; `onAnswer` is told once of its answer.
    func complete(method: String, scheme: String, onAnswer: @escaping @Sendable (HTTPExchange) -> Void) {
        let authority = fields["host"] ?? "localhost"
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: method),
            origin: HTTPOrigin("\(scheme)://\(authority)") ?? HTTPOrigin(scheme: scheme, host: "localhost"),
            target: target,
            fields: fields,
            body: body
        )
        let identifier = Int64(ConnectionNote.of(connection)?.number ?? 0)
        whole = (request, HTTPPeer(address: peerAddress, connection: identifier, presence: presence))
        self.onAnswer = onAnswer
        descriptor = wb_MHD_socket(connection)
    }

    /// The reply, once there is one.
    func takeReply() -> SentResponse? {
        reply.withLock { $0 }
    }

    // MARK: Elsewhere

    /// Known once the request is whole.
    var request: HTTPRequest { wholeOrTrap.request }
    var peer: HTTPPeer { wholeOrTrap.peer }

    /// POLLRDHUP, which Glibc's headers hide from Swift: the other side has closed, or its half of, the connection.
    private static let hungUp: Int16 = 0x2000

    /// Whether the client has hung up. Only while the request is under way, as its connection may be another's afterwards.
    var isAbandoned: Bool {
        var question = pollfd(fd: descriptor, events: Self.hungUp, revents: 0)
        return poll(&question, 1, 0) > 0 && question.revents != 0
    }

    /// Answers the request; only the first answer counts.
    func answer(_ answer: SentResponse) {
        let isFirst = reply.withLock { reply in
            guard reply == nil else { return false }
            reply = answer
            return true
        }
        if isFirst { onAnswer?(self) }
    }

    private var wholeOrTrap: (request: HTTPRequest, peer: HTTPPeer) {
        guard let whole else { preconditionFailure("a request is handed over when it is whole") }
        return whole
    }

    /// Where libmicrohttpd's iterator puts the fields.
    private final class Collector {
        var fields = HTTPFields()
    }

    private func readFields() -> HTTPFields {
        let collector = Collector()
        // Not retained: the iterator runs within this call.
        let context = Unmanaged.passUnretained(collector).toOpaque()
        let iterator: MHD_KeyValueIteratorN = { context, _, name, nameCount, value, valueCount in
            guard let context, let name else { return .YES }
            Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue().fields.append(
                String(decoding: UnsafeRawBufferPointer(start: name, count: nameCount), as: UTF8.self),
                String(decoding: UnsafeRawBufferPointer(start: value, count: valueCount), as: UTF8.self)
            )
            return .YES
        }
        MHD_get_connection_values_n(connection, .HEADER_KIND, iterator, context)
        return collector.fields
    }

    private var peerAddress: String {
        guard let address = wb_MHD_client_address(connection) else { return "" }
        return SocketAddress.text(of: address)
    }
}
