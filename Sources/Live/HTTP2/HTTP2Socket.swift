import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import CNGHTTP2
import Glibc

/// The bytes of one connection, with TLS or without. Never blocks.
///
/// Isolation: the server's thread.
final class HTTP2Socket {
    /// How an attempt to move bytes ended.
    enum Progress: Equatable {
        case moved(Int)
        /// Try again when the socket is ready.
        case blocked
        /// The connection is over, in order or not.
        case ended
    }

    let descriptor: Int32
    private let tls: OpaquePointer?
    /// TLS wants to write before it can go on.
    private(set) var wantsToWrite = false

    /// Takes the descriptor over; nil when TLS gets no memory, and then it is closed.
    init?(_ descriptor: Int32, _ context: TLSContext?) {
        self.descriptor = descriptor
        tls = context?.makeSession(over: descriptor)
        guard context == nil || tls != nil else {
            close(descriptor)
            return nil
        }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        if let tls { SSL_free(tls) }
        close(descriptor)
    }

    /// True when bytes that came already wait inside TLS, of which the socket knows nothing.
    var hasBufferedBytes: Bool { tls.map { SSL_pending($0) > 0 } ?? false }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
        guard let tls else { return swallow(buffer) }
        ERR_clear_error()
        return progress(of: tls, SSL_read(tls, buffer.baseAddress, Int32(buffer.count)))
    }

    /// Takes bytes off the socket past TLS, for nobody.
    func swallow(_ buffer: UnsafeMutableRawBufferPointer) -> Progress {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return count > 0 ? .moved(count) : count < 0 && Self.isTransient(errno) ? .blocked : .ended
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Progress {
        guard let tls else {
            let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            return count >= 0 ? .moved(count) : Self.isTransient(errno) ? .blocked : .ended
        }
        ERR_clear_error()
        return progress(of: tls, SSL_write(tls, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    /// Says goodbye as far as that is possible without waiting.
    func sayGoodbye() {
        guard let tls, SSL_is_init_finished(tls) == 1 else { return }
        ERR_clear_error()
        SSL_shutdown(tls)
    }

    /// Lets the other side see a reset instead of an end.
    func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func progress(of tls: OpaquePointer, _ result: Int32) -> Progress {
        wantsToWrite = false
        guard result <= 0 else { return .moved(Int(result)) }
        switch SSL_get_error(tls, result) {
        case SSL_ERROR_WANT_READ: return .blocked
        case SSL_ERROR_WANT_WRITE:
            wantsToWrite = true
            return .blocked
        default:
            ERR_clear_error()
            return .ended
        }
    }

    private static func isTransient(_ number: Int32) -> Bool {
        number == EAGAIN || number == EWOULDBLOCK || number == EINTR
    }
}
