import Dispatch
import Glibc

/// The socket of a service manager: what services tell it, as it comes.
final class ServiceManagerSocket {
    let path: String
    private let descriptor: Int32
    private var messages: AsyncStream<String>.AsyncIterator

    init(in folder: String) throws {
        path = "\(folder)/notify"
        descriptor = try Self.listen(path)
        let (stream, continuation) = AsyncStream<String>.makeStream()
        messages = stream.makeAsyncIterator()
        Self.follow(descriptor, continuation)
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Waits for a message that begins like this.
    func wait(for text: String) async {
        while let message = await messages.next(isolation: #isolation), !message.hasPrefix(text) {}
    }

    private static func listen(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else { throw DaemonProcess.Failure(sentence: "no socket") }
        return descriptor
    }

    private static func follow(_ descriptor: Int32, _ messages: AsyncStream<String>.Continuation) {
        DispatchQueue(label: "service manager").async {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                messages.yield(String(decoding: buffer.prefix(count), as: UTF8.self))
            }
            close(descriptor)
            messages.finish()
        }
    }
}
