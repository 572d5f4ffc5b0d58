import FoundationEssentials
import Glibc
import Live
import Testing

/// The real `notifierd`, built beside these tests, started as a service manager would start it. Killed when this value goes.
final class DaemonProcess {
    struct Failure: Error {
        var sentence: String
    }

    let identifier: pid_t
    private let log: UnsafeMutablePointer<FILE>
    private var status: Int32?

    /// `environment` holds `NAME=value` texts; nothing else is inherited but where the runtime is.
    init(_ arguments: [String], environment: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, let log = fdopen(ends[0], "r") else { throw Failure(sentence: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        let loader = LiveVariables.read(["LD_LIBRARY_PATH"]).map { "\($0.key)=\($0.value)" }
        var texts: [UnsafeMutablePointer<CChar>?] = (["notifierd"] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = (environment + loader).map { strdup($0) } + [nil]
        defer { (texts + variables).forEach { free($0) } }
        var process = pid_t()
        let result = posix_spawn(&process, try Self.executable(), &actions, nil, &texts, &variables)
        close(ends[1])
        guard result == 0 else { throw Failure(sentence: "cannot start: \(String(cString: strerror(result)))") }
        identifier = process
        self.log = log
    }

    deinit {
        if status == nil { end(by: SIGKILL) }
        fclose(log)
    }

    /// Waits for the line that says it is ready.
    ///
    /// - Returns: The port it listens on.
    func port() throws -> UInt16 {
        struct Line: Decodable {
            var message: String?
            var port: UInt16?

            enum CodingKeys: String, CodingKey {
                case message
                case port = "listen.port"
            }
        }
        while let text = line() {
            let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8))
            if line?.message == "daemon.ready", let port = line?.port { return port }
        }
        throw Failure(sentence: "it ended before it was ready")
    }

    /// The next line of its log; nil at the end.
    func line() -> String? {
        var buffer = [CChar](repeating: 0, count: 65_536)
        guard fgets(&buffer, Int32(buffer.count), log) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: The exit status, or the negative number of the signal that killed it.
    @discardableResult
    func end(by signal: Int32?) -> Int32 {
        if let status { return status }
        if let signal { kill(identifier, signal) }
        var waited: Int32 = 0
        while waitpid(identifier, &waited, 0) < 0 && errno == EINTR {}
        let killer = waited & 0x7F
        let status = killer == 0 ? waited >> 8 & 0xFF : -killer
        self.status = status
        return status
    }

    private static func executable() throws -> String {
        guard let path = realpath("/proc/self/exe", nil) else { throw Failure(sentence: "who am I?") }
        defer { free(path) }
        let own = String(cString: path)
        let program = "\(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])/notifierd"
        return try #require(access(program, X_OK) == 0 ? program : nil, "notifierd is not built: looked for \(program)")
    }
}
