import Verdict

/// Runs one scenario in processes of different circumstances, each process fresh.
struct DoctorProber {
    enum Outcome: Equatable {
        case digests([RunDigest])
        case crash(WorkerCrash)
    }

    var source: ScenarioSource
    var environment: InheritedEnvironment
    var timeLimit: Duration
    var signals: LiveSignals

    /// One outcome per order, in their order.
    func run(_ orders: [DigestOrder]) throws(ProgramError) -> [Outcome] {
        var outcomes = orders.map { _ in Outcome.digests([]) }
        var pool = WorkerPool(
            count: LiveEnvironment.coreCount,
            preamble: [.load(scenario: 0, source: source)],
            timeLimit: timeLimit,
            signals: signals,
            usesFreshWorkers: true,
            launch: launch
        )
        try pool.run(orders.map(WorkerRequest.digests)) { (request, result) throws(ProgramError) in
            guard case .digests(let order) = request, let index = orders.firstIndex(of: order) else { return [] }
            outcomes[index] = try Self.outcome(result, of: order)
            return []
        }
        return outcomes
    }

    private static func outcome(
        _ result: WorkerPool.Outcome,
        of order: DigestOrder
    ) throws(ProgramError) -> Outcome {
        switch result {
        case .crash(let crash): return .crash(crash)
        case .answer(let line):
            guard case .digested(let digests) = try WorkerResponse(line: line), digests.map(\.seed) == order.seeds
            else {
                throw WorkerResponse.unexpected
            }
            return .digests(digests)
        }
    }

    private func launch(for request: WorkerRequest) -> ProcessLaunch {
        var number = 0
        if case .digests(let order) = request { number = order.environment }
        let varied = DoctorPlan.environments[number]
        return ProcessLaunch(
            executable: ProcessLaunch.ownExecutable,
            arguments: ["worker"],
            environment: WorkerEnvironment.varied(
                environment,
                zone: varied.zone,
                language: varied.language,
                home: varied.home
            )
        )
    }
}
