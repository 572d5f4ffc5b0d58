import Glibc
import Verdict

/// A worker that died while it carried out a request: a finding about the product, told by the runtime's own words.
struct WorkerCrash: Equatable, Sendable {
    /// Of what it wrote to standard error, the last so many bytes are kept.
    static let textLimitBytes = 64 * 1_024

    /// Such as `SIGILL`, or `exit status 3` for a worker that left by itself.
    var cause: String
    /// What it wrote to standard error: the fatal error and the backtrace.
    var text: String

    init(_ end: ProcessEnd, errors: [UInt8]) {
        switch end {
        case .exited(let status): cause = "exit status \(status)"
        case .signalled(let number): cause = Self.names[number] ?? "signal \(number)"
        }
        text = String(decoding: errors.suffix(Self.textLimitBytes), as: UTF8.self)
    }

    /// What it died of in one line: the runtime's sentence about the fatal error when there is one, and the signal.
    var message: String {
        let sentence = text.split(separator: "\n").lazy.map(String.init).first { $0.contains("Fatal error") }
        return sentence.map { "\($0) (\(cause))" } ?? cause
    }

    /// Signals that end a process without asking.
    private static let names: [Int32: String] = [
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
        SIGSEGV: "SIGSEGV", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU",
    ]
}

extension SeedCrash {
    /// The finding that a worker's death under that seed is.
    init(_ crash: WorkerCrash, seed: UInt64) {
        self.init(seed: seed, message: crash.message, backtrace: crash.text)
    }
}
