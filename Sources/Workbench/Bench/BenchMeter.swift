import Glibc
import Platform
import Scenarios
import Verdict

/// Takes the measurements of `bench`, each in a fresh process.
struct BenchMeter {
    private static let timeLimit = Duration.seconds(600)

    var environment: InheritedEnvironment
    var signals: LiveSignals

    /// Runs the scenario with its own seed several times in one worker.
    func measure(_ scenario: Scenario, repeats: Int) throws(ProgramError) -> RunMeasurement {
        let source = ScenarioSource(file: scenario.name, text: scenario.json)
        var pool = WorkerPool(
            count: 1,
            preamble: [.load(scenario: 0, source: source)],
            timeLimit: Self.timeLimit,
            signals: signals,
            launch: { _ in launch(["worker"]) }
        )
        var measured: RunMeasurement?
        let order = RunOrder(scenario: 0, seed: scenario.seed)
        try pool.run([.measure(order, repeats: repeats)]) { (_, outcome) throws(ProgramError) in
            measured = try Self.measurement(outcome, of: scenario)
            return []
        }
        guard let measured else { throw WorkerResponse.unexpected }
        return measured
    }

    /// Median time from starting `simctl run` to the first byte of its output.
    func firstLineMilliseconds(file: String, repeats: Int) throws(ProgramError) -> Double {
        var samples: [Int64] = []
        for _ in 0..<repeats { samples.append(try firstByte(file: file).wholeNanoseconds) }
        return Double(samples.sorted()[samples.count / 2]) / 1e6
    }

    /// Time of one whole `simctl run`.
    func runSeconds(file: String, seeds: String, jobs: Int) throws(ProgramError) -> Double {
        let folder = try LiveTemporaryFolder()
        defer { folder.remove() }
        let start = LiveClock.now
        let process = try spawn(["run", file, "--seeds", seeds, "--jobs", "\(jobs)", "--out", folder.path + "/report"])
        try drain(process, until: { _ in false })
        let seconds = Double(start.duration(to: LiveClock.now).wholeNanoseconds) / 1e9
        // A verdict that is not a pass takes its time as well; anything worse would be a measurement of nothing.
        guard case .exited(let status) = process.end(), (0...2).contains(status) else {
            throw ProgramError(.workerFailed, "simctl run \(file) --seeds \(seeds) did not come to a verdict")
        }
        return seconds
    }

    private func firstByte(file: String) throws(ProgramError) -> Duration {
        let folder = try LiveTemporaryFolder()
        defer { folder.remove() }
        let start = LiveClock.now
        let process = try spawn(["run", file, "--out", folder.path + "/report"])
        var first: Duration?
        try drain(process) { bytes in
            first = first ?? (bytes.isEmpty ? nil : start.duration(to: LiveClock.now))
            return first != nil
        }
        // Asked to end, not killed, so that it ends its own workers.
        kill(process.identifier, SIGTERM)
        try drain(process) { _ in false }
        guard let first else { throw ProgramError(.workerFailed, "simctl run \(file) printed nothing") }
        return first
    }

    private func spawn(_ arguments: [String]) throws(ProgramError) -> LiveProcess {
        do throws(SystemFailure) {
            return try LiveProcess(launch(arguments))
        } catch {
            throw error.programError
        }
    }

    /// Reads what the process prints until `isEnough` says so or its output ends.
    private func drain(_ process: LiveProcess, until isEnough: ([UInt8]) -> Bool) throws(ProgramError) {
        while true {
            var interests = [process.output, signals.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&interests, nfds_t(interests.count), -1)
            guard !signals.isInterrupted else {
                kill(process.identifier, SIGTERM)
                throw WorkerPool.interrupted
            }
            _ = LivePipe.read(process.errors)
            guard let bytes = LivePipe.read(process.output) else { continue }
            if bytes.isEmpty || isEnough(bytes) { return }
        }
    }

    private static func measurement(
        _ outcome: WorkerPool.Outcome,
        of scenario: Scenario
    ) throws(ProgramError) -> RunMeasurement {
        switch outcome {
        case .crash(let crash):
            throw ProgramError(.workerFailed, "\(scenario.name) crashed (\(crash.cause)): \(crash.text.prefix(2_000))")
        case .answer(let line):
            guard case .measured(let measurement) = try WorkerResponse(line: line) else {
                throw WorkerResponse.unexpected
            }
            return measurement
        }
    }

    private func launch(_ arguments: [String]) -> ProcessLaunch {
        ProcessLaunch(
            executable: ProcessLaunch.ownExecutable,
            arguments: arguments,
            environment: WorkerEnvironment.fixed(environment)
        )
    }
}

extension RunMeasurement {
    /// The middle one of the repetitions.
    var medianSeconds: Double {
        let sorted = wallNanoseconds.sorted()
        return sorted.isEmpty ? 0 : Double(sorted[sorted.count / 2]) / 1e9
    }

    /// How often GitLab was asked for one person in one virtual hour, on average.
    var requestsPerPersonHour: Double {
        let hours = Double(simulatedNanoseconds) / 3_600e9
        return hours > 0 && people > 0 ? Double(gitlabRequests) / Double(people) / hours : 0
    }

    /// The fastest repetition's real time per virtual hour: the one least disturbed by the machine.
    var fastestSecondsPerHour: Double {
        let hours = Double(simulatedNanoseconds) / 3_600e9
        return hours > 0 ? Double(wallNanoseconds.min() ?? 0) / 1e9 / hours : 0
    }
}
