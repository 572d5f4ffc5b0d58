/// Bytes that have left the session and not yet reached the socket.
struct HTTP2Output {
    /// So much is taken out of the session before the socket has taken it.
    private static let limitBytes = 65_536

    private var bytes: [UInt8] = []
    private var start = 0

    var isEmpty: Bool { start == bytes.count }

    /// Takes more out of the session while there `isMore` to say, once everything before it is gone; false when the session cannot go on.
    mutating func fill(from session: HTTP2Session, while isMore: () -> Bool) -> Bool {
        guard isEmpty else { return true }
        bytes.removeAll(keepingCapacity: true)
        start = 0
        while bytes.count < Self.limitBytes, isMore() {
            guard let next = session.nextBytes() else { return false }
            if next.isEmpty { break }
            bytes += next
        }
        return true
    }

    /// Gives the socket what it takes.
    mutating func send(to socket: HTTP2Socket) -> HTTP2Socket.Progress {
        let progress = bytes.withUnsafeBytes { socket.write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        if case .moved(let count) = progress { start += count }
        return progress
    }
}
