import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import CNGHTTP2
import Glibc
import HTTP
import Platform
import Synchronization

/// The thread that accepts, reads and writes. Every connection belongs to it; others put work into its inbox and wake it.
///
/// Unchecked: own thread: connections are used by it alone, and everything else stands behind a lock.
final class HTTP2Loop: @unchecked Sendable {
    /// How the loop ends; it can only be hurried.
    enum Closing: Int, Comparable, Sendable {
        /// No more connections, and each ends when its streams have.
        case whenIdle
        case atOnce

        static func < (left: Closing, right: Closing) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Shared {
        var answers: [(exchange: HTTP2Exchange, reply: SentResponse)] = []
        var closing: Closing?
        var faults = HTTP2FaultTable()
        var handshakeFaults = HandshakeFaultTable()
        var counters = HTTP2Counters()
        var listener: Int32 = -1
        var death: DeadListener?
        var isBusy = false
        var hasEnded = false

        /// Lets the listener be dead while a fault says so.
        mutating func judgeListener() {
            guard listener >= 0, handshakeFaults.isDead != (death != nil) else { return }
            death?.revive()
            death = death == nil ? DeadListener(listener) : nil
        }

        mutating func closeListener() {
            guard listener >= 0 else { return }
            death?.revive()
            death = nil
            Glibc.close(listener)
            listener = -1
        }
    }

    let exchanges: AsyncStream<HTTP2Exchange>
    let port: UInt16
    private let continuation: AsyncStream<HTTP2Exchange>.Continuation
    private let configuration: HTTP2ServerConfiguration
    private let shared = Mutex(Shared())
    private let wakeup: Int32
    private let context: TLSContext?

    // On the thread.
    private var listenerRestsUntil: MonotonicInstant?
    private var connections: [HTTP2Connection] = []
    private var lastConnection: Int64 = 0
    private var lastCheckAt: MonotonicInstant
    private var isDraining = false

    init(_ configuration: HTTP2ServerConfiguration) throws(HTTPServerError) {
        self.configuration = configuration
        // Bounded by the connections and the requests that each may have under way.
        (exchanges, continuation) = AsyncStream.makeStream()
        if let identity = configuration.identity {
            context = try TLSContext(identity, answersALPN: configuration.answersALPN)
        } else {
            context = nil
        }
        let listener = try SocketAddress.listen(on: configuration.address, port: configuration.port)
        port = SocketAddress.port(of: listener)
        wakeup = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        lastCheckAt = LiveTime().monotonicNow
        shared.withLock { $0.listener = listener }
        guard wakeup >= 0 else {
            Glibc.close(listener)
            throw .cannotStart
        }
        guard LiveThread.start({ [self] in run() }) else {
            Glibc.close(listener)
            Glibc.close(wakeup)
            throw .cannotStart
        }
    }

    // MARK: From elsewhere

    var isBusy: Bool { shared.withLock { $0.isBusy && !$0.hasEnded } }
    var counters: HTTP2Counters { shared.withLock { $0.counters } }

    func start(_ fault: HTTP2Fault) {
        shared.withLock { $0.faults.start(fault) }
    }

    /// - Throws: `HTTPServerError.badIdentity` for a certificate that cannot be used, or without TLS.
    func start(_ fault: HandshakeFault) throws(HTTPServerError) {
        guard let identity = configuration.identity else { throw .badIdentity }
        let answersALPN = configuration.answersALPN
        let treatment: HandshakeFaultTable.Treatment
        switch fault.kind {
        case .presents(let other): treatment = .tls(try TLSContext(other, answersALPN: answersALPN))
        case .oldVersion: treatment = .tls(try TLSContext(identity, answersALPN: answersALPN, isOutdated: true))
        case .stall: treatment = .stall
        case .close: treatment = .close
        case .deadAddress: treatment = .deadAddress
        }
        shared.withLock { shared in
            shared.handshakeFaults.start(fault.id, treatment)
            shared.judgeListener()
        }
    }

    func stopFault(_ id: String) -> Bool {
        let wasThere = shared.withLock { shared in
            let frames = shared.faults.stop(id)
            let handshakes = shared.handshakeFaults.stop(id)
            shared.judgeListener()
            return frames || handshakes
        }
        // It may wait for nobody, as an address did behind which nobody was.
        wake()
        return wasThere
    }

    func answer(_ exchange: HTTP2Exchange, _ reply: SentResponse) {
        shared.withLock { $0.answers.append((exchange, reply)) }
        wake()
    }

    func finishIntake() {
        continuation.finish()
    }

    func close(_ closing: Closing) {
        shared.withLock { $0.closing = max($0.closing ?? closing, closing) }
        wake()
    }

    private func wake() {
        // Behind the lock, so that the descriptor is never used once the thread has closed it.
        shared.withLock { shared in
            guard !shared.hasEnded else { return }
            eventfd_write(wakeup, 1)
        }
    }

    // MARK: On the thread

    func drawFault() -> HTTP2Fault.Kind? {
        shared.withLock { shared in
            let fault = shared.faults.draw()
            if fault != nil { shared.counters.faults += 1 }
            return fault
        }
    }

    var punishesExcess: Bool { shared.withLock { $0.faults.punishesExcess } }

    /// What idle connections are told as they are sent away; nil when they may stay.
    var idleGoodbye: [UInt8]? { shared.withLock { $0.faults.idleReason }.map { HTTP2Connection.data($0) } }

    func count(_ change: (inout HTTP2Counters) -> Void) {
        shared.withLock { change(&$0.counters) }
    }

    func handOver(_ exchange: HTTP2Exchange) {
        count { $0.requests += 1 }
        if case .terminated = continuation.yield(exchange) { answer(exchange, SentResponse(HTTPResponse(status: 503))) }
    }

