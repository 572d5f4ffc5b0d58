import CCurl
import HTTP
import Platform

/// One exchange: its request, libcurl's handle for it, what has come back, and who waits.
///
/// Unchecked: own thread: everything in it is used by the lane's alone once ``Lane/begin(_:_:)`` has handed the transfer over, but for
/// ``pending``, which is Sendable itself.
final class CurlTransfer: LaneTransfer, @unchecked Sendable {
    /// Status lines and fields together; more ends the exchange.
    private static let headerLimitBytes = 256 * 1_024
    /// Fields that libcurl adds by itself.
    private static let libraryFields = ["expect", "content-type", "user-agent"]

    let deadline: MonotonicInstant
    /// Nil once something has come back, or when there is none of its own.
    private(set) var firstByteDeadline: MonotonicInstant?
    /// Whether there is one of its own from the beginning.
    var isImpatient: Bool { options.firstByteTimeout != nil }
    private let request: HTTPRequest
    private let options: HTTPSendOptions
    let pending = PendingOutcome()

    private var handle: UnsafeMutableRawPointer?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var fields = HTTPFields()
    private var headerBytes = 0
    private var body: [UInt8] = []
    private var isTooLarge = false
    /// Whether another exchange had the handle before.
    private var isHandleUsed = false

    init(_ request: HTTPRequest, options: HTTPSendOptions) {
        self.request = request
        self.options = options
        let now = LiveTime().monotonicNow
        deadline = now.advanced(by: options.totalTimeout)
        firstByteDeadline = options.firstByteTimeout.map { now.advanced(by: $0) }
    }

    deinit {
        release()
    }

    /// Tells whoever waits, once, and gives libcurl's handle back.
    func finish(_ outcome: HTTPOutcome) {
        release()
        pending.finish(outcome)
    }

    /// Gives libcurl's handle to somebody who uses it for another exchange; nil when there is none.
    func takeHandle() -> UnsafeMutableRawPointer? {
        defer { handle = nil }
        return handle
    }

    /// Gives back a handle that it was prepared with and another exchange had before: see ``CurlWork/keepHandle(of:)``.
    func dropUsedHandle() {
        if isHandleUsed { release() }
    }

    /// True when bytes of the request may have left: libcurl had a connection ready and began.
    var isSent: Bool {
        guard let handle else { return false }
        var bytes = 0
        wb_curl_easy_getinfo_long(handle, CURLINFO_REQUEST_SIZE, &bytes)
        return bytes > 0
    }

    /// What an answer came over.
    enum Version {
        case one, two
    }

    /// Nil as long as nothing was answered. libcurl says what the status line claims; HTTP/2 is only spoken over TLS here, so an answer
    /// in the clear that calls itself HTTP/2 is none.
    var version: Version? {
        guard let handle else { return nil }
        var version = 0
        wb_curl_easy_getinfo_long(handle, CURLINFO_HTTP_VERSION, &version)
        guard version != Int(CURL_HTTP_VERSION_NONE) else { return nil }
        return version == Int(CURL_HTTP_VERSION_2_0) && request.origin.scheme == "https" ? .two : .one
    }

    /// Whether a connection was opened for it.
    var hasConnected: Bool {
        guard let handle else { return false }
        var count = 0
        wb_curl_easy_getinfo_long(handle, CURLINFO_NUM_CONNECTS, &count)
        return count > 0
    }

    // MARK: What libcurl said

