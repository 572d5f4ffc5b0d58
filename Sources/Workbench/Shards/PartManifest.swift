import Scenarios

/// What a folder with a part of some work says of itself: what it is a part of, and which.
protocol PartManifest: Codable, Sendable {
    /// The file's name in the folder.
    static var fileName: String { get }
    /// The version of the format, which every version begins with.
    static var currentVersion: Int { get }
    /// What made it, for hints: `simctl run`.
    static var command: String { get }
    /// Whether the seeds are what is cut; otherwise every part has all of them.
    static var cutsSeeds: Bool { get }

    var formatVersion: Int { get }
    var build: String { get }
    /// The first and the last seed of all parts together.
    var firstSeed: UInt64 { get }
    var lastSeed: UInt64 { get }
    var shard: Shard { get }
    /// Whether a command line could have asked for this; false when the file was tampered with.
    var isPossible: Bool { get }
    /// In which way this is a part of something else than another one is; nil when both are of the same.
    func difference(to first: Self) -> String?
}

extension PartManifest {
    static var cutsSeeds: Bool { true }

    /// The seeds of all parts together; nil when the file was tampered with.
    var allSeeds: ClosedRange<UInt64>? {
        guard shard.isPossible, firstSeed <= lastSeed, lastSeed <= SeedSelection.maximumSeed else { return nil }
        let most = SeedSelection.maximumCount(parts: Self.cutsSeeds ? shard.count : 1)
        return lastSeed - firstSeed < most ? firstSeed...lastSeed : nil
    }

    /// The seeds of this one, where seeds are cut; nil when the file was tampered with.
    var seeds: ClosedRange<UInt64>? { allSeeds.flatMap(shard.part) }

    /// How the seeds of all parts differ from those that another part tells of.
    func seedDifference(to first: Self) -> String? {
        guard firstSeed != first.firstSeed || lastSeed != first.lastSeed else { return nil }
        return "they are of the seeds \(firstSeed)..\(lastSeed) and \(first.firstSeed)..\(first.lastSeed)"
    }

    /// How the number of parts differs from the one that another part tells of.
    func countDifference(to first: Self) -> String? {
        guard shard.count != first.shard.count else { return nil }
        return "there are \(shard.count) shards by one and \(first.shard.count) by the other"
    }
}

/// A part of something that was done with a scenario.
protocol ScenarioPartManifest: PartManifest {
    /// The scenario's name, for messages.
    var name: String { get }
    /// The very text, and the file it came from.
    var scenario: ScenarioSource { get }
}

extension ScenarioPartManifest {
    /// How the scenario differs from that of another part; `did` is what was done with it.
    func scenarioDifference(to first: Self, did: String) -> String? {
        if name != first.name { return "they \(did) the scenarios \(name) and \(first.name)" }
        guard scenario.text != first.scenario.text else { return nil }
        return "the scenario \(name) has another text in one than in the other"
    }
}

/// The version alone.
private struct Version: Decodable {
    var formatVersion: Int
}

extension PartManifest {
    /// Reads the manifest of a folder.
    ///
    /// - Throws: `ProgramError` for what is no such folder of this program.
    static func read(in folder: String) throws(ProgramError) -> Self {
        let bytes: [UInt8]
        do throws(FileBytes.Failure) {
            bytes = try FileBytes.read(path: "\(folder)/\(fileName)", limitBytes: PartFolder.manifestLimitBytes)
        } catch {
            throw ProgramError(
                .unreadableReport,
                "\(folder) is not a shard: its \(fileName) cannot be read: \(error.reason)",
                hint: "name the folders that \(command) --shard wrote"
            )
        }
        guard let version = try? WorkerLine.decode(Version.self, from: bytes) else {
            throw PartFolder.damaged(folder)
        }
        guard version.formatVersion == currentVersion else {
            throw ProgramError(
                .shardMismatch,
                "\(folder) has version \(version.formatVersion) of a shard's format, and this simctl reads version "
                    + "\(currentVersion)",
                hint: "merge with the simctl that ran the shards"
            )
        }
        guard let manifest = try? WorkerLine.decode(Self.self, from: bytes), manifest.isPossible else {
            throw PartFolder.damaged(folder)
        }
        return manifest
    }

    /// Writes it into a folder that exists. It comes last: a folder without it is half a shard.
    func write(in folder: String) throws(ProgramError) {
        do {
            let text = String(decoding: try WorkerLine.encode(self), as: UTF8.self)
            try LiveFile.write(text: text, to: "\(folder)/\(Self.fileName)")
        } catch let failure as SystemFailure {
            throw failure.programError
        } catch {
            throw ProgramError(.reportNotWritten, "the shard could not be written: \(error)")
        }
    }
}