    private func run() {
        Self.ignoreBrokenPipes()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        while takeOrders() {
            let ready = wait()
            let now = LiveTime().monotonicNow
            for (connection, events) in zip(connections, ready) where !connection.isClosed {
                if events & Int16(POLLIN | POLLHUP | POLLERR) != 0 || connection.hasBufferedInput {
                    connection.read(buffer, now: now)
                }
            }
            acceptAll(now)
            checkTimes(now)
            flush(now)
        }
        end()
    }

    /// Carries out what others asked for; false when the loop is to end.
    private func takeOrders() -> Bool {
        let (answers, closing) = shared.withLock { shared in
            defer { shared.answers = [] }
            return (shared.answers, shared.closing)
        }
        if !answers.isEmpty {
            let known = Dictionary(uniqueKeysWithValues: connections.map { ($0.id, $0) })
            for (exchange, reply) in answers {
                known[exchange.connection]?.answer(exchange.stream, reply, fault: exchange.fault)
            }
        }
        if closing == .whenIdle, !isDraining { beginToDrain() }
        flush(LiveTime().monotonicNow)
        return closing != .atOnce
    }

    private func beginToDrain() {
        isDraining = true
        shared.withLock { $0.closeListener() }
        for connection in connections { connection.drain(HTTP2Farewell(awaitsRequests: true)) }
    }

    /// Waits until something happens; what happened to each connection.
    private func wait() -> [Int16] {
        var set = connections.map { connection in
            pollfd(
                fd: connection.socket.descriptor,
                events: Int16(POLLIN) | (connection.wantsToWrite ? Int16(POLLOUT) : 0),
                revents: 0
            )
        }
        set.append(pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0))
        let listener = shared.withLock { $0.death == nil && listenerRestsUntil == nil ? $0.listener : -1 }
        set.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
        let isHurried = connections.contains(where: \.hasBufferedInput)
        // Without a connection there is no deadline to watch.
        let hasDeadlines = !connections.isEmpty || listenerRestsUntil != nil
        poll(&set, nfds_t(set.count), isHurried ? 0 : hasDeadlines ? Int32(checkMilliseconds) : -1)
        var count: eventfd_t = 0
        eventfd_read(wakeup, &count)
        return set.map(\.revents)
    }

    /// How often deadlines are looked at: a fraction of the shortest, at most once a second.
    private var checkMilliseconds: Int64 {
        let shortest = min(configuration.handshakeTimeout, configuration.idleTimeout, configuration.requestTimeout)
        return min(1_000, max(10, shortest.wholeMilliseconds / 4))
    }

    private func checkTimes(_ now: MonotonicInstant) {
        guard lastCheckAt.duration(to: now) >= .milliseconds(checkMilliseconds) else { return }
        lastCheckAt = now
        for connection in connections where !connection.isClosed { connection.checkTime(now) }
    }

    /// Sends what there is to send and forgets connections that are over.
    private func flush(_ now: MonotonicInstant) {
        for connection in connections where !connection.isClosed { connection.write(now: now) }
        connections.removeAll(where: \.isClosed)
        let isBusy = connections.contains(where: \.isBusy)
        shared.withLock { $0.isBusy = isBusy }
    }

    private func acceptAll(_ now: MonotonicInstant) {
        if let rest = listenerRestsUntil, rest <= now { listenerRestsUntil = nil }
        while listenerRestsUntil == nil {
            // Under the lock, so that nobody is accepted once the address is dead.
            let accepted = shared.withLock { $0.death == nil ? Self.accept(from: $0.listener) : nil }
            guard let (descriptor, address, number) = accepted else { return }
            guard descriptor >= 0 else {
                // Without free descriptors the connection stays pending and would wake the thread at once again.
                if number == EMFILE || number == ENFILE { listenerRestsUntil = now.advanced(by: .milliseconds(100)) }
                return
            }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            admit(descriptor, from: address, now)
        }
    }

    /// Descriptor and address of who connects, or the number of the error; nil without a listener.
    private static func accept(from listener: Int32) -> (descriptor: Int32, address: String, errorNumber: Int32)? {
        guard listener >= 0 else { return nil }
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let descriptor = Glibc.accept(listener, address, &size)
                return (descriptor, descriptor < 0 ? "" : SocketAddress.text(of: address), errno)
            }
        }
    }

    private func admit(_ descriptor: Int32, from address: String, _ now: MonotonicInstant) {
        let treatment = shared.withLock { $0.handshakeFaults.first }
        var context = context
        if case .tls(let other) = treatment { context = other }
        guard connections.count < configuration.connectionLimit, let socket = HTTP2Socket(descriptor, context) else {
            if connections.count >= configuration.connectionLimit { Glibc.close(descriptor) }
            return count { $0.connectionsRefused += 1 }
        }
        lastConnection += 1
        count { $0.connectionsOpened += 1 }
        let connection = HTTP2Connection(
            id: lastConnection,
            address: address,
            socket: socket,
            configuration: configuration,
            loop: self,
            now: now
        )
        switch treatment {
        case .stall: connection.goDeaf()
        case .close: connection.endAtGreeting()
        case .tls, .deadAddress, nil: break
        }
        connections.append(connection)
    }

    private func end() {
        for connection in connections where !connection.isClosed {
            connection.drain(HTTP2Farewell())
            connection.goAwayAtLast()
            connection.write(now: LiveTime().monotonicNow)
            connection.close()
        }
        connections = []
        finishIntake()
        shared.withLock { shared in
            shared.closeListener()
            shared.hasEnded = true
        }
        Glibc.close(wakeup)
    }

    /// A client that has gone is an error to handle, not the program's end: OpenSSL writes without MSG_NOSIGNAL.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
