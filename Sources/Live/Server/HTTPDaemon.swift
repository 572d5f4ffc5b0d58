import CMicroHTTPD
import Crypto
import Dispatch
import Glibc
import HTTP
import Platform
import Synchronization

/// Owner of one of libmicrohttpd's daemons: its thread accepts, reads and writes; complete requests come out of `exchanges`.
///
/// Unchecked: thread-safe library: libmicrohttpd's functions used here may be called from any thread (its manual, "threading modes"), and the
/// rest stands behind a lock.
final class HTTPDaemon: @unchecked Sendable {
    private struct State {
        /// Suspended ones must be answered before the daemon stops.
        var pending: [ObjectIdentifier: HTTPExchange] = [:]
        var connections: Int = 0
        var table: ConnectionTable
        var isQuiesced = false
        var hasEnded = false
    }

    let exchanges: AsyncStream<HTTPExchange>
    private let continuation: AsyncStream<HTTPExchange>.Continuation
    private let configuration: HTTPServerConfiguration
    private let words: @Sendable (HTTPRefusal) -> HTTPResponse
    private let state: Mutex<State>
    private var daemon: OpaquePointer?
    /// Looks for connections that keep the server waiting, and for clients that do not wait any more.
    private let watch: any DispatchSourceTimer
    /// Where it listens.
    let port: UInt16