/// What folders with parts have in common.
enum PartFolder {
    /// A scenario's text with all its characters escaped, and a little more.
    static let manifestLimitBytes = 8 * ScenarioReader.limitBytes

    static func damaged(_ path: String) -> ProgramError {
        ProgramError(
            .unreadableReport,
            "\(path) is damaged or only half a shard",
            hint: "run that shard again"
        )
    }

    /// Checks that parts belong together and to `build`, which is this program, and that every one is there, once.
    ///
    /// - Throws: `ProgramError` naming the folder or the number of what does not belong together.
    static func check<Manifest: PartManifest>(
        _ parts: [(path: String, manifest: Manifest)],
        build: String
    ) throws(ProgramError) {
        guard let first = parts.first else { throw ProgramError(.missingOperand, "there is no shard to merge") }
        for part in parts {
            try checkBuild(part.manifest.build, of: part.path, is: build)
            guard let difference = part.manifest.difference(to: first.manifest) else { continue }
            throw differ(part.path, first.path, difference)
        }
        try checkNumbers(parts.map { ($0.path, $0.manifest.shard) }, command: Manifest.command)
    }

    /// - Throws: `ProgramError` for a part of another build than this one.
    private static func checkBuild(_ build: String, of path: String, is own: String) throws(ProgramError) {
        guard build != own else { return }
        throw ProgramError(
            .shardMismatch,
            "\(path) was run by build \(build), and this simctl is build \(own)",
            hint: "run every shard with one build, and merge with the same"
        )
    }

    /// Two parts that do not belong together, because of `what`.
    private static func differ(_ path: String, _ first: String, _ what: String) -> ProgramError {
        ProgramError(
            .shardMismatch,
            "\(path) and \(first) are not shards of one run: \(what)",
            hint: "merge the shards of one call, which differ in nothing but --shard"
        )
    }

    /// Checks that every number is there, once.
    ///
    /// - Parameters:
    ///   - parts: folders with their numbers, all of as many parts.
    ///   - command: what runs a part, for the hint.
    /// - Throws: `ProgramError` naming numbers that are missing or there twice.
    private static func checkNumbers(_ parts: [(path: String, shard: Shard)], command: String) throws(ProgramError) {
        let sorted = parts.sorted { $0.shard.number < $1.shard.number }
        let count = sorted.first?.shard.count ?? 0
        for (one, other) in zip(sorted, sorted.dropFirst()) where one.shard == other.shard {
            throw ProgramError(
                .shardRepeated,
                "\(one.path) and \(other.path) are both shard \(one.shard.number) of \(count)",
                hint: "name each shard once"
            )
        }
        let found = Set(sorted.map(\.shard.number))
        let missing = (1...max(1, count)).filter { !found.contains($0) }
        guard !missing.isEmpty else { return }
        let named = missing.prefix(10).map(String.init).joined(separator: ", ")
        let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
        throw ProgramError(
            .shardMissing,
            "of \(count) shards, \(missing.count == 1 ? "number" : "numbers") \(named)\(more) "
                + "\(missing.count == 1 ? "is" : "are") missing",
            hint: "\(command) … --shard \(missing[0])/\(count), or name its folder too"
        )
    }

    /// A result takes the place of an older one; a part is no older result.
    static func refuse(_ folders: [String], as target: String) throws(ProgramError) {
        let place = realPath(target)
        for folder in folders where place != nil && realPath(folder) == place {
            throw ProgramError(
                .outNotAReport,
                "\(target) is one of the shards and would be replaced",
                hint: "choose another folder with --out DIR"
            )
        }
    }
}

/// What was cut into parts.
enum PartKind {
    case run, sweep, fuzz

    /// Of the first folder; all others must be of its kind. A run where nothing can be told, which then says what is missing.
    init(of folders: [String]) {
        let names = LiveReportPlace.entries(of: folders.first ?? "")
        if names.contains(SweepPartManifest.fileName) {
            self = .sweep
        } else {
            self = names.contains(FuzzPartManifest.fileName) ? .fuzz : .run
        }
    }
}

extension FileBytes.Failure {
    /// Behind a colon.
    fileprivate var reason: String {
        switch self {
        case .notFound: "there is none"
        case .directory: "it is a folder"
        case .unreadable: "this user may not read it"
        case .tooLarge: "it is too large"
        }
    }
}
