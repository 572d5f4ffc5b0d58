import Glibc
import Platform
import Scenarios
import Verdict

/// Carries out requests in worker processes, each worker pulling the next request as soon as it has answered the last, so
/// that no core waits for another.
///
/// A worker that dies takes one request with it, which is an outcome like any other; a new one takes its place. When `run`
/// returns or throws, no worker is left.
struct WorkerPool {
    /// What became of a request.
    enum Outcome: Equatable {
        /// The worker's line.
        case answer([UInt8])
        case crash(WorkerCrash)
    }

    /// What to start for a request.
    var launch: (WorkerRequest) -> ProcessLaunch
    /// Whether a worker carries out one request and is replaced, instead of going on with the next.
    var usesFreshWorkers: Bool
    /// At most this many workers.
    var count: Int
    /// What every worker is told first: the scenarios.
    var preamble: [WorkerRequest]
    /// Longest real time for one request.
    var timeLimit: Duration
    var signals: LiveSignals
    /// Called now and then while requests are carried out, at least every 100 ms.
    var onTick: () -> Void = {}

    private var workers: [PoolWorker] = []
    private var waiting: [WorkerRequest] = []
    private var encodedPreamble: [UInt8] = []

    init(
        count: Int,
        preamble: [WorkerRequest],
        timeLimit: Duration,
        signals: LiveSignals,
        usesFreshWorkers: Bool = false,
        onTick: @escaping () -> Void = {},
        launch: @escaping (WorkerRequest) -> ProcessLaunch
    ) {
        self.launch = launch
        self.usesFreshWorkers = usesFreshWorkers
        self.count = count
        self.preamble = preamble
        self.timeLimit = timeLimit
        self.signals = signals
        self.onTick = onTick
    }

    /// Carries out all of `requests`, starting them in their order, and hands each outcome over as it comes. Requests
    /// that `finished` returns are carried out next.
    ///
    /// - Throws: `ProgramError`: interrupted, a request over the time limit, a worker that cannot be started.
    mutating func run(
        _ requests: [WorkerRequest],
        finished: (WorkerRequest, Outcome) throws(ProgramError) -> [WorkerRequest]
    ) throws(ProgramError) {
        waiting = requests.reversed()
        encodedPreamble = []
        for request in preamble { encodedPreamble += try Self.encode(request) }
        defer { workers = [] }
        while true {
            try staff()
            guard !workers.isEmpty else { return }
            wait()
            guard !signals.isInterrupted else { throw Self.interrupted }
            for worker in workers {
                for event in worker.advance() { try handle(event, of: worker, finished: finished) }
            }
            try checkTime()
            onTick()
        }
    }

    static let interrupted = ProgramError(.interrupted, "interrupted; nothing more was reported")

    private static func encode(_ request: WorkerRequest) throws(ProgramError) -> [UInt8] {
        do {
            return try WorkerLine.encode(request)
        } catch {
            throw ProgramError(.workerFailed, "a request could not be written: \(error)")
        }
    }

    /// Gives every idle worker the next request, hires while there is more to do, and lets go who has nothing to do.
    private mutating func staff() throws(ProgramError) {
        for worker in workers where worker.current == nil && !usesFreshWorkers {
            if worker.process.hasEnded { throw Self.diedIdle(WorkerCrash(worker.process.end(), errors: worker.errors)) }
            guard let request = waiting.popLast() else { continue }
            worker.assign(request, encoded: try Self.encode(request), now: LiveClock.now)
        }
        workers.removeAll { $0.current == nil }
        while workers.count < count, let request = waiting.popLast() {
            let worker: PoolWorker
            do throws(SystemFailure) {
                worker = try PoolWorker(launch(request), preamble: encodedPreamble)
            } catch {
                throw error.programError
            }
            worker.assign(request, encoded: try Self.encode(request), now: LiveClock.now)
            workers.append(worker)
        }
    }

    private func wait() {
        var interests = [pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)]
        for worker in workers { interests += worker.interests }
        poll(&interests, nfds_t(interests.count), 100)
    }

    private mutating func handle(
        _ event: PoolWorker.Event,
        of worker: PoolWorker,
        finished: (WorkerRequest, Outcome) throws(ProgramError) -> [WorkerRequest]
    ) throws(ProgramError) {
        switch event {
        case .answer(let request, let line):
            waiting += try finished(request, .answer(line)).reversed()
        case .ended(let request, let end):
            workers.removeAll { $0 === worker }
            let crash = WorkerCrash(end, errors: worker.errors)
            guard worker.isReady else { throw Self.failedToStart(crash) }
            guard let request else { throw Self.diedIdle(crash) }
            waiting += try finished(request, .crash(crash)).reversed()
        case .misbehaved(let how):
            throw ProgramError(.workerFailed, "a worker broke the protocol: \(how)")
        }
    }

    private static func failedToStart(_ crash: WorkerCrash) -> ProgramError {
        let said = crash.text.split(separator: "\n").first.map { ": \($0)" } ?? ""
        return ProgramError(.workerFailed, "a worker could not start (\(crash.cause))\(said)")
    }

    /// A death that belongs to no request would otherwise go unheard.
    private static func diedIdle(_ crash: WorkerCrash) -> ProgramError {
        ProgramError(.workerFailed, "a worker died after its answer, before it was asked again (\(crash.message))")
    }

    private func checkTime() throws(ProgramError) {
        let now = LiveClock.now
        for worker in workers {
            guard let current = worker.current, current.since.duration(to: now) > timeLimit else { continue }
            throw ProgramError(
                .timeLimitExceeded,
                "\(current.request.subject) took longer than \(DurationNotation.text(timeLimit)); nothing more was reported",
                hint: "raise --time-limit, or run that seed alone to see whether it hangs"
            )
        }
    }
}

extension WorkerRequest {
    /// What it is about, in words.
    fileprivate var subject: String {
        switch self {
        case .load: "loading"
        case .judge(let order), .detail(let order, _, _), .measure(let order, _), .countSteps(let order, _):
            "seed \(order.seed)"
        case .digests(let order): "seed \(order.seeds.last ?? 0)"
        }
    }
}
