import Testing

/// Code that breaks a rule and its nearest neighbour that does not: each rule is shown to fail and to hold.
struct RuleSample: Sendable, CustomTestStringConvertible {
    var rule: Rule
    var path = "Sources/Notifier/Sample.swift"
    var broken: String
    /// On which lines the rule is broken.
    var lines = [1]
    var sound: String

    var testDescription: String { "\(rule.name): \(broken.prefix(60))" }
}

struct RuleSampleTests {
    @Test(arguments: RuleSample.all)
    func `a rule names what breaks it and lets its neighbour be`(sample: RuleSample) {
        let broken = SourceFile(path: sample.path, text: sample.broken)
        #expect(sample.rule.check(broken).map(\.line) == sample.lines)
        let sound = SourceFile(path: sample.path, text: sample.sound)
        #expect(sample.rule.check(sound) == [])
    }

    @Test func `every rule has a sample`() {
        #expect(Set(RuleSample.all.map(\.rule.name)) == Set(Rule.all.map(\.name)))
        #expect(Set(Rule.all.map(\.name)).count == Rule.all.count)
    }

    @Test(arguments: Ban.all.indices)
    func `every banned call is found outside live adapters only`(index: Int) {
        let ban = Ban.all[index]
        let text = "let value = a\(ban.tokens.first == "." ? "" : " ; ")\(ban.text)"
        func findings(_ path: String) -> [Finding] { Rule.bannedCalls.check(SourceFile(path: path, text: text)) }
        #expect(findings("Sources/Notifier/Sample.swift").count == 1)
        #expect(findings("Tests/NotifierTests/Sample.swift").count == 1)
        #expect(findings("Sources/Notifier/LiveSample.swift").isEmpty)
        #expect(findings("Sources/Live/Sample.swift").isEmpty)
        #expect(findings("Sources/simctl/Sample.swift").isEmpty == ban.allowedIn.contains("simctl"))
    }
}

extension RuleSample {
    static let all: [RuleSample] = calls + concurrency + lengths + documents + imports

    private static let calls = [
        RuleSample(rule: .bannedCalls, broken: "let now = Date()", sound: "let now = CivilDate(time)"),
        RuleSample(rule: .bannedCalls, broken: "let text = \"at \\(Date.now)\"", sound: "let text = \"Date.now\""),
        RuleSample(
            rule: .bannedCalls,
            broken: "\ntry await Task.sleep(for: .seconds(1))",
            lines: [2],
            sound: "// Task.sleep(for: .seconds(1)) would be wrong.\ntry await time.sleep(for: .seconds(1))"
        ),
        RuleSample(rule: .bannedCalls, broken: "let n = Int.random(in: 0..<3)", sound: "random.next(below: 3)"),
        RuleSample(rule: .bannedCalls, broken: "let id = UUID().uuidString", sound: "let id = entropy.uuidString()"),
    ]

    private static let concurrency = [
        RuleSample(
            rule: .unstructuredTasks,
            broken: "let a = Task { 1 }\nlet b = Task.detached { 2 }\nlet c = Task<Void, Never>(priority: .low) {}",
            lines: [1, 2, 3],
            sound: "// The caller cancels it on shutdown.\nlet a = Task { 1 }\nvar b: Task<Void, Never>?\nb?.cancel()"
        ),
        RuleSample(
            rule: .unprovenPromises,
            broken: "final class A: @unchecked Sendable {}\nnonisolated(unsafe) var b = 1",
            lines: [1, 2],
            sound: "/// Unchecked: never changes: it is set once.\n@frozen\nfinal class A: @unchecked Sendable {}"
        ),
        RuleSample(
            rule: .unprovenPromises,
            broken: "/// Set once.\nfinal class A: @unchecked Sendable {}\n// Unchecked: trust me: fine.\n"
                + "nonisolated(unsafe) var b = 1",
            lines: [2, 4],
            sound: "// Unchecked: own thread.\nnonisolated(unsafe) var b = 1"
        ),
    ]

    private static let lengths = [
        RuleSample(rule: .fileLength, broken: lines(401), sound: lines(400)),
        RuleSample(
            rule: .fileLength,
            broken: "// This file is long because it is one table.\n" + lines(600),
            sound: "// This file is long because it is one table.\n" + lines(599)
        ),
        RuleSample(
            rule: .functionLength,
            broken: "func a(b: () -> Void = {}) -> Int {\n" + lines(69) + "}",
            sound: "func a(b: () -> Void = {}) -> Int {\n" + lines(68) + "}"
        ),
        RuleSample(
            rule: .functionLength,
            broken: "protocol A {\n    func b() -> Int\n}\nvar c: Int {\n" + lines(69) + "}",
            lines: [4],
            sound: "protocol A {\n    func b() -> Int\n}\nstruct C {\n" + lines(69) + "}"
        ),
        RuleSample(
            rule: .functionLength,
            broken: "struct A {\n    init(a: Int) where A: B {\n" + lines(69) + "    }\n}",
            lines: [2],
            sound: "struct A {\n    init(a: Int) {}\n" + lines(69) + "}"
        ),
    ]

    private static let documents = [
        RuleSample(
            rule: .documentation,
            broken: "package struct A {\n    package func b() {}\n}",
            lines: [1, 2],
            sound: "/// A.\n@frozen\npackage struct A {\n    /// B.\n    package func b() {}\n}"
        ),
        RuleSample(
            rule: .documentation,
            broken: "// No doc comment.\npackage static var a: Int { 1 }",
            lines: [2],
            sound: "package import B\npackage var a: Int = 1\npackage init() {}\npackage var description: String { a }"
        ),
        RuleSample(
            rule: .documentation,
            broken: "/// A.\n\npackage enum A {}",
            lines: [3],
            sound: "package static func == (a: A, b: A) -> Bool { true }\npackage private(set) var c: Int"
        ),
        RuleSample(
            rule: .leftovers,
            broken: "let a = 1  // TODO: more\n/* FIXME */",
            lines: [1, 2],
            sound: "let a = \"TODO\"  // The to-do list, and todos."
        ),
    ]

    private static let imports = [
        RuleSample(rule: .foundation, broken: "package import Foundation", sound: "import FoundationEssentials"),
        RuleSample(
            rule: .foundation,
            path: "Sources/NotifierKit/Sample.swift",
            broken: "import Foundation",
            sound: "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif"
        ),
        RuleSample(rule: .targetImports, broken: "import FakeGitLab", sound: "import HTTP\nimport Glibc"),
        RuleSample(
            rule: .targetImports,
            path: "Sources/FakeAPNs/Sample.swift",
            broken: "import Crypto\nimport struct Notifier.Fact",
            lines: [2],
            sound: "import Crypto"
        ),
        RuleSample(
            rule: .targetImports,
            path: "Sources/HTTP/Sample.swift",
            broken: "import CSQLite\nimport SQLite",
            lines: [1, 2],
            sound: "import Platform"
        ),
        RuleSample(
            rule: .targetImports,
            path: "Tests/FakeGitLabTests/Sample.swift",
            broken: "import Notifier",
            sound: "import FakeGitLab\nimport Testing"
        ),
    ]

    private static func lines(_ count: Int) -> String {
        String(repeating: "// A line.\n", count: count)
    }
}
