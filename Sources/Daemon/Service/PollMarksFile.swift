import Glibc
import Notifier
import Synchronization

/// Marks in a file beside the database, `<database>.polls`: eight bytes for each account that is being read, with its number. They are
/// written and not synced, so they outlive the process, which is what they are for, and cost a microsecond.
///
/// What the disk does not take is missing after a crash, and nowhere else.
final class PollMarksFile: PollMarks {
    private struct State {
        /// The place of each account that is being read.
        var places: [Int64: Int] = [:]
        /// Places that were used and are free.
        var free: [Int] = []
        /// The first place that was never used.
        var next = 0
        /// Of the process before.
        var interrupted: [Int64]
    }

    /// Accounts that are being read at once at most; further ones have no mark.
    private static let placeLimit = 16_384
    private static let width = MemoryLayout<Int64>.size

    private let descriptor: Int32
    private let state: Mutex<State>

    /// Takes over what a former process has left. Nil when there can be no such file.
    init?(beside database: String) {
        descriptor = open("\(DatabaseFiles.resolved(database)).polls", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        state = Mutex(State(interrupted: Self.read(descriptor)))
        ftruncate(descriptor, 0)
    }

    deinit {
        close(descriptor)
    }

    func takeInterrupted() -> [Int64] {
        state.withLock { state in
            defer { state.interrupted = [] }
            return state.interrupted
        }
    }

    func begin(_ account: Int64) {
        state.withLock { state in
            guard state.places[account] == nil, let place = Self.takePlace(&state) else { return }
            state.places[account] = place
            write(account, at: place)
        }
    }

    func end(_ account: Int64) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: account) else { return }
            state.free.append(place)
            write(0, at: place)
        }
    }

    private static func takePlace(_ state: inout State) -> Int? {
        if let place = state.free.popLast() { return place }
        guard state.next < placeLimit else { return nil }
        defer { state.next += 1 }
        return state.next
    }

    private func write(_ number: Int64, at place: Int) {
        withUnsafeBytes(of: number) { bytes in
            _ = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(place * Self.width))
        }
    }

    private static func read(_ descriptor: Int32) -> [Int64] {
        var numbers = [Int64](repeating: 0, count: placeLimit)
        let bytes = numbers.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Set(numbers.prefix(max(bytes, 0) / width).filter { $0 > 0 }).sorted()
    }
}
