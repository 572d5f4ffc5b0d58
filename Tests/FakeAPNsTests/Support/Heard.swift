import Synchronization

/// Collects what an observer was told.
final class Heard: Sendable {
    private let state: Mutex<[String]> = Mutex([])

    var lines: [String] { state.withLock { $0 } }

    func append(_ line: String) {
        state.withLock { $0.append(line) }
    }
}
