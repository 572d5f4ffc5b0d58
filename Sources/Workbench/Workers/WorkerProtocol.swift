import FoundationEssentials
import JSON
import Verdict

/// What `simctl` asks of a worker, one JSON object per line. A worker answers every request but `load` with one line, in order.
enum WorkerRequest: Codable, Equatable, Sendable {
    /// Keeps a scenario for later requests: the text that was checked, so that a file changed meanwhile changes nothing.
    case load(scenario: Int, source: ScenarioSource)
    /// Runs and judges one seed.
    case judge(RunOrder)
    /// Runs one of so many seeds again and writes everything known about it into a folder that exists.
    case detail(RunOrder, seedCount: Int, folder: String)
    /// Runs several seeds one after the other for their digests.
    case digests(DigestOrder)
    /// Runs one seed several times and measures.
    case measure(RunOrder, repeats: Int)
    /// Runs one seed and counts how often the notifier reaches each durable step until then.
    case countSteps(RunOrder, untilMilliseconds: Int64)
}

/// One run: a loaded scenario by its number, and how to run it.
struct RunOrder: Codable, Equatable, Sendable {
    var scenario: Int
    var seed: UInt64
    var exploresSchedules = false
    /// How often the notifier's metrics are asked for, in milliseconds; nil for never.
    var metricsEveryMilliseconds: Int64?
    /// Whether the judgement says what was told to whom.
    var tellsFacts = false
}

/// Runs in one process whose digests are to be compared with those of other processes.
struct DigestOrder: Codable, Equatable, Sendable {
    var scenario: Int
    /// In the order in which they are run.
    var seeds: [UInt64]
    /// Number of the environment the process runs in.
    var environment: Int
    /// Where the trace of the last run goes; nil to keep none.
    var trace: String?
}

/// The text of a scenario and where it came from.
struct ScenarioSource: Codable, Equatable, Sendable {
    /// The path as it was given, for messages.
    var file: String
    var text: String
}

/// What a worker says. Its first line is `ready`.
enum WorkerResponse: Codable, Sendable {
    case ready
    case judged(SeedResult)
    case detailed(digest: String)
    /// In the order of the seeds.
    case digested([RunDigest])
    case measured(RunMeasurement)
    case counted(StepCounts)
    /// The request cannot be carried out; the worker goes on.
    case failed(message: String)
}

extension WorkerResponse {
    /// What a worker's line says.
    ///
    /// - Throws: `ProgramError` when it says that the request failed, or is no answer at all.
    init(line: [UInt8]) throws(ProgramError) {
        do {
            self = try WorkerLine.decode(WorkerResponse.self, from: line)
        } catch {
            throw ProgramError(.workerFailed, "a worker's answer cannot be read: \(error)")
        }
        if case .failed(let message) = self { throw ProgramError(.workerFailed, message) }
    }

    /// For an answer to another question than the one asked.
    static var unexpected: ProgramError { ProgramError(.workerFailed, "a worker gave an answer to another request") }
}

/// How often a run reaches each durable step, by the steps' stable names.
struct StepCounts: Codable, Equatable, Sendable {
    var all: [String: Int] = [:]
    /// How often it had each time the process was started again.
    var beforeStarts: [[String: Int]] = []
}

/// What `doctor` wants to know of a run.
struct RunDigest: Codable, Equatable, Sendable {
    var seed: UInt64
    var digest: String
    /// Sentences about jobs that left the simulation's queue.
    var strayJobs: [String]
}

/// What `bench` wants to know of a run: the fastest and the median of several.
struct RunMeasurement: Codable, Equatable, Sendable {
    /// Real time of each repetition in the order made: planning, running and judging one seed.
    var wallNanoseconds: [Int64]
    /// Virtual time that passed in one run.
    var simulatedNanoseconds: Int64
    /// Jobs run and events fired in one run.
    var steps: Int64
    /// Requests to GitLab in one run, and the people for whom they were.
    var gitlabRequests = 0
    var people = 0
    /// The most memory the worker ever held.
    var peakBytes: Int64
}

/// Lines of the protocol.
enum WorkerLine {
    /// Longer lines are refused, in both directions.
    static let limitBytes = 256 * 1_024 * 1_024
    static let newline = UInt8(ascii: "\n")

    /// The value as one line of JSON, its end included.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        try DeterministicJSON.bytes(value) + [newline]
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from line: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line))
    }
}

/// Cuts a stream of bytes into lines.
struct LineBuffer {
    private var bytes: [UInt8] = []
    private var searched = 0

    /// Bytes of the line that has not ended yet.
    var pendingBytes: Int { bytes.count }

    mutating func append(_ more: [UInt8]) {
        bytes += more
    }

    /// The next whole line without its end; nil when there is none yet.
    mutating func next() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: WorkerLine.newline) else {
            searched = bytes.count
            return nil
        }
        let line = Array(bytes[..<end])
        bytes.removeFirst(end + 1)
        searched = 0
        return line
    }
}
