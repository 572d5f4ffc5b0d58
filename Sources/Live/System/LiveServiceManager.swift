import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import Glibc

/// Tells the service manager how the service is (sd_notify(3)): a datagram to the socket that `NOTIFY_SOCKET` names.
package struct LiveServiceManager: Sendable {
    private let path: String?

    /// Finds the socket in the environment; without one nothing is told to anybody.
    package init() {
        path = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
    }

    init(path: String?) {
        self.path = path
    }

    /// How often systemd wants to hear `WATCHDOG=1`; nil when it does not.
    package static var watchdogInterval: Duration? {
        guard let text = getenv("WATCHDOG_USEC"), let microseconds = Int64(String(cString: text)), microseconds > 0
        else { return nil }
        return .microseconds(microseconds)
    }

    /// Sends assignments such as `READY=1`. Best effort: a manager that has gone must not stop the service.
    package func notify(_ assignments: String) {
        guard let path, path.hasPrefix("/") || path.hasPrefix("@") else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // An abstract address begins with a zero byte, written as `@`.
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = MemoryLayout<sa_family_t>.size + bytes.count
        let message = Array(assignments.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, socklen_t(size))
            }
        }
    }
}
