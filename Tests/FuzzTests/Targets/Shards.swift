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
}