    /// What the end of the exchange means.
    func outcome(_ code: CURLcode) -> HTTPOutcome {
        if code == CURLE_OK {
            var status = 0
            wb_curl_easy_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status)
            return .live(status: status, fields: fields, body: body)
        }
        var failure = isTooLarge ? HTTPFailure.responseTooLarge : CurlFailure.failure(code, isSent: isSent)
        // HTTP/2 and HTTP/1.1 say it in different ways: what breaks behind the head of an answer has cut its body.
        if failure == .connectionReset, headerBytes > 0 { failure = .bodyTruncated }
        return isSent ? .unknown(failure) : .notSent(failure)
    }

    // MARK: Preparing

    var isPrepared: Bool { handle != nil }

    /// libcurl's handle for the exchange, all set but for the time that is left; nil when there is no memory for it. A `spare` one
    /// that another exchange has used is taken over.
    func prepare(_ configuration: CurlClient.Configuration, spare: UnsafeMutableRawPointer?) {
        guard let handle = spare ?? curl_easy_init() else { return }
        // What was set before is gone; what libcurl has allocated for it stays.
        if spare != nil { curl_easy_reset(handle) }
        isHandleUsed = spare != nil
        self.handle = handle
        setAddress(handle)
        setMethod(handle)
        setFields(handle)
        setSecurity(handle, configuration)
        setCallbacks(handle)
    }

    /// The handle, ready to start; nil when the exchange is not prepared.
    func start() -> UnsafeMutableRawPointer? {
        guard let handle else { return nil }
        setLimits(handle)
        return handle
    }

    private func setAddress(_ handle: UnsafeMutableRawPointer) {
        set(handle, CURLOPT_URL, "\(request.origin)\(request.target)")
        set(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        // `..` in a path is the server's business, not the client's.
        wb_curl_easy_setopt_long(handle, CURLOPT_PATH_AS_IS, 1)
        wb_curl_easy_setopt_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        wb_curl_easy_setopt_long(handle, CURLOPT_PIPEWAIT, 1)
        wb_curl_easy_setopt_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        wb_curl_easy_setopt_long(handle, CURLOPT_DNS_CACHE_TIMEOUT, 0)
        wb_curl_easy_setopt_long(handle, CURLOPT_DNS_SHUFFLE_ADDRESSES, 1)
    }

    private func setMethod(_ handle: UnsafeMutableRawPointer) {
        let method = request.method.rawValue
        if method == "HEAD" { wb_curl_easy_setopt_long(handle, CURLOPT_NOBODY, 1) }
        if !request.body.isEmpty || method == "POST" || method == "PUT" || method == "PATCH" {
            wb_curl_easy_setopt_long(handle, CURLOPT_POST, 1)
            wb_curl_easy_setopt_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
            request.body.withUnsafeBytes { bytes in
                let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
                _ = wb_curl_easy_setopt_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
            }
        }
        if method != "HEAD" { set(handle, CURLOPT_CUSTOMREQUEST, method) }
    }

    private func setFields(_ handle: UnsafeMutableRawPointer) {
        for field in request.fields.fields {
            let name = Self.printable(field.name)
            let value = Self.printable(field.value)
            // libcurl takes `name;` for a field without a value; `name:` would remove it.
            append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        // Without a value libcurl leaves its own away; an `Expect` delays every larger push by a second (APNs facts §18).
        for name in Self.libraryFields where request.fields[name] == nil { append("\(name):") }
        wb_curl_easy_setopt_pointer(handle, CURLOPT_HTTPHEADER, headerList)
        set(handle, CURLOPT_ACCEPT_ENCODING, "gzip")
    }

    private func setLimits(_ handle: UnsafeMutableRawPointer) {
        let left = LiveTime().monotonicNow.duration(to: deadline)
        wb_curl_easy_setopt_long(handle, CURLOPT_NOSIGNAL, 1)
        // Else libcurl waits for the system's resolver, however long, when it gives a connection up.
        wb_curl_easy_setopt_long(handle, CURLOPT_QUICK_EXIT, 1)
        wb_curl_easy_setopt_long(handle, CURLOPT_TIMEOUT_MS, Self.milliseconds(left))
        wb_curl_easy_setopt_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(options.connectTimeout))
    }

    private func setSecurity(_ handle: UnsafeMutableRawPointer, _ configuration: CurlClient.Configuration) {
        // APNs asks for it (APNs facts §1); left to itself, libcurl would go down to what the system's OpenSSL allows.
        wb_curl_easy_setopt_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        wb_curl_easy_setopt_long(handle, CURLOPT_SSL_VERIFYPEER, 1)
        wb_curl_easy_setopt_long(handle, CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.authorityFile { set(handle, CURLOPT_CAINFO, file) }
        if !configuration.usesSystemProxy { set(handle, CURLOPT_PROXY, "") }
        // What a proxy says about a tunnel is no part of the answer, and HTTP/1.1 also where the answer is not.
        wb_curl_easy_setopt_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        wb_curl_easy_setopt_long(handle, CURLOPT_TCP_KEEPALIVE, 1)
        let lifetime = Int(configuration.idleLifetime.components.seconds)
        wb_curl_easy_setopt_long(handle, CURLOPT_MAXAGE_CONN, lifetime)
    }

    private func setCallbacks(_ handle: UnsafeMutableRawPointer) {
        // Not retained: the handle is cleaned up before the transfer goes.
        let context = Unmanaged.passUnretained(self).toOpaque()
        wb_curl_easy_setopt_pointer(handle, CURLOPT_WRITEDATA, context)
        wb_curl_easy_setopt_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlTransfer.from(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        wb_curl_easy_setopt_pointer(handle, CURLOPT_HEADERDATA, context)
        wb_curl_easy_setopt_write(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlTransfer.from(context).takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let context else { preconditionFailure("libcurl hands back the context it was given") }
        return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: What comes back

    /// Returns how many bytes were taken; any other number than all ends the exchange.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= options.responseLimitBytes, options.bodyMeter?.take(bytes.count) ?? true
        else {
            isTooLarge = true
            return 0
        }
        body += bytes
        return bytes.count
    }

    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        firstByteDeadline = nil
        headerBytes += bytes.count
        guard headerBytes <= Self.headerLimitBytes else {
            isTooLarge = true
            return 0
        }
        // See ``CurlWork/keepHandle(of:)``: the line behind this one could be folded.
        guard !isHandleUsed || !bytes.starts(with: "HTTP/1".utf8) else { return 0 }
        if bytes.starts(with: "HTTP/".utf8) {
            // Another answer begins: what stood before it was an interim one.
            fields = HTTPFields()
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            let value = Self.withoutOuterSpace(bytes[(colon + 1)...])
            fields.append(String(decoding: bytes[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
        return bytes.count
    }

    /// Without spaces, tabs and the end of the line (RFC 9110 §5.5).
    private static func withoutOuterSpace(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return bytes.prefix(0) }
        return bytes[first...last]
    }

    // MARK: Small things

    private func set(_ handle: UnsafeMutableRawPointer, _ option: CURLoption, _ text: String) {
        // libcurl copies texts.
        text.withCString { _ = wb_curl_easy_setopt_pointer(handle, option, $0) }
    }

    private func append(_ line: String) {
        headerList = curl_slist_append(headerList, line)
    }

    private func release() {
        if let handle { curl_easy_cleanup(handle) }
        handle = nil
        curl_slist_free_all(headerList)
        headerList = nil
    }

    /// Without what could end a line and begin another field.
    private static func printable(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
        return String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init))
    }

    /// At least 1, since 0 would mean "no limit" to libcurl.
    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
