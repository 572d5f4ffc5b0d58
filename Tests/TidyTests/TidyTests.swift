import Testing

struct TidyTests {
    @Test(arguments: Rule.all)
    func `the sources follow every house rule`(rule: Rule) {
        let findings = SourceTree.files.flatMap(rule.check)
        #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
    }

    /// A walk that finds nothing would make every rule hold.
    @Test func `the sources are found`() {
        #expect(SourceTree.files.contains { $0.path == "Tests/TidyTests/TidyTests.swift" })
        #expect(SourceTree.files.contains { $0.path == "Sources/Platform/TimeSource.swift" })
        #expect(SourceTree.files.allSatisfy { !$0.tokens.isEmpty || !$0.comments.isEmpty })
    }

    @Test func `every target stands in the table of imports`() {
        #expect(SourceTree.targets == Rule.importTable.keys.sorted())
    }

    /// What is called missed must not depend on the notifier's own view of things, not even by way of another target.
    @Test(arguments: ["Notifier", "Daemon", "Harness", "Simulation", "FakeGitLab", "FakeAPNs", "Live"])
    func `what judges does not stand on what it judges`(target: String) {
        #expect(!Rule.targets(below: "Verdict").contains(target))
        #expect(Rule.targets(below: "Workbench").contains(target) || target == "Daemon")
    }

    @Test func `every reason for a promise is described, and named by somebody`() {
        let document = SourceTree.text(of: "docs/HACKING.md")
        let files = SourceTree.files.filter { $0.target != "TidyTests" }
        let named = Set(files.flatMap(\.comments).compactMap { UncheckedReason(in: $0.text) })
        for reason in UncheckedReason.allCases {
            #expect(document.contains("| `\(reason.rawValue)` |"), "docs/HACKING.md says nothing of \(reason.rawValue)")
            #expect(named.contains(reason), "nobody gives the reason \(reason.rawValue)")
        }
    }

    @Test func `the requirements of protocols are found`() {
        let text = "protocol A { var b: Int { get }\n func c(d: () -> Int) }\nstruct E { var f = 1 }"
        #expect(SourceTree.requirements(in: SourceFile(path: "Sources/HTTP/A.swift", text: text)) == ["b", "c"])
        #expect(SourceTree.requirements.contains("wallNow"))
    }
}
