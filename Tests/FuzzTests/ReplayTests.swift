import Dispatch
import FoundationEssentials
import Testing

/// What fuzzers started from and what they found, once more and without them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReplayTests {
    @Test(arguments: FuzzTarget.all)
    func `every file of the corpus keeps the promises`(target: FuzzTarget) async throws {
        let files = try Corpus.files(of: target)
        #expect(!files.isEmpty, "\(target.name) has no corpus")
        for (name, bytes) in files {
            // A broken promise ends the process, so the last line of the output says by what.
            print("\(target.name)/\(name)", terminator: " ")
            await Self.feed(bytes, to: target)
        }
    }

    @Test func `every folder of the corpus belongs to a target`() throws {
        #expect(try Corpus.folders() == FuzzTarget.all.map(\.name).sorted())
    }

    /// Off the shared threads: some targets wait for servers that run on them.
    private static func feed(_ bytes: [UInt8], to target: FuzzTarget) async {
        await withCheckedContinuation { waiter in
            DispatchQueue(label: target.name).async {
                target.feed(bytes)
                waiter.resume()
            }
        }
    }
}

/// The files beside these tests.
private enum Corpus {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().path + "/Corpus"

    static func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root).sorted()
    }

    static func files(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = "\(root)/\(target.name)"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            let bytes = try bytes(at: "\(folder)/\(name)")
            return (name, name.hasSuffix(".hex") ? hexadecimal(bytes) : bytes)
        }
    }

    private static func bytes(at path: String) throws -> [UInt8] {
        // FoundationEssentials loses a buffer with every empty file that it reads.
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64
        return size == 0 ? [] : Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// Bytes that are no text stand in their file as digits.
    private static func hexadecimal(_ text: [UInt8]) -> [UInt8] {
        let nibbles = text.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: nibbles.count - 1, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}
