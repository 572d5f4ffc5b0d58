import Glibc

/// A new file, or one in place of an old one, of lines that come one after the other. What cannot be written is told at its end, so that
/// whoever has a line to write need not care.
///
/// Unchecked: simulation thread.
final class LiveLineFile: @unchecked Sendable {
    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var failure: SystemFailure?

    /// So many bytes are written at a time.
    private static let bufferBytes = 65_536

    /// - Throws: `SystemFailure` when there can be no such file.
    init(to path: String) throws(SystemFailure) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemFailure("writing \(path)") }
    }

    deinit { close(descriptor) }

    /// Puts a line, without its end, into the file. After a failure it does nothing.
    func write(_ line: String) {
        guard failure == nil else { return }
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count > Self.bufferBytes { flush() }
    }

    /// Everything is in the file; nothing may be written any more.
    ///
    /// - Throws: `SystemFailure`, the first there was.
    func end() throws(SystemFailure) {
        flush()
        if let failure { throw failure }
    }

    private func flush() {
        if failure == nil, !LiveFile.writeAll(buffer, to: descriptor) { failure = SystemFailure("writing \(path)") }
        buffer.removeAll(keepingCapacity: true)
    }
}
