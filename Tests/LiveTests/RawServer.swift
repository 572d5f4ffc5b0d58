import Glibc

/// Accepts connections, reads what comes first, says one thing and hangs up. One that does not listen keeps its port, so that
/// nobody else does.
final class RawServer: Sendable {
    let port: UInt16
    private let socket: Int32

    init(answering text: String, isListening: Bool = true) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> UInt16? in
                guard bind(socket, pointer, size) == 0, !isListening || listen(socket, 8) == 0,
                    getsockname(socket, pointer, &size) == 0
                else { return nil }
                return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port.bigEndian }
            }
        }
        guard let port else { throw Failure() }
        self.port = port
        self.socket = socket
        guard isListening else { return }
        let bytes = Array(text.utf8)
        try Self.startThread { Self.serve(socket, bytes) }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    struct Failure: Error {}

    private static func serve(_ socket: Int32, _ answer: [UInt8]) {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            _ = read(connection, &buffer, buffer.count)
            _ = answer.isEmpty ? 0 : write(connection, answer, answer.count)
            close(connection)
        }
    }

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func startThread(_ run: @escaping @Sendable () -> Void) throws {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(run))
        let result = pthread_create(
            &thread,
            nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            },
            context.toOpaque()
        )
        guard result == 0 else {
            context.release()
            throw Failure()
        }
        pthread_detach(thread)
    }
}
