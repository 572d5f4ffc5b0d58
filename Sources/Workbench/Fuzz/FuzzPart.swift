import Platform
import Scenarios
import Verdict

/// What a part of a fuzzing found, world by world, in a file: worlds themselves are drawn again from their seeds.
struct FuzzPart {
    static let resultsName = "fuzz-results.jsonl"

    /// A line of the results.
    struct Line: Codable, Equatable {
        struct Found: Codable, Equatable {
            var kind: String
            var cause: String
            var detail: String
        }

        var seed: UInt64
        var flaws: [Found]
        var probes: [String]
        /// Facts that were compared, by relation.
        var compared: [String: Int]
        var powerLosses: Int
        /// Of the runs of the world and its twins, and of what they did.
        var digest: String
        var behaviour: String
    }

    var lines: [Line] = []

    mutating func add(_ findings: WorldFamily.Findings, of seed: UInt64) {
        lines.append(
            Line(
                seed: seed,
                flaws: findings.flaws.map { Line.Found(kind: $0.kind.rawValue, cause: $0.cause, detail: $0.detail) },
                probes: findings.probes,
                compared: Dictionary(findings.compared.map { ($0.key.rawValue, $0.value) }) { first, _ in first },
                powerLosses: findings.powerLosses,
                digest: findings.digest,
                behaviour: findings.behaviour
            )
        )
    }

    /// Writes results and manifest into a folder that exists, by seed.
    func write(_ manifest: FuzzPartManifest, to folder: String) throws(ProgramError) {
        var digest = RunningDigest()
        var manifest = manifest
        do {
            var rest = lines.sorted { $0.seed < $1.seed }[...]
            try LiveFile.write(to: "\(folder)/\(Self.resultsName)") {
                let line = try rest.popFirst().map(WorkerLine.encode)
                if let line { digest.fold(String(decoding: line.dropLast(), as: UTF8.self)) }
                return line
            }
        } catch let failure as SystemFailure {
            throw failure.programError
        } catch {
            throw ProgramError(.reportNotWritten, "the shard could not be written: \(error)")
        }
        manifest.resultsDigest = digest.text
        try manifest.write(in: folder)
    }

    /// Reads the results of a part.
    ///
    /// - Throws: `ProgramError` when they are not those of its seeds, each once.
    init(_ manifest: FuzzPartManifest, in folder: String) throws(ProgramError) {
        var digest = RunningDigest()
        var lines: [Line] = []
        do {
            try ShardFolder.eachLine(of: "\(folder)/\(Self.resultsName)") { line in
                digest.fold(String(decoding: line, as: UTF8.self))
                lines.append(try WorkerLine.decode(Line.self, from: line))
            }
        } catch {
            throw PartFolder.damaged(folder)
        }
        guard digest.text == manifest.resultsDigest, let seeds = manifest.seeds, lines.map(\.seed).elementsEqual(seeds),
            lines.allSatisfy({ $0.findings != nil })
        else { throw PartFolder.damaged(folder) }
        self.lines = lines
    }

    init() {}
}

extension FuzzPart.Line {
    /// Nil when a kind or a relation is none of this program's.
    var findings: WorldFamily.Findings? {
        var found: [Flaw] = []
        for flaw in flaws {
            guard let kind = Flaw.Kind(rawValue: flaw.kind) else { return nil }
            found.append(Flaw(kind, flaw.cause, detail: flaw.detail))
        }
        var compared: [WorldRelation: Int] = [:]
        for (name, facts) in self.compared {
            guard let relation = WorldRelation(rawValue: name) else { return nil }
            compared[relation] = facts
        }
        return WorldFamily.Findings(
            flaws: found,
            probes: probes,
            compared: compared,
            powerLosses: powerLosses,
            digest: digest,
            behaviour: behaviour
        )
    }
}
