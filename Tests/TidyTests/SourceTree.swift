import FoundationEssentials

/// The Swift files of this package, found from the place of this file, in the order of their paths.
enum SourceTree {
    static let files: [SourceFile] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        return ["Sources", "Tests"].flatMap { folder in swiftFiles(below: folder, of: root) }
    }()

    /// The targets there are folders for.
    static let targets: [String] = Set(files.filter { $0.folder == "Sources" }.map(\.target)).sorted()

    /// The names that the protocols of this package ask for.
    static let requirements: Set<String> = Set(files.filter { $0.folder == "Sources" }.flatMap(requirements(in:)))

    static func requirements(in file: SourceFile) -> [String] {
        file.tokens.indices.filter { file.tokens[$0].text == "protocol" }.flatMap { start -> [String] in
            var names: [String] = []
            var depth = 0
            for index in start..<file.tokens.count {
                let text = file.tokens[index].text
                if depth == 1, text == "func" || text == "var", let name = file.token(index + 1) { names.append(name) }
                if text == "{" { depth += 1 }
                if text == "}" { depth -= 1 }
                if text == "}" && depth == 0 { break }
            }
            return names
        }
    }

    private static func swiftFiles(below folder: String, of root: String) -> [SourceFile] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
            guard let data = FileManager.default.contents(atPath: "\(root)/\(folder)/\(path)") else { return nil }
            return SourceFile(path: "\(folder)/\(path)", text: String(decoding: data, as: UTF8.self))
        }
    }
}
