import Dispatch
import Glibc
import Synchronization

/// A server on this machine that hears a request's head, says what it is told to, and hangs up. It ends with the process.
final class ScriptedServer: Sendable {
    struct Failure: Error {}

    let port: UInt16
    private let answer = Mutex<[UInt8]>([])

    init() throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Loopback.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, length) == 0 && listen(listening, 16) == 0
                    && getsockname(listening, $0, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
        DispatchQueue(label: "scripted server").async { [self] in
            while true { serve(accept(listening, nil, nil)) }
        }
    }

    /// From now on every request is answered so.
    func say(_ bytes: [UInt8]) { answer.withLock { $0 = bytes } }

    private func serve(_ connection: Int32) {
        guard connection >= 0 else { return }
        defer { close(connection) }
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            head += buffer.prefix(count)
        }
        Loopback.say(answer.withLock(\.self), to: connection)
    }
}
