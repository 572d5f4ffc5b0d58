import Testing

struct FolderCyclesTests {
    @Test(arguments: FolderCycles.allowed.keys.sorted())
    func `the folders of a target refer to each other one way`(target: String) {
        let files = SourceTree.files.filter { $0.folder == "Sources" && $0.target == target }
        #expect(!files.isEmpty)
        let allowed = FolderCycles.allowed[target] ?? [:]
        let pairs = FolderCycles.pairs(in: files)
        let lines = pairs.filter { allowed[$0.key] == nil }.map { "\($0.key): \($0.value)" }.sorted()
        #expect(lines.isEmpty, "move a type: \(lines.joined(separator: "\n"))")
        let gone = allowed.keys.filter { pairs[$0] == nil }
        #expect(gone.isEmpty, "these need no reason any more: \(gone)")
    }

    private func pairs(_ polling: String, _ store: String, _ others: String = "") -> [FolderCycles.Pair] {
        let files = [
            SourceFile(path: "Sources/Notifier/Polling/Poller.swift", text: "struct Poller {}\n\(polling)"),
            SourceFile(path: "Sources/Notifier/Store/Health/Store.swift", text: "final class Store {}\n\(store)"),
            SourceFile(path: "Sources/Notifier/Rules/Rule.swift", text: "enum Rule {}\n\(others)"),
            SourceFile(path: "Sources/Notifier/Notifier.swift", text: "let all = (Poller(), Store(), Rule.self)"),
        ]
        return FolderCycles.pairs(in: files).keys.sorted { $0.description < $1.description }
    }

    @Test func `two folders that name each other's types are found, in nested folders too`() {
        #expect(pairs("let store: Store", "func take(_ poller: Poller) {}") == [FolderCycles.Pair("Store", "Polling")])
        #expect(
            pairs("let store: [Store?]", "extension Rule { static let poller = Poller() }", "let a: Store").count == 2
        )
    }

    @Test func `one way is no pair`() {
        #expect(pairs("let store: Store", "") == [])
        #expect(pairs("let store: Store", "", "let poller: Poller") == [])
    }

    @Test func `what only looks like another folder's type is none`() {
        // Words of comments and strings, members, private types, and names that several folders declare.
        #expect(pairs("let store: Store", "// Poller\nlet text = \"Poller\"\nlet a = b.Poller") == [])
        #expect(pairs("let store: Store", "let a: Hint", "let b = 1") == [])
        #expect(pairs("let store: Store\nprivate struct Hint {}", "let hint: Hint") == [])
        #expect(pairs("let store: Store\nstruct Hint {}", "let hint: Hint\nstruct Hint {}") == [])
    }
}
