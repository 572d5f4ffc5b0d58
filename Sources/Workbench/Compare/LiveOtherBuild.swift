import Glibc
import Verdict

/// Another build of this program, run as a user would run it.
struct LiveOtherBuild {
    /// As it was named.
    var program: String
    var environment: InheritedEnvironment

    /// What is kept of what it says.
    private static let saidLimitBytes = 16_384

    /// - Throws: `ProgramError` when there is no such program.
    func check() throws(ProgramError) {
        var status = stat()
        let isFile = stat(program, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard isFile, access(program, X_OK) == 0 else {
            throw ProgramError(.badValue, "there is no program \(program)", hint: "--with-simctl .build/release/simctl")
        }
    }

    /// Runs it to its end.
    ///
    /// - Throws: `ProgramError` when it judged nothing, or was interrupted.
    func run(_ arguments: [String], signals: LiveSignals) throws(ProgramError) {
        let process: LiveProcess
        do throws(SystemFailure) {
            process = try LiveProcess(
                ProcessLaunch(
                    executable: absolutePath(program),
                    arguments: arguments,
                    environment: WorkerEnvironment.fixed(environment)
                )
            )
        } catch {
            throw error.programError
        }
        process.closeInput()
        let said = try listen(to: process, signals)
        let end = process.end()
        if case .exited(let status) = end, let code = ExitCode(rawValue: status), VariantRuns.isVerdict(code) { return }
        let how =
            switch end {
            case .exited(let status): "exit code \(status)"
            case .signalled(let signal): "signal \(signal)"
            }
        let first = String(decoding: said, as: UTF8.self).split(separator: "\n").first.map { ": \($0)" } ?? ""
        throw ProgramError(
            .workerFailed,
            "\(program) judged nothing (\(how))\(first)",
            hint: "simctl run by itself shows what it says"
        )
    }

    /// What it writes to standard error, the beginning.
    private func listen(to process: LiveProcess, _ signals: LiveSignals) throws(ProgramError) -> [UInt8] {
        var said: [UInt8] = []
        var isOpen = (output: true, errors: true)
        while isOpen.output || isOpen.errors {
            var interests = [pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)]
            if isOpen.output { interests.append(pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)) }
            if isOpen.errors { interests.append(pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0)) }
            poll(&interests, nfds_t(interests.count), 1_000)
            guard !signals.isInterrupted else { throw WorkerPool.interrupted }
            if isOpen.output, let bytes = LivePipe.read(process.output) { isOpen.output = !bytes.isEmpty }
            if isOpen.errors, let bytes = LivePipe.read(process.errors) {
                isOpen.errors = !bytes.isEmpty
                said += bytes.prefix(max(0, Self.saidLimitBytes - said.count))
            }
        }
        return said
    }
}
