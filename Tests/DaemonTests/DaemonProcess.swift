import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Live

/// The real `notifierd`, built beside these tests, started as a service manager would start it. Killed when this value goes.
///
/// Its log is read on a thread of its own: waiting for it must not keep the fakes in this process from answering.
final class DaemonProcess {
    struct Failure: Error {
        var sentence: String
    }

    let identifier: pid_t
    private let status: ExitStatus
    private var lines: AsyncStream<String>.AsyncIterator
    /// Lines that were passed over: what its tasks write comes in any order.
    private var passed: [String] = []

    /// `environment` holds `NAME=value` texts; nothing else is inherited but where the runtime is. `input` is what it reads.
    init(_ arguments: [String], environment: [String], input: String = "/dev/null") throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, let log = fdopen(ends[0], "r") else {
            throw Failure(sentence: "no pipe")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
        for stream in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_adddup2(&actions, ends[1], stream) }
        let loader = LiveVariables.read(["LD_LIBRARY_PATH"]).map { "\($0.key)=\($0.value)" }
        var texts: [UnsafeMutablePointer<CChar>?] = (["notifierd"] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = (environment + loader).map { strdup($0) } + [nil]
        defer { (texts + variables).forEach { free($0) } }
        var process = pid_t()
        let result = posix_spawn(&process, try Self.executable(), &actions, nil, &texts, &variables)
        close(ends[1])
        guard result == 0 else {
            fclose(log)
            throw Failure(sentence: "cannot start: \(String(cString: strerror(result)))")
        }
        identifier = process
        status = ExitStatus(process)
        let (stream, continuation) = AsyncStream<String>.makeStream()
        lines = stream.makeAsyncIterator()
        Self.follow(log, continuation, status)
    }

    deinit {
        status.send(SIGKILL)
    }

    /// Waits for the line that says it is ready.
    ///
    /// - Returns: The port it listens on.
    func port() async throws -> UInt16 {
        struct Line: Decodable {
            var port: UInt16

            enum CodingKeys: String, CodingKey {
                case port = "listen.port"
            }
        }
        return try JSONDecoder().decode(Line.self, from: Data(try await wait(for: "daemon.ready").utf8)).port
    }

    /// Waits for the line with this message; each line is given once.
    @discardableResult
    func wait(for message: String) async throws -> String {
        let mark = "\"message\":\"\(message)\""
        if let index = passed.firstIndex(where: { $0.contains(mark) }) { return passed.remove(at: index) }
        while let text = await line() {
            if text.contains(mark) { return text }
            passed.append(text)
        }
        throw Failure(sentence: "it ended without \(message)")
    }

    /// The lines that were passed over so far.
    var passedText: String { passed.joined() }

    /// What is left of what it writes, to the end.
    func rest() async -> String {
        var text = ""
        while let line = await line() { text += line }
        return text
    }

    /// The next line it writes; nil at the end.
    func line() async -> String? {
        await lines.next(isolation: #isolation)
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: The exit status, or the negative number of the signal that killed it.
    @discardableResult
    func end(by signal: Int32?) async -> Int32 {
        if let signal { status.send(signal) }
        return await status.wait()
    }

    private static func follow(
        _ log: sending UnsafeMutablePointer<FILE>,
        _ lines: AsyncStream<String>.Continuation,
        _ status: ExitStatus
    ) {
        // Unchecked: handed over: nobody else has it.
        nonisolated(unsafe) let log = log
        DispatchQueue(label: "notifierd").async {
            var buffer = [CChar](repeating: 0, count: 65_536)
            while fgets(&buffer, Int32(buffer.count), log) != nil {
                lines.yield(String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
            fclose(log)
            lines.finish()
            status.reap()
        }
    }

    private static func executable() throws -> String {
        guard let path = realpath("/proc/self/exe", nil) else { throw Failure(sentence: "who am I?") }
        defer { free(path) }
        let own = String(cString: path)
        let program = "\(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])/notifierd"
        return try #require(access(program, X_OK) == 0 ? program : nil, "notifierd is not built: looked for \(program)")
    }
}

/// How a process ended.
private final class ExitStatus: Sendable {
    private struct State {
        var status: Int32?
        var waiting: [CheckedContinuation<Int32, Never>] = []
    }

    private let identifier: pid_t
    private let state = Mutex(State())

    init(_ identifier: pid_t) {
        self.identifier = identifier
    }

    /// Sends a signal, unless the process has ended and its number may be another's.
    func send(_ signal: Int32) {
        state.withLock { if $0.status == nil { kill(identifier, signal) } }
    }

    /// The exit status, or the negative number of the signal.
    func wait() async -> Int32 {
        await withCheckedContinuation { waiter in
            let status = state.withLock { state in
                if state.status == nil { state.waiting.append(waiter) }
                return state.status
            }
            if let status { waiter.resume(returning: status) }
        }
    }

    /// Waits for the end on the thread of the caller.
    func reap() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, Int32(WEXITED | WNOWAIT)) < 0 && errno == EINTR {}
        let (status, waiting) = state.withLock { state in
            var waited: Int32 = 0
            while waitpid(identifier, &waited, 0) < 0 && errno == EINTR {}
            let killer = waited & 0x7F
            let status = killer == 0 ? waited >> 8 & 0xFF : -killer
            state.status = status
            return (status, state.waiting)
        }
        waiting.forEach { $0.resume(returning: status) }
    }
}
