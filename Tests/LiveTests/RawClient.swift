import Dispatch
import Glibc

/// A client that says what it likes, as slowly as it likes.
final class RawClient: Sendable {
    struct Failure: Error {}

    private let descriptor: Int32

    /// Connects to a port of 127.0.0.1, from that address of the loopback interface.
    init(port: UInt16, from source: UInt32 = 0x7F00_0001) throws {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptor = socket
        guard Self.with(source, 0, { bind(socket, $0, $1) }) == 0,
            Self.with(0x7F00_0001, port, { connect(socket, $0, $1) }) == 0
        else { throw Failure() }
    }

    private static func with(
        _ host: UInt32,
        _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit {
        close(descriptor)
    }

    /// False when the other side has closed.
    @discardableResult
    func say(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Says as much of a text as the server takes without waiting.
    func sayWhatFits(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Sends a letter whenever the server has said nothing for 20 ms, until it closes the connection.
    ///
    /// - Returns: What it said until then.
    func trickle(_ letter: String) async -> String {
        await following { $0.say(letter) }
    }

    /// Waits until the server has said something, and takes nothing of it.
    func isSpokenTo() async {
        await withCheckedContinuation { waiter in
            DispatchQueue(label: "raw client").async { [descriptor] in
                var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&question, 1, -1)
                waiter.resume()
            }
        }
    }

    /// Whether the server has closed the connection, or its half of it.
    var isHungUpOn: Bool {
        // POLLRDHUP, which Glibc's headers hide from Swift.
        var question = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        return poll(&question, 1, 0) > 0
    }

    /// Waits until the server closes the connection.
    func end() async -> String {
        await following { _ in true }
    }

    private func following(_ onSilence: @escaping @Sendable (RawClient) -> Bool) async -> String {
        await withCheckedContinuation { waiter in
            DispatchQueue(label: "raw client").async {
                var said: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while true {
                    var question = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
                    guard poll(&question, 1, 20) > 0 else {
                        if onSilence(self) { continue }
                        break
                    }
                    let count = recv(self.descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    said += buffer.prefix(count)
                }
                waiter.resume(returning: String(decoding: said, as: UTF8.self))
            }
        }
    }
}
