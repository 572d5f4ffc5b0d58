import Glibc
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict
@testable import Workbench

/// The real program, built beside these tests, started as a user would start it.
struct SimctlProcess {
    /// What a finished call left behind.
    struct Result {
        var end: ProcessEnd
        var output: String
        var errors: String

        var exitCode: ExitCode? {
            guard case .exited(let status) = end else { return nil }
            return ExitCode(rawValue: status)
        }
    }

    let process: LiveProcess
    private let folder: TestFolder

    /// Starts `simctl` in `folder`, which stays at least as long as this value. A process of it that has used
    /// `processorLimit` seconds of a processor is killed by SIGKILL. `redirection` is the shell's, such as
    /// `>/dev/full`; in a pipe the program's exit code counts.
    init(
        _ arguments: [String],
        in folder: TestFolder,
        environment: [String] = [],
        processorLimit: Int? = nil,
        redirection: String? = nil
    ) throws {
        self.folder = folder
        let limiter = processorLimit.map { ["prlimit", "--cpu=\($0)"] } ?? []
        let shell = redirection.map { ["bash", "-o", "pipefail", "-c", "\"$@\" \($0)", "bash"] } ?? []
        process = try LiveProcess(
            ProcessLaunch(
                executable: "/usr/bin/env",
                arguments: ["-C", folder.path] + shell + limiter + [try Self.executable()] + arguments,
                environment: ["PATH=/usr/bin:/bin", "LANG=C"] + environment
            )
        )
        process.closeInput()
    }

    /// Runs `simctl` to its end.
    static func run(
        _ arguments: [String],
        in folder: TestFolder,
        environment: [String] = [],
        processorLimit: Int? = nil,
        redirection: String? = nil
    ) throws -> Result {
        let process = try SimctlProcess(
            arguments,
            in: folder,
            environment: environment,
            processorLimit: processorLimit,
            redirection: redirection
        )
        return process.finish()
    }

    /// Waits for the end of the program.
    func finish() -> Result {
        defer { withExtendedLifetime(folder) {} }
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var isOpen = (output: true, errors: true)
        while isOpen.output || isOpen.errors {
            if isOpen.output { isOpen.output = Self.wait(process.output, &output) }
            if isOpen.errors { isOpen.errors = Self.wait(process.errors, &errors, timeout: isOpen.output ? 0 : -1) }
        }
        return Result(
            end: process.end(),
            output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self)
        )
    }

    /// Waits until the program has written its first line.
    func firstLine() -> String {
        var output: [UInt8] = []
        while !output.contains(WorkerLine.newline), Self.wait(process.output, &output) {}
        return String(decoding: output.prefix { $0 != WorkerLine.newline }, as: UTF8.self)
    }

    /// Waits until every one of so many workers has answered something, and gives their ids.
    func busyWorkers(_ count: Int) throws -> [pid_t] {
        while try children(of: process.identifier).count < count { sched_yield() }
        let workers = try children(of: process.identifier)
        for worker in workers { try waitUntilBusy(worker) }
        return workers
    }

    /// Waits until there is something to read and takes it; false at the end of the stream.
    private static func wait(_ descriptor: Int32, _ bytes: inout [UInt8], timeout: Int32 = 20) -> Bool {
        var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&interest, 1, timeout)
        guard let more = LivePipe.read(descriptor) else { return true }
        bytes += more
        return !more.isEmpty
    }

    /// The program lies beside the bundle of tests. Without it these tests fail: skipping would hide that it is missing.
    static func executable() throws -> String {
        let path = ownPath()
        let program = "\(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])/simctl"
        return try #require(access(program, X_OK) == 0 ? program : nil, "simctl is not built: looked for \(program)")
    }

    /// The program that runs these tests.
    private static func ownPath() -> String {
        guard let path = realpath("/proc/self/exe", nil) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }
}

/// The ids of the processes that a process's first thread has started and not collected.
func children(of identifier: pid_t) throws -> [pid_t] {
    let path = "/proc/\(identifier)/task/\(identifier)/children"
    let bytes = try FileBytes.read(path: path, limitBytes: 65_536)
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
}

/// Waits until a worker has answered something.
func waitUntilBusy(_ worker: pid_t) throws {
    try wait(for: worker, toWriteMoreThan: WorkerLine.encode(WorkerResponse.ready).count)
}

/// Waits until a process has written more than so many bytes, to whatever it writes to.
func wait(for process: pid_t, toWriteMoreThan bytes: Int) throws {
    while true {
        let text = String(decoding: try FileBytes.read(path: "/proc/\(process)/io", limitBytes: 4_096), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
        if let line, let written = Int(line.dropFirst(7)), written > bytes { return }
        sched_yield()
    }
}

/// Whether a process has ended and only waits to be collected.
func isZombie(_ identifier: pid_t) -> Bool {
    guard let bytes = try? FileBytes.read(path: "/proc/\(identifier)/stat", limitBytes: 4_096) else { return true }
    return String(decoding: bytes, as: UTF8.self).contains(") Z ")
}

/// A scenario in which little happens: one person, one merge request, one comment.
func makeScenarioText(
    name: String = "tiny",
    seed: Int = 7,
    duration: String = "1h",
    timeline: String =
        #"{ "at": "10m", "action": "comment", "body": "Looks good.", "on": "team/app!1", "by": "@bob" }"#,
    expect: String = #"{ "delivery": ">= 99%" }"#
) -> String {
    """
    {
      "name": "\(name)", "description": "Colleagues comment.", "seed": \(seed), "duration": "\(duration)",
      "start": "2026-03-02T08:00:00Z",
      "world": {
        "people": [
          { "username": "@ann", "name": "Ann",
            "notified": { "devices": [{ "name": "phone" }], "watches": ["team/app!1"] } },
          { "username": "@bob", "name": "Bob" }
        ],
        "projects": [{
          "path": "team/app",
          "members": [
            { "username": "@ann", "role": "developer" }, { "username": "@bob", "role": "developer" }
          ],
          "mergeRequests": [{ "iid": 1, "title": "One", "author": "@ann" }]
        }]
      },
      "timeline": [\(timeline)],
      "expect": [\(expect)]
    }
    """
}
