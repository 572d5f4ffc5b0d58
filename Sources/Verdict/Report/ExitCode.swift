/// What `simctl` tells its caller. The numbers are stable; `--help` prints this table.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case met = 0
    case failed = 1
    case insufficientEvidence = 2
    case invariantBroken = 3
    case notDeterministic = 4
    case usage = 64
    case invalidInput = 65
    case internalError = 70
    case timeLimit = 124
    case interrupted = 130

    /// One line for the help text.
    package var summary: String {
        switch self {
        case .met: "all requirements met"
        case .failed: "a requirement failed, or the notifier crashed"
        case .insufficientEvidence: "insufficient evidence: nothing failed, but something is not proven"
        case .invariantBroken: "an invariant broke"
        case .notDeterministic: "not deterministic: the same seed gave two different runs"
        case .usage: "wrong arguments"
        case .invalidInput: "invalid scenario or input file"
        case .internalError: "internal error of simctl, or of the machine it runs on"
        case .timeLimit: "a seed took longer than --time-limit"
        case .interrupted: "interrupted (Ctrl-C or a request to end); nothing was reported"
        }
    }

    /// The code of several results together: the one that matters most, so that a broken tool is never hidden behind a
    /// failed requirement, nor a failure behind missing evidence. `met` for none.
    package static func worst(of codes: some Sequence<ExitCode>) -> ExitCode {
        codes.min { $0.rank < $1.rank } ?? .met
    }

    /// 0 is the worst.
    private var rank: Int {
        switch self {
        case .interrupted: 0
        case .timeLimit: 1
        case .internalError: 2
        case .usage: 3
        case .invalidInput: 4
        case .notDeterministic: 5
        case .invariantBroken: 6
        case .failed: 7
        case .insufficientEvidence: 8
        case .met: 9
        }
    }
}
