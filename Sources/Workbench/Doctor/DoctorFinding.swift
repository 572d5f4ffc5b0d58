import JSON
import Scenarios
import Verdict

/// What `doctor` found out about one scenario.
struct DoctorFinding: Equatable {
    /// One process whose runs were not like the reference.
    struct Difference: Equatable {
        var process: Int
        var expected: String
        var found: String
        /// Where the traces part; nil when they could not be told apart when the runs were repeated.
        var place: TraceDifference?
    }

    var file: String
    var name: String
    var seed: UInt64
    /// The digest of the first run.
    var digest: String?
    var differences: [Difference] = []
    /// Sentences, each once.
    var strayJobs: [String] = []
    var crashes: [WorkerCrash] = []

    var exitCode: ExitCode {
        if !differences.isEmpty { return .notDeterministic }
        return strayJobs.isEmpty && crashes.isEmpty ? .met : .invariantBroken
    }

    /// Notes the runs of one process. The first process must come first.
    mutating func take(_ digests: [RunDigest], process: Int) {
        for stray in digests.flatMap(\.strayJobs) where !strayJobs.contains(stray) { strayJobs.append(stray) }
        let own = digests.filter { $0.seed == seed }
        let expected = digest ?? own.first?.digest
        digest = expected
        guard let expected, let other = own.first(where: { $0.digest != expected }) else { return }
        differences.append(Difference(process: process, expected: expected, found: other.digest))
    }

    /// One line when all is well, more when not.
    var text: String {
        guard exitCode != .met else {
            return "\(name)  deterministic  \(DoctorPlan.runCount) runs of seed \(seed)  digest \(digest ?? "")\n"
        }
        let lines = differences.map(text) + strayJobs.map { "  a job left the simulation's queue: \($0)\n" }
        let crashed = crashes.map {
            "  crashed: \($0.cause)\n" + indented($0.text.split(separator: "\n").map(String.init))
        }
        let heading = differences.isEmpty ? "deterministic, but" : "NOT DETERMINISTIC"
        return "\(name)  \(heading)  seed \(seed)\n" + (lines + crashed).joined()
    }

    var json: JSONValue {
        .object([
            JSONMember("crashes", .strings(crashes.map(\.cause))),
            JSONMember("deterministic", .bool(differences.isEmpty)),
            JSONMember("differences", .array(differences.map(json))),
            JSONMember("digest", digest.map(JSONValue.string) ?? .null),
            JSONMember("file", .string(file)),
            JSONMember("scenario", .string(name)),
            JSONMember("seed", .number(String(seed))),
            JSONMember("strayJobs", .strings(strayJobs)),
        ])
    }

    private func text(_ difference: Difference) -> String {
        let circumstance = DoctorPlan.processes[difference.process].circumstance
        let first = "  \(circumstance): \(difference.found) instead of \(difference.expected)\n"
        guard let place = difference.place else {
            return first + "  The traces of a repetition are equal: it differs only sometimes.\n"
        }
        return first + "  The first event that differs is number \(place.event).\n  alone:\n" + indented(place.left)
            + "  \(circumstance):\n" + indented(place.right)
    }

    private func indented(_ lines: [String]) -> String {
        lines.map { "    \($0)\n" }.joined()
    }

    private func json(_ difference: Difference) -> JSONValue {
        .object([
            JSONMember("circumstance", .string(DoctorPlan.processes[difference.process].circumstance)),
            JSONMember("event", difference.place.map { .integer(Int64($0.event)) } ?? .null),
            JSONMember("expected", .string(difference.expected)),
            JSONMember("found", .string(difference.found)),
            JSONMember("left", .strings(difference.place?.left ?? [])),
            JSONMember("right", .strings(difference.place?.right ?? [])),
        ])
    }
}
