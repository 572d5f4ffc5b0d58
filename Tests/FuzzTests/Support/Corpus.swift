import FoundationEssentials

/// The files that fuzzers start from and the tests replay.
enum Corpus {
    private static let root =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Corpus"

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
