import Glibc
import Platform

/// The clock of programs whose time runs fast: a page of memory that they share with this program, and the library that lets
/// them live by it (`Sources/FastClock`).
///
/// Isolation: used by the world's thread. `deinit` unmaps the page; programs that run keep theirs.
final class LiveFastClock {
    /// As `struct fast_clock` has it.
    private struct Page {
        var speed: Int64
        var anchor: Int64
        var wall: Int64
        var wallOffset: Int64
    }

    let path: String
    private let page: UnsafeMutablePointer<Page>

    /// A clock that shows `wall` now.
    ///
    /// - Throws: `SystemFailure` when the file cannot be made.
    init(_ path: String, speed: Int64, wall: WallTime) throws(SystemFailure) {
        self.path = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("making \(path)") }
        defer { close(descriptor) }
        let size = MemoryLayout<Page>.size
        guard ftruncate(descriptor, size) == 0 else { throw SystemFailure("making \(path)") }
        guard let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED
        else { throw SystemFailure("mapping \(path)") }
        page = mapped.bindMemory(to: Page.self, capacity: 1)
        page.pointee = Page(
            speed: speed,
            anchor: LiveClock.now.nanoseconds,
            wall: wall.microseconds * 1_000,
            wallOffset: 0
        )
    }

    deinit {
        munmap(page, MemoryLayout<Page>.size)
    }

    /// Lets the clock show `wall` at this instant of the machine's.
    func set(to wall: WallTime, at instant: MonotonicInstant) {
        page.pointee.wall = wall.microseconds * 1_000 - (instant.nanoseconds - page.pointee.anchor) * page.pointee.speed
    }

    /// How wrong the wall clock is from now on.
    func setOffset(_ offset: Duration) {
        page.pointee.wallOffset = offset.wholeNanoseconds
    }

    /// What puts a program under this clock.
    ///
    /// - Throws: `ProgramError` when the library is not there.
    func environment() throws(ProgramError) -> [String] {
        ["FAST_CLOCK=\(path)", "LD_PRELOAD=\(try Self.library())"]
    }

    /// Beside this program, where it is built, or in the folder of libraries beside its own, where it is installed.
    private static func library() throws(ProgramError) -> String {
        let places = ["libFastClock.so", "../lib/libFastClock.so"].map { LiveProgramFile.path(beside: $0) }
        guard let place = places.first(where: { access($0, R_OK) == 0 }) else {
            throw ProgramError(
                .system,
                "there is no libFastClock.so beside simctl",
                hint: "make release builds it, make install installs it"
            )
        }
        return place
    }
}

/// Files that come with this program.
enum LiveProgramFile {
    /// The absolute path of a file beside the program's own.
    static func path(beside name: String) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(ProcessLaunch.ownExecutable, &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let folder = own.lastIndex(of: "/").map { own[..<$0] } ?? "."
        return "\(folder)/\(name)"
    }
}