    init(
        _ configuration: HTTPServerConfiguration,
        refuse: @escaping @Sendable (HTTPRefusal) -> HTTPResponse
    ) throws(HTTPServerError) {
        self.configuration = configuration
        words = refuse
        state = Mutex(
            State(
                table: ConnectionTable(
                    limit: configuration.connectionLimit,
                    limitOfNetwork: configuration.connectionsPerAddressLimit
                )
            )
        )
        // Bounded by the connections: each has at most one request under way.
        (exchanges, continuation) = AsyncStream.makeStream()
        let socket = try SocketAddress.listen(on: configuration.address, port: configuration.port)
        port = SocketAddress.port(of: socket)
        // A source that was never activated must not go, so nothing throws before it is.
        watch = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "connections"))
        watch.setEventHandler { [weak self] in
            self?.closeOverdue()
            self?.tellOfDepartures()
        }
        let pause = Int(min(.seconds(1), configuration.requestTimeout / 4).wholeMilliseconds)
        watch.schedule(deadline: .now(), repeating: .milliseconds(max(pause, 1)))
        watch.activate()
        daemon = start(on: socket)
        guard daemon != nil else { throw configuration.identity == nil ? .cannotStart : .badIdentity }
    }

    deinit {
        end()
    }

    /// Whether a request waits for its answer.
    var isBusy: Bool { state.withLock { !$0.pending.isEmpty } }

    /// Takes no more connections: new ones are closed at once.
    ///
    /// libmicrohttpd's own way, `MHD_quiesce_daemon`, ends the process when the daemon's thread looks at its listening socket at the same
    /// moment.
    func quiesce() {
        state.withLock { $0.isQuiesced = true }
    }

    /// What a request is told that is not handled any more.
    private var stopping: SentResponse { SentResponse(words(.stopping), closesConnection: true) }

    func finishIntake() {
        continuation.finish()
    }

    /// Stops the thread and closes every connection. What still waits for an answer gets none.
    func end() {
        watch.cancel()
        finishIntake()
        let pending = state.withLock { state -> [HTTPExchange] in
            guard !state.hasEnded else { return [] }
            state.hasEnded = true
            return Array(state.pending.values)
        }
        // A suspended connection would keep the daemon from stopping.
        pending.forEach { $0.answer(stopping) }
        guard let daemon else { return }
        MHD_stop_daemon(daemon)
        self.daemon = nil
    }

    // MARK: Starting

    /// Takes the socket over: libmicrohttpd closes it where it cannot start, too. Only without descriptors or memory for its own does it
    /// leave the socket open (0.9.75, `MHD_start_daemon_va`), and does not tell. Closing it here as well would sooner or later close one
    /// that another thread was given meanwhile.
    private func start(on socket: Int32) -> OpaquePointer? {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var options = limits(context)
        options.append(MHD_OptionItem(option: .LISTEN_SOCKET, value: Int(socket), ptr_value: nil))
        guard let identity = configuration.identity else { return launch(options, context) }
        // libmicrohttpd reads both as texts and copies what it needs while it starts.
        var key = identity.keyPEM.exposedBytes + [0]
        var certificate = Array(identity.certificateChainPEM.utf8) + [0]
        return key.withUnsafeMutableBytes { key in
            certificate.withUnsafeMutableBytes { certificate in
                options.append(MHD_OptionItem(option: .HTTPS_MEM_KEY, value: 0, ptr_value: key.baseAddress))
                options.append(MHD_OptionItem(option: .HTTPS_MEM_CERT, value: 0, ptr_value: certificate.baseAddress))
                return launch(options, context)
            }
        }
    }

    private func limits(_ context: UnsafeMutableRawPointer) -> [MHD_OptionItem] {
        func number(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
            MHD_OptionItem(option: option, value: value, ptr_value: nil)
        }
        func callback(_ option: MHD_OPTION, _ function: UnsafeRawPointer) -> MHD_OptionItem {
            MHD_OptionItem(option: option, value: Int(bitPattern: function), ptr_value: context)
        }
        return [
            // The table closes one for each that is too many; until it is gone both are there.
            number(.CONNECTION_LIMIT, configuration.connectionLimit + Self.headroom),
            number(.CONNECTION_TIMEOUT, max(1, Int(configuration.idleTimeout.components.seconds))),
            number(.CONNECTION_MEMORY_LIMIT, configuration.headerLimitBytes),
            callback(.URI_LOG_CALLBACK, unsafeBitCast(onTarget, to: UnsafeRawPointer.self)),
            callback(.NOTIFY_COMPLETED, unsafeBitCast(onCompleted, to: UnsafeRawPointer.self)),
            callback(.NOTIFY_CONNECTION, unsafeBitCast(onConnection, to: UnsafeRawPointer.self)),
        ]
    }

    private func launch(_ options: [MHD_OptionItem], _ context: UnsafeMutableRawPointer) -> OpaquePointer? {
        var options = options + [MHD_OptionItem(option: .END, value: 0, ptr_value: nil)]
        var flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ITC.rawValue
        if configuration.identity != nil { flags |= MHD_USE_TLS.rawValue }
        return wb_MHD_start_daemon(flags, onAccept, onRequest, context, &options)
    }

    // MARK: On the daemon's thread

    private static let headroom = 64

    fileprivate func admits(_ address: UnsafePointer<sockaddr>?) -> Bool {
        let network = SocketAddress.network(of: address)
        return state.withLock { !$0.isQuiesced && $0.table.admits(network) }
    }

    fileprivate func opened(_ connection: OpaquePointer) -> ConnectionNote {
        let descriptor = wb_MHD_socket(connection)
        let deadline = LiveTime().monotonicNow.advanced(by: configuration.idleTimeout + configuration.requestTimeout)
        let network = SocketAddress.network(of: wb_MHD_client_address(connection))
        let number = state.withLock { state in
            state.connections += 1
            // Within the lock, so that the descriptor is still that connection's.
            let victim = state.table.open(state.connections, descriptor, of: network, until: deadline)
            if let victim { shutdown(victim, Int32(SHUT_RDWR)) }
            return state.connections
        }
        return ConnectionNote(number: number, descriptor: descriptor, daemon: self)
    }

    /// Called before libmicrohttpd closes the socket, so that its descriptor is never taken for another's.
    fileprivate func closed(_ note: ConnectionNote) {
        state.withLock { $0.table.close(note.number) }
        note.readAway()
    }

    /// The client has `limit` from now on; with nil it is not waited for.
    fileprivate func expect(_ connection: OpaquePointer, within limit: Duration?) {
        let deadline = limit.map { LiveTime().monotonicNow.advanced(by: $0) }
        guard let note = ConnectionNote.of(connection) else { return }
        state.withLock { $0.table.set(note.number, until: deadline) }
    }

    /// A connection between two requests: libmicrohttpd closes it when it stays silent.
    fileprivate func awaitNext(_ connection: OpaquePointer) {
        expect(connection, within: configuration.idleTimeout + configuration.requestTimeout)
    }

    /// On a thread of its own. The lock keeps libmicrohttpd from closing one of them meanwhile.
    private func closeOverdue() {
        let now = LiveTime().monotonicNow
        state.withLock { state in
            for descriptor in state.table.takeOverdue(at: now) { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// A client that closes its connection, or its half of it, has given up its request, as proxies take it, too. libmicrohttpd does not
    /// look at a connection whose request is being answered. The lock keeps the connections from being resumed and closed meanwhile.
    private func tellOfDepartures() {
        let gone = state.withLock { state in
            state.pending.values.filter { $0.isAbandoned }.map(\.presence)
        }
        for presence in gone { presence.leave() }
    }

    fileprivate func makeExchange(_ target: UnsafePointer<CChar>, _ connection: OpaquePointer) -> HTTPExchange {
        expect(connection, within: configuration.requestTimeout)
        return HTTPExchange(target: target, connection: connection, startedAt: LiveTime().monotonicNow)
    }

    /// Reads more of a request, hands it over when it is whole, and sends the answer when there is one.
    fileprivate func advance(
        _ exchange: HTTPExchange,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        data: UnsafeRawBufferPointer
    ) -> MHD_Result {
        if let reply = exchange.takeReply() {
            expect(exchange.connection, within: configuration.requestTimeout)
            return MicroHTTPDResponse.queue(reply, exchange.connection)
        }
        if !data.isEmpty {
            exchange.take(data, limitBytes: configuration.bodyLimitBytes)
            return mayGoOn(exchange) ? .YES : .NO
        }
        guard exchange.isBegun else {
            exchange.begin()
            guard exchange.isWhole(method: method, version: version), !exchange.isAmbiguous else {
                return refuse(exchange, .malformed)
            }
            return exchange.isWorthReading(configuration) ? .YES : refuse(exchange, .bodyTooLarge)
        }
        guard !exchange.isTooLarge else {
            return MicroHTTPDResponse.queue(SentResponse(words(.bodyTooLarge)), exchange.connection)
        }
        return handOver(exchange, method: String(cString: method))
    }

    /// Answers without asking the handler, and ends the connection: what follows on it may be of the same request.
    private func refuse(_ exchange: HTTPExchange, _ refusal: HTTPRefusal) -> MHD_Result {
        MicroHTTPDResponse.queue(SentResponse(words(refusal), closesConnection: true), exchange.connection)
    }

    /// What a client reads when libmicrohttpd refuses its request by itself.
    func reply(to refusal: HTTPRefusal) -> SentResponse {
        SentResponse(words(refusal), closesConnection: true)
    }

    /// Writes a whole answer where libmicrohttpd would spoil it; false when that is TLS' business, or does not fit into the socket.
    func writeAndClose(_ reply: SentResponse, to descriptor: Int32) -> Bool {
        guard configuration.identity == nil else { return false }
        let bytes = MicroHTTPDResponse.bytes(reply.response)
        return send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// An upload that does not end, or takes for ever, ends with its connection.
    private func mayGoOn(_ exchange: HTTPExchange) -> Bool {
        let age = exchange.startedAt.duration(to: LiveTime().monotonicNow)
        let limitBytes = configuration.bodyLimitBytes + configuration.overflowLimitBytes
        return exchange.receivedBytes <= limitBytes && age <= configuration.requestTimeout
    }

    private func handOver(_ exchange: HTTPExchange, method: String) -> MHD_Result {
        expect(exchange.connection, within: nil)
        let scheme = configuration.identity == nil ? "http" : "https"
        exchange.complete(method: method, scheme: scheme) { [weak self] in self?.answered($0) }
        // Before anybody else knows of it: one that is resumed first stays suspended for ever, and libmicrohttpd ends the process
        // when its daemon is stopped with one of those.
        MHD_suspend_connection(exchange.connection)
        let isTaken = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.pending[ObjectIdentifier(exchange)] = exchange
            return true
        }
        guard isTaken else {
            exchange.answer(stopping)
            MHD_resume_connection(exchange.connection)
            return .YES
        }
        if case .terminated = continuation.yield(exchange) { exchange.answer(stopping) }
        return .YES
    }

    private func answered(_ exchange: HTTPExchange) {
        let wasPending = state.withLock { $0.pending.removeValue(forKey: ObjectIdentifier(exchange)) != nil }
        if wasPending { MHD_resume_connection(exchange.connection) }
    }
}

// MARK: Callbacks
//
// The context of all of them is the daemon, which outlives its thread; a request's context is its exchange, retained in
// `onTarget` and released in `onCompleted`.

private func daemon(_ context: UnsafeMutableRawPointer?) -> HTTPDaemon {
    guard let context else { preconditionFailure("libmicrohttpd hands back the context it was given") }
    return Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
}

private let onTarget:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
        guard let target = $1, let connection = $2 else { return nil }
        let exchange = daemon($0).makeExchange(target, connection)
        hideQuery(in: target)
        return Unmanaged.passRetained(exchange).toOpaque()
    }

/// Keeps libmicrohttpd from taking the query apart, which nobody here asks for: a thousand parameters do not fit into the connection's
/// memory, and then it neither answers nor closes the connection. By now it knows where the query begins, and finds it empty. The text is
/// its own, in memory that may be written to.
private func hideQuery(in target: UnsafePointer<CChar>) {
    guard let mark = strchr(target, Int32(UInt8(ascii: "?"))) else { return }
    // There is one character behind it at least, the end of the text.
    mark[1] = 0
}

private let onAccept: MHD_AcceptPolicyCallback = { context, address, _ in daemon(context).admits(address) ? .YES : .NO }

private let onConnection: MHD_NotifyConnectionCallback = { context, connection, socketContext, code in
    guard code == .CONNECTION_NOTIFY_STARTED else {
        if let note = ConnectionNote.take(socketContext?.pointee) { daemon(context).closed(note) }
        return
    }
    guard let connection else { return }
    socketContext?.pointee = daemon(context).opened(connection).context
}

private let onRequest: MHD_AccessHandlerCallback = { context, _, _, method, version, data, size, requestContext in
    guard let request = requestContext?.pointee, let method, let version, let size else { return .NO }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(request).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee)
    size.pointee = 0
    return daemon(context).advance(exchange, method: method, version: version, data: bytes)
}

private let onCompleted: MHD_RequestCompletedCallback = { context, connection, requestContext, _ in
    if let connection { daemon(context).awaitNext(connection) }
    guard let request = requestContext?.pointee else { return }
    Unmanaged<HTTPExchange>.fromOpaque(request).release()
    requestContext?.pointee = nil
}
