/// What `doctor` runs for one scenario: the same seed in circumstances that must make no difference.
enum DoctorPlan {
    /// The circumstances of a process.
    struct Environment {
        var zone: String
        var language: String
        var home: String
    }

    /// One process of the plan.
    struct Process: Equatable {
        /// How it differs, for people: "seed 7 ...".
        var circumstance: String
        var environment: Int
        /// Added to the scenario's seed, in the order of the runs.
        var seedOffsets: [UInt64]
    }

    /// Zones are written in full, so that they do not depend on the machine's own table of zones.
    static let environments = [
        Environment(zone: "UTC", language: "C.UTF-8", home: "/nonexistent"),
        Environment(zone: "CHAST-12:45", language: "tr_TR.UTF-8", home: "/"),
        Environment(zone: "NST3:30", language: "C", home: "/tmp"),
    ]

    /// The first run of the first process is what all others are compared with.
    static let processes = [
        Process(circumstance: "again in the same process", environment: 0, seedOffsets: [0, 0]),
        Process(circumstance: "in a process twelve hours ahead of UTC, in Turkish", environment: 1, seedOffsets: [0]),
        Process(circumstance: "in a process behind UTC, with another home folder", environment: 2, seedOffsets: [0]),
        Process(circumstance: "after another seed", environment: 0, seedOffsets: [1, 0]),
    ]

    /// Runs of the scenario's own seed.
    static var runCount: Int { processes.reduce(0) { $0 + $1.seedOffsets.count { $0 == 0 } } }

    /// What to ask of the worker of that process.
    static func order(_ process: Int, scenario: Int, seed: UInt64, trace: String? = nil) -> DigestOrder {
        DigestOrder(
            scenario: scenario,
            seeds: processes[process].seedOffsets.map { neighbour(of: seed, $0) },
            environment: processes[process].environment,
            trace: trace
        )
    }

    /// One run alone in a fresh process, the reference of every comparison.
    static func referenceOrder(scenario: Int, seed: UInt64, trace: String) -> DigestOrder {
        DigestOrder(scenario: scenario, seeds: [seed], environment: 0, trace: trace)
    }

    private static func neighbour(of seed: UInt64, _ offset: UInt64) -> UInt64 {
        seed < SeedSelection.maximumSeed ? seed + offset : seed - offset
    }
}
