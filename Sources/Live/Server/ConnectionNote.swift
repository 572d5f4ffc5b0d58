import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import Glibc

/// What libmicrohttpd keeps for us with a connection: whose it is. Held from the beginning of the connection until its end.
final class ConnectionNote {
    /// Counted from 1; never used again.
    let number: Int
    let descriptor: Int32
    /// Outlives its connections.
    unowned let daemon: HTTPDaemon

    init(number: Int, descriptor: Int32, daemon: HTTPDaemon) {
        self.number = number
        self.descriptor = descriptor
        self.daemon = daemon
    }

    /// Throws away what has arrived and was not read: a connection that is closed over it is reset, and its client might lose the answer
    /// that it was given.
    func readAway() {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        // A mebibyte: more than a system keeps ready for a connection that nobody reads.
        for _ in 0..<16 {
            guard recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 else { return }
        }
    }

    /// To be kept by libmicrohttpd; released by ``take(_:)``.
    var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// Takes back what libmicrohttpd kept.
    static func take(_ context: UnsafeMutableRawPointer?) -> ConnectionNote? {
        context.map { Unmanaged<ConnectionNote>.fromOpaque($0).takeRetainedValue() }
    }

    /// The note of a connection that is there.
    static func of(_ connection: OpaquePointer) -> ConnectionNote? {
        wb_MHD_socket_context(connection).map { Unmanaged<ConnectionNote>.fromOpaque($0).takeUnretainedValue() }
    }
}
