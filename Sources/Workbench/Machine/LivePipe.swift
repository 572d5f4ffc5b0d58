import Glibc
import Synchronization

/// Both ends of a pipe; neither is inherited by programs started later.
struct LivePipe {
    var reading: Int32
    var writing: Int32

    init() throws(SystemFailure) {
        let opened: Result<[Int32], SystemFailure> = Self.inheritance.withLock { _ in
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return .failure(SystemFailure("opening a pipe")) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return .success(ends)
        }
        let ends = try opened.get()
        (reading, writing) = (ends[0], ends[1])
    }

    /// Held while a pipe is opened and while a process is started, so that no process started on another thread inherits
    /// an end before it is marked: a reader would then wait for ever for the end of its stream.
    static let inheritance = Mutex(())

    func closeBoth() {
        close(reading)
        close(writing)
    }

    /// Makes reads and writes at that end return at once.
    static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// What is there to read, at most 64 KiB; empty at the end of the stream, nil when nothing is there yet.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return nil }
        return Array(buffer.prefix(max(0, count)))
    }
}
