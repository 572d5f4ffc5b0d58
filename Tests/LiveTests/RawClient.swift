import Dispatch
import Glibc

/// A client that says what it likes, as slowly as it likes.
final class RawClient: Sendable {
    struct Failure: Error {}

    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let (socket, size) = (descriptor, socklen_t(MemoryLayout<sockaddr_in>.size))
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
        }
        guard isConnected else { throw Failure() }
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

    /// Sends a letter whenever the server has said nothing for 20 ms, until it closes the connection.
    ///
    /// - Returns: What it said until then.
    func trickle(_ letter: String) async -> String {
        await following { $0.say(letter) }
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
