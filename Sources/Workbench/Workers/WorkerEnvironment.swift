/// The environment a worker runs in: fixed, so that nothing of the machine's own can shift a run.
enum WorkerEnvironment {
    /// How a crash is told: on standard error, without colours, questions or what is not needed.
    static let backtrace =
        "SWIFT_BACKTRACE=enable=yes,color=no,interactive=no,output-to=stderr,threads=crashed,registers=none,images=none,"
        + "limit=32,top=8,sanitize=yes,cache=no,timeout=30s"

    /// Hash values that do not vary are a belt beside the braces: `doctor` runs without them.
    private static let fixedHashes = "SWIFT_DETERMINISTIC_HASHING=1"

    /// For `run` and `bench`.
    static func fixed(_ inherited: InheritedEnvironment) -> [String] {
        make(inherited, zone: "UTC", language: "C.UTF-8", home: "/nonexistent") + [fixedHashes]
    }

    /// For `doctor`: without fixed hashes, in the time zone, language and home folder given.
    static func varied(_ inherited: InheritedEnvironment, zone: String, language: String, home: String) -> [String] {
        make(inherited, zone: zone, language: language, home: home)
    }

    private static func make(
        _ inherited: InheritedEnvironment,
        zone: String,
        language: String,
        home: String
    ) -> [String] {
        inherited.loaderVariables + [
            backtrace, "HOME=\(home)", "LANG=\(language)", "LC_ALL=\(language)", "PATH=/usr/bin:/bin", "TZ=\(zone)",
        ]
    }
}

extension ProcessLaunch {
    /// A worker of this very program, in the environment that every run has.
    static func worker(_ inherited: InheritedEnvironment) -> ProcessLaunch {
        ProcessLaunch(
            executable: ownExecutable,
            arguments: ["worker"],
            environment: WorkerEnvironment.fixed(inherited)
        )
    }
}
