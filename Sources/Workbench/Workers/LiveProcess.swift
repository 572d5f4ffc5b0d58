import Glibc
import Synchronization

/// What to start: a program, its arguments, and the whole of its environment.
struct ProcessLaunch: Equatable {
    /// An absolute path.
    var executable: String
    /// Without the program's own name.
    var arguments: [String]
    /// Sorted `NAME=value` texts; nothing else is inherited.
    var environment: [String]

    /// This very program.
    static let ownExecutable = "/proc/self/exe"
}

/// How a process ended.
enum ProcessEnd: Equatable {
    case exited(status: Int32)
    case signalled(Int32)

    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited(status: waitStatus >> 8 & 0xFF) : .signalled(signal)
    }
}

extension ProcessEnd: CustomStringConvertible {
    /// As it stands behind "it ended".
    var description: String {
        switch self {
        case .exited(let status): "with exit status \(status)"
        case .signalled(let signal): "by signal \(signal)"
        }
    }
}

/// One child process with pipes on its three standard streams.
///
/// It leads a process group of its own, so that Ctrl-C reaches `simctl` alone, which then ends its children. The owner
/// must call `end()`; `deinit` does it when the owner could not.
final class LiveProcess {
    let identifier: pid_t
    /// Writes to the child's standard input; does not block.
    let input: Int32
    /// Reads the child's standard output; does not block.
    let output: Int32
    /// Reads the child's standard error; does not block.
    let errors: Int32

    private var isOpenInput = true
    private var finish: ProcessEnd?

    init(_ launch: ProcessLaunch) throws(SystemFailure) {
        let input = try LivePipe()
        let output = try LivePipe()
        let errors = try LivePipe()
        do throws(SystemFailure) {
            identifier = try Self.spawn(launch, [input.reading, output.writing, errors.writing])
        } catch {
            [input, output, errors].forEach { $0.closeBoth() }
            throw error
        }
        close(input.reading)
        close(output.writing)
        close(errors.writing)
        (self.input, self.output, self.errors) = (input.writing, output.reading, errors.reading)
        [self.input, self.output, self.errors].forEach(LivePipe.makeNonBlocking)
    }

    deinit {
        end()
        close(output)
        close(errors)
    }

    /// Tells the child that nothing more will come.
    func closeInput() {
        guard isOpenInput else { return }
        isOpenInput = false
        close(input)
    }

    /// Kills the child if it still runs, collects it, and says how it ended: the way it had chosen itself if it was
    /// already on its way out.
    @discardableResult func end() -> ProcessEnd {
        if let finish { return finish }
        endGroup()
        closeInput()
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        let finish = ProcessEnd(waitStatus: status)
        self.finish = finish
        return finish
    }

    /// Whether the child itself has ended, although what it started may still hold its streams open.
    var hasEnded: Bool {
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 && information.si_signo == SIGCHLD
    }

    /// Kills the child and everything it started, such as the runtime's crash reporter.
    func endGroup() {
        guard finish == nil else { return }
        kill(-identifier, SIGKILL)
    }

    private static func spawn(_ launch: ProcessLaunch, _ streams: [Int32]) throws(SystemFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var attributes = makeAttributes()
        defer { posix_spawnattr_destroy(&attributes) }

        var arguments: [UnsafeMutablePointer<CChar>?] = (["simctl"] + launch.arguments).map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = launch.environment.map { strdup($0) } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        var identifier: pid_t = 0
        let result = LivePipe.inheritance.withLock { _ in
            posix_spawn(&identifier, launch.executable, &actions, &attributes, &arguments, &environment)
        }
        guard result == 0 else { throw SystemFailure("starting \(launch.executable)", number: result) }
        return identifier
    }

    /// A process group of its own, no blocked signal, and the default reaction to those this program handles.
    private static func makeAttributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        var handled = sigset_t()
        sigemptyset(&handled)
        for signal in [SIGPIPE] + LiveSignals.handled { sigaddset(&handled, signal) }
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &handled)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }
}
