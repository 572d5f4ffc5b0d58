import Glibc
import Platform
import Scenarios
import Verdict

/// The report of a shard with what `simctl merge` needs besides: whose part it is, and the whole result of each seed.
///
/// A report keeps sums and rounded histograms; percentiles over all seeds are exact ranks, so the latencies themselves have to
/// cross.
struct ShardFolder: Sendable {
    static let resultsName = "shard-results.jsonl"

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
            try manifest.write(in: folder)
        } catch let failure as SystemFailure {
            throw failure.programError
        } catch let error as ProgramError {
            throw error
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
        manifest = try ShardManifest.read(in: path)
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
            throw PartFolder.damaged(path)
        }
        guard digest.text == manifest.resultsDigest else { throw PartFolder.damaged(path) }
        results.sort { $0.seed < $1.seed }
        crashes.sort { $0.seed < $1.seed }
        let found = (results.map(\.seed) + crashes.map(\.seed)).sorted()
        guard let seeds = manifest.seeds, found.elementsEqual(seeds) else { throw PartFolder.damaged(path) }
    }

    /// Line by line, so that the text of a large shard is never in memory as a whole.
    static func eachLine(of path: String, _ body: ([UInt8]) throws -> Void) throws {
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
}
