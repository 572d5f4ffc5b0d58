import Dispatch
import Glibc

/// One HTTP/2 frame, as it stands on the wire (RFC 9113 §4.1).
struct Frame: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    var kind: Kind
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    static let acknowledges: UInt8 = 1
    static let endsStream: UInt8 = 1
    static let endsHeaders: UInt8 = 4

    var bytes: [UInt8] {
        var bytes = Array(Self.number(UInt32(payload.count)).dropFirst())
        bytes += [kind.rawValue, flags]
        bytes += Self.number(stream)
        return bytes + payload
    }

    /// Four bytes of the payload as a number.
    func number(at offset: Int) -> UInt32 {
        payload[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The value of a setting, where the frame holds it.
    func setting(_ identifier: UInt8) -> UInt32? {
        guard kind == .settings else { return nil }
        return stride(from: 0, to: payload.count, by: 6).first { payload[$0 + 1] == identifier }.map {
            number(at: $0 + 2)
        }
    }

    /// A request without a body; every field as a literal that is not indexed (RFC 7541 §6.2.2).
    static func request(_ stream: UInt32, _ path: String = "/", extra: [(String, String)] = []) -> Frame {
        let fields = [(":method", "GET"), (":scheme", "http"), (":path", path), (":authority", "localhost")] + extra
        return Frame(kind: .headers, flags: endsStream | endsHeaders, stream: stream, payload: block(fields))
    }

    static func block(_ fields: [(String, String)]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields {
            block += [0, UInt8(name.utf8.count)]
            block += Array(name.utf8)
            block.append(UInt8(value.utf8.count))
            block += Array(value.utf8)
        }
        return block
    }

    static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// A client that says exactly what it is told to, without TLS. It blocks a thread of its own, never one of the tests'.
final class FrameClient: Sendable {
    struct Failure: Error {}

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "frames")

    /// With a `window` the system takes about so many bytes for a client that does not read.
    init(port: UInt16, window: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var window {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        // `deinit` closes it, also now.
        guard result == 0 else { throw Failure() }
    }

    deinit {
        close(descriptor)
    }

    /// Sends the preface, empty settings and these frames.
    func open(_ frames: [Frame] = []) async {
        await send(Self.preface + Frame(kind: .settings).bytes + frames.flatMap(\.bytes))
    }

    func send(_ frames: [Frame]) async {
        await send(frames.flatMap(\.bytes))
    }

    /// Sends as much as the server takes.
    func send(_ bytes: [UInt8]) async {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in
                var sent = 0
                while sent < bytes.count {
                    let count = bytes[sent...].withUnsafeBytes {
                        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    if count <= 0 { break }
                    sent += count
                }
                continuation.resume()
            }
        }
    }

    /// The next frame; nil when the connection has ended.
    func next() async -> Frame? {
        guard let head = await read(9), let kind = Frame.Kind(rawValue: head[3]) else { return nil }
        let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        guard let payload = await read(count) else { return nil }
        let stream = head[5..<9].reduce(0) { $0 << 8 | UInt32($1) }
        return Frame(kind: kind, flags: head[4], stream: stream, payload: payload)
    }

    /// Frames up to the first that `isLast` names, or up to the end of the connection.
    func frames(through isLast: (Frame) -> Bool) async -> [Frame] {
        var frames: [Frame] = []
        while let frame = await next() {
            frames.append(frame)
            if isLast(frame) { break }
        }
        return frames
    }

    private func read(_ count: Int) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in
                var bytes = [UInt8](repeating: 0, count: count)
                var have = 0
                while have < count {
                    let count = bytes.withUnsafeMutableBytes {
                        recv(descriptor, $0.baseAddress.map { $0 + have }, $0.count - have, 0)
                    }
                    guard count > 0 else { return continuation.resume(returning: nil) }
                    have += count
                }
                continuation.resume(returning: bytes)
            }
        }
    }
}
