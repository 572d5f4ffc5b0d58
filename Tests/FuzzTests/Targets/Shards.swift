import Live

@testable import Verdict
@testable import Workbench

extension FuzzTarget {
    /// What `simctl merge` reads of a shard: its manifest in a line, then its results.
    static let shards = FuzzTarget("shards") { bytes in
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        guard let folder = try? ScratchFolder() else { return }
        do {
            try folder.write(Array(bytes[..<end]), to: ShardManifest.fileName)
            try folder.write(Array(bytes[end...].dropFirst()), to: ShardFolder.resultsName)
        } catch {
            return promise(false, "a scratch folder can be written: \(error)")
        }
        do throws(ProgramError) {
            var shard = try ShardFolder(manifestOf: folder.path)
            try shard.readResults()
            promise(
                shard.results.count + shard.crashes.count == shard.manifest.seeds?.count,
                "every seed is there once"
            )
            try shard.write(to: folder.path)
            var again = try ShardFolder(manifestOf: folder.path)
            try again.readResults()
            promise(again.results == shard.results && again.crashes == shard.crashes, "a shard reads back")
            _ = try ShardSet([again], build: again.manifest.build)
        } catch {
            promise(error.code.exitCode == .invalidInput && error.hint != nil, "a refusal says what to do")
        }
    }

    /// What `simctl merge` reads of a part of a fuzzing or of a sweep: its manifest in a line, then the results of a fuzzing.
    static let parts = FuzzTarget("parts") { bytes in
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        guard let folder = try? ScratchFolder() else { return }
        do {
            for name in [FuzzPartManifest.fileName, SweepPartManifest.fileName] {
                try folder.write(Array(bytes[..<end]), to: name)
            }
            try folder.write(Array(bytes[end...].dropFirst()), to: FuzzPart.resultsName)
        } catch {
            return promise(false, "a scratch folder can be written: \(error)")
        }
        do throws(ProgramError) {
            try readFuzzPart(in: folder.path)
        } catch {
            promise(error.code.exitCode == .invalidInput && error.hint != nil, "a refusal says what to do")
        }
        do throws(ProgramError) {
            try readSweepPart(in: folder.path)
        } catch {
            promise(error.code.exitCode == .invalidInput && error.hint != nil, "a refusal says what to do")
        }
    }

    private static func readFuzzPart(in folder: String) throws(ProgramError) {
        let manifest = try FuzzPartManifest.read(in: folder)
        try checkAgain(manifest, in: folder)
        let part = try FuzzPart(manifest, in: folder)
        promise(part.lines.count == manifest.seeds?.count, "every seed is there once")
        try part.write(manifest, to: folder)
        let again = try FuzzPart(manifest, in: folder)
        promise(again.lines == part.lines, "what was found reads back")
    }

    private static func readSweepPart(in folder: String) throws(ProgramError) {
        let manifest = try SweepPartManifest.read(in: folder)
        try checkAgain(manifest, in: folder)
        let table = try SweepMergeCommand.table(of: manifest, folder, in: "\(folder)/out")
        promise(table.variants.count <= SweepGrid.maximumCombinations, "no sweep takes for ever")
        let inside = table.variants.allSatisfy { $0.run.folder.dropFirst(folder.count + 5).allSatisfy { $0 != "/" } }
        promise(inside, "every report lies in the folder")
    }

    /// A manifest that was read is one of a whole, and reads back.
    private static func checkAgain<Manifest: PartManifest & Equatable>(
        _ manifest: Manifest,
        in folder: String
    ) throws(ProgramError) {
        promise(manifest.shard.isPossible && manifest.allSeeds != nil, "a part is one of those that can be asked for")
        promise(manifest.difference(to: manifest) == nil, "a part belongs to itself")
        try manifest.write(in: folder)
        let again = try Manifest.read(in: folder)
        promise(again == manifest, "a manifest reads back")
        guard manifest.shard.count == 1 else { return }
        try PartFolder.check([(folder, manifest)], build: manifest.build)
    }
}
