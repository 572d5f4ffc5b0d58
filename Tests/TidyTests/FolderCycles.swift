/// Folders of one target that refer to each other: whoever changes one has to know the other. Most often a type stands in the wrong one.
///
/// A folder refers to another when it names a type that the other declares. That needs no compiler: the names that one folder alone
/// declares at the top of a file, and every place where such a name stands.
enum FolderCycles {
    /// Two folders of a target, the first in the order of the alphabet first.
    struct Pair: Hashable, Sendable, CustomStringConvertible {
        var first: String
        var second: String

        init(_ one: String, _ other: String) {
            (first, second) = one < other ? (one, other) : (other, one)
        }

        var description: String { "\(first) and \(second)" }
    }

    /// The targets whose folders refer to each other one way, with the pairs that may be, and why.
    static let allowed: [String: [Pair: String]] = [
        "Notifier": [
            Pair("Delivery", "Store"): "a claim is bounded by the delivery policy inside its transaction",
            Pair("Logging", "Store"): "the log asks who watches the store whether a message has been written before",
        ],
        "Configuration": [:], "HTTP": [:], "JSON": [:], "Platform": [:], "SQLite": [:], "Simulation": [:],
        "simctl": [:],
        "Harness": [:], "Workbench": [:],
        "Scenarios": [
            Pair("Checking", "Shape"):
                "the row of a fault or an action reads its own keys with the decoder that walks the rows",
            Pair("Model", "Notation"):
                "a notation names what it writes, and the model keeps some values as they are written",
        ],
        "Verdict": [
            Pair("Assessment", "Truth"):
                "when GitLab asked to wait is read in the log, cut to the faults that excuse a wait"
        ],
    ]

    /// Every pair among the files of one target, with a type that the first names of the second and one the other way round.
    static func pairs(in files: [SourceFile]) -> [Pair: String] {
        let owners = owners(of: files)
        var named: [String: [String: String]] = [:]
        for file in files {
            guard let folder = folder(of: file) else { continue }
            for (index, token) in file.tokens.enumerated() where file.token(index - 1) != "." {
                guard let owner = owners[token.text], owner != folder else { continue }
                named[folder, default: [:]][owner] = "\(token.text) in \(file.path):\(token.line)"
            }
        }
        var pairs: [Pair: String] = [:]
        for (folder, others) in named {
            for (other, there) in others {
                guard folder < other, let back = named[other]?[folder] else { continue }
                pairs[Pair(folder, other)] = "\(there), \(back)"
            }
        }
        return pairs
    }

    /// The types that one folder alone declares for others, and which folder that is.
    private static func owners(of files: [SourceFile]) -> [String: String] {
        var folders: [String: Set<String>] = [:]
        for file in files {
            guard let folder = folder(of: file) else { continue }
            for name in declarations(in: file) { folders[name, default: []].insert(folder) }
        }
        return folders.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    private static func declarations(in file: SourceFile) -> [String] {
        let kinds: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        var depth = 0
        return file.tokens.indices.compactMap { index in
            let text = file.tokens[index].text
            if text == "{" { depth += 1 }
            if text == "}" { depth -= 1 }
            guard depth == 0, kinds.contains(text), let name = file.token(index + 1) else { return nil }
            let before = [file.token(index - 1), file.token(index - 2)]
            return before.contains("private") || before.contains("fileprivate") ? nil : name
        }
    }

    /// `Store` of `Sources/Notifier/Store/Health/StoreMonitor.swift`; nil for what stands in no folder.
    private static func folder(of file: SourceFile) -> String? {
        let parts = file.path.split(separator: "/")
        return parts.count > 3 ? String(parts[2]) : nil
    }
}
