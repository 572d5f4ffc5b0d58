import Glibc
import Platform
import Scenarios
import Verdict

/// The report of a shard with what `simctl merge` needs besides: whose part it is, and the whole result of each seed.
///
/// A report keeps sums and rounded histograms; percentiles over all seeds are exact ranks, so the latencies themselves have to
/// cross.
struct ShardFolder: Sendable {
    static let manifestName = "shard.json"
    static let resultsName = "shard-results.jsonl"
    /// A scenario's text with all its characters escaped, and a little more.
    private static let manifestLimitBytes = 8 * ScenarioReader.limitBytes

    /// As it was named; empty for one that is still to be written.
    var path: String
    var manifest: ShardManifest
    /// By seed.
    var results: [SeedResult] = []
    var crashes: [SeedCrash] = []

    /// A line of the results.
    private enum Line: Codable {
        case result(SeedResult)
        case crash(SeedCrash)
    }

    /// The version alone, which every version of the manifest begins with.
    private struct Version: Decodable {
        var formatVersion: Int
    }

    // MARK: writing

    /// A shard that was just run and has no folder yet.
    init(_ manifest: ShardManifest, results: [SeedResult], crashes: [SeedCrash]) {
        path = ""
        self.manifest = manifest
        self.results = results
        self.crashes = crashes
    }

    /// Writes the two files into a folder that exists.
    func write(to folder: String) throws(ProgramError) {
        do {
            var lines = (results.map(Line.result) + crashes.map(Line.crash))[...]
            var digest = RunningDigest()
            try LiveFile.write(to: "\(folder)/\(Self.resultsName)") {
                let line = try lines.popFirst().map(WorkerLine.encode)
                if let line { digest.fold(String(decoding: line.dropLast(), as: UTF8.self)) }
                return line
            }
            var manifest = manifest
            manifest.resultsDigest = digest.text
            let text = String(decoding: try WorkerLine.encode(manifest), as: UTF8.self)
            try LiveFile.write(text: text, to: "\(folder)/\(Self.manifestName)")
        } catch let failure as SystemFailure {
            throw failure.programError
        } catch {
            throw ProgramError(.reportNotWritten, "the shard could not be written: \(error)")
        }
    }

    // MARK: reading

    /// Reads the manifest of a shard; the results are left out.
    ///
    /// - Throws: `ProgramError` for what is no shard of this program.
    init(manifestOf path: String) throws(ProgramError) {
        self.path = path
        let bytes: [UInt8]
        do throws(FileBytes.Failure) {
            bytes = try FileBytes.read(path: "\(path)/\(Self.manifestName)", limitBytes: Self.manifestLimitBytes)
        } catch {
            throw ProgramError(
                .unreadableReport,
                "\(path) is not a shard: its \(Self.manifestName) cannot be read (\(error))",
                hint: "name the folders that simctl run --shard wrote"
            )
        }
        guard let version = try? WorkerLine.decode(Version.self, from: bytes) else { throw Self.damaged(path) }
        guard version.formatVersion == ShardManifest.currentVersion else {
            throw ProgramError(
                .shardMismatch,
                "\(path) has version \(version.formatVersion) of a shard's format, and this simctl reads version "
                    + "\(ShardManifest.currentVersion)",
                hint: "merge with the simctl that ran the shards"
            )
        }
        guard let manifest = try? WorkerLine.decode(ShardManifest.self, from: bytes), manifest.isPossible else {
            throw Self.damaged(path)
        }
        self.manifest = manifest
    }

    /// Reads the results.
    ///
    /// - Throws: `ProgramError` when they are not those of its seeds, each once.
    mutating func readResults() throws(ProgramError) {
        var digest = RunningDigest()
        do {
            try Self.eachLine(of: "\(path)/\(Self.resultsName)") { line in
                digest.fold(String(decoding: line, as: UTF8.self))
                switch try WorkerLine.decode(Line.self, from: line) {
                case .result(let result): results.append(result)
                case .crash(let crash): crashes.append(crash)
                }
            }
        } catch {
            throw Self.damaged(path)
        }
        guard digest.text == manifest.resultsDigest else { throw Self.damaged(path) }
        results.sort { $0.seed < $1.seed }
        crashes.sort { $0.seed < $1.seed }
        let found = (results.map(\.seed) + crashes.map(\.seed)).sorted()
        guard let seeds = manifest.seeds, found.elementsEqual(seeds) else { throw Self.damaged(path) }
    }

    /// Line by line, so that the text of a large shard is never in memory as a whole.
    private static func eachLine(of path: String, _ body: ([UInt8]) throws -> Void) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure("reading \(path)") }
        defer { close(descriptor) }
        var buffer = LineBuffer()
        while let bytes = LivePipe.read(descriptor), !bytes.isEmpty {
            buffer.append(bytes)
            while let line = buffer.next() { try body(line) }
            guard buffer.pendingBytes <= WorkerLine.limitBytes else { throw SystemFailure("reading \(path)") }
        }
    }

    private static func damaged(_ path: String) -> ProgramError {
        ProgramError(
            .unreadableReport,
            "\(path) is damaged or only half a shard",
            hint: "run that shard again"
        )
    }
}
