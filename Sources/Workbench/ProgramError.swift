import JSON
import Scenarios
import Verdict

/// Why a command cannot be carried out: a stable code, a plain sentence, and the next step.
struct ProgramError: Error, Sendable, Equatable {
    /// Stable names of what can go wrong; they stand in `--json` and in tests.
    enum Code: String, Sendable, CaseIterable {
        case unknownCommand = "unknown-command"
        case unknownFlag = "unknown-flag"
        case missingValue = "missing-value"
        case unexpectedValue = "unexpected-value"
        case badValue = "bad-value"
        case repeatedFlag = "repeated-flag"
        case conflictingFlags = "conflicting-flags"
        case missingOperand = "missing-operand"
        case unexpectedOperand = "unexpected-operand"
        case repeatedScenario = "repeated-scenario"
        case outIsAFile = "out-is-a-file"
        case outNotAReport = "out-not-a-report"
        case outNotWritable = "out-not-writable"
        case invalidScenario = "invalid-scenario"
        case noScenarios = "no-scenarios"
        case unreadableReport = "unreadable-report"
        case unreadableBundle = "unreadable-bundle"
        case notComparable = "not-comparable"
        case shardMismatch = "shard-mismatch"
        case shardMissing = "shard-missing"
        case shardRepeated = "shard-repeated"
        case tooLittleMemory = "too-little-memory"
        case unknownActivity = "unknown-activity"
        case notDeterministic = "not-deterministic"
        case workerFailed = "worker-failed"
        case timeLimitExceeded = "time-limit-exceeded"
        case interrupted = "interrupted"
        case nothingToShrink = "nothing-to-shrink"
        case reportNotWritten = "report-not-written"
        case system = "system"

        /// The exit code that goes with it.
        var exitCode: ExitCode {
            switch self {
            case .unknownCommand, .unknownFlag, .missingValue, .unexpectedValue, .badValue, .repeatedFlag,
                .conflictingFlags, .missingOperand, .unexpectedOperand, .repeatedScenario, .outIsAFile, .outNotAReport,
                .outNotWritable, .unknownActivity, .nothingToShrink:
                .usage
            case .invalidScenario, .noScenarios, .unreadableReport, .unreadableBundle, .notComparable,
                .shardMismatch, .shardMissing, .shardRepeated:
                .invalidInput
            case .notDeterministic: .notDeterministic
            case .workerFailed, .reportNotWritten, .tooLittleMemory, .system: .internalError
            case .timeLimitExceeded: .timeLimit
            case .interrupted: .interrupted
            }
        }
    }

    var code: Code
    /// A plain sentence, safe to show anyone.
    var message: String
    /// What to do about it; nil when there is nothing to add.
    var hint: String?
    /// What is wrong with scenario files, when that is the reason.
    var problems: [Problem]

    init(_ code: Code, _ message: String, hint: String? = nil, problems: [Problem] = []) {
        self.code = code
        self.message = message
        self.hint = hint
        self.problems = problems
    }

    /// For people, on standard error.
    var text: String {
        var lines = problems.map(\.text)
        lines.append("simctl: error: \(message) [\(code.rawValue)]")
        if let hint { lines.append("  hint: \(hint)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For programs: an object with `code`, `message`, `hint`, and `problems` when there are any.
    var json: JSONValue {
        var members = [
            JSONMember("code", .string(code.rawValue)),
            JSONMember("hint", hint.map(JSONValue.string) ?? .null),
            JSONMember("message", .string(message)),
        ]
        if !problems.isEmpty { members.append(JSONMember("problems", .array(problems.map(\.json)))) }
        return .object(members)
    }
}
