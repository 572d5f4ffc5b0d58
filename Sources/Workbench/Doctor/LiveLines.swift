import Glibc

/// The lines of a file, read as they are asked for, because a trace may be larger than memory should be.
///
/// A file that cannot be opened has no lines.
final class LiveLines: Sequence, IteratorProtocol {
    private let descriptor: Int32
    private var buffer = LineBuffer()

    init(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func next() -> String? {
        while true {
            if let line = buffer.next() { return String(decoding: line, as: UTF8.self) }
            guard descriptor >= 0, let more = LivePipe.read(descriptor), !more.isEmpty else { return nil }
            buffer.append(more)
        }
    }
}
