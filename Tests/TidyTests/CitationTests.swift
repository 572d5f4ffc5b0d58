import FoundationEssentials
import Testing

/// Comments and documents cite facts by section; a reader must be able to follow them.
struct CitationTests {
    @Test func `every citation leads to a section of a fact sheet`() {
        let sheets = FactSheet.all
        let lost = CitedText.all.flatMap { text in
            text.citations.filter { !$0.leadsSomewhere(in: sheets) }.map { "\(text.path):\($0.line): \($0.text)" }
        }
        #expect(lost.isEmpty, "\(lost.joined(separator: "\n"))")
    }

    /// A walk that finds nothing would find nothing wrong.
    @Test func `sheets and citations are found`() {
        #expect(FactSheet.all.map(\.name) == ["APNs facts", "GitLab facts", "statistics", "supplement"])
        #expect(FactSheet.all.allSatisfy { !$0.sections.isEmpty })
        #expect(CitedText.all.map(\.citations.count).reduce(0, +) > 400)
    }

    @Test(arguments: [
        ("(GitLab facts §8.1)", ["GitLab facts §8.1"]),
        ("(GitLab facts §2, §3 and §16.)", ["GitLab facts §2", "GitLab facts §3", "GitLab facts §16"]),
        ("APNs facts §17, item 5; supplement §1.5", ["APNs facts §17", "supplement §1.5"]),
        ("GitLab facts, trap 21", ["trap 21"]),
        ("traps 4 and 9", ["trap 4", "trap 9"]),
        ("    /// as GitLab facts\n    /// §4 say", ["GitLab facts §4"]),
        ("# (APNs facts §8,\n# §18)", ["APNs facts §8", "APNs facts §18"]),
        ("(RFC 6749 §5.2)", []),
        ("design §6, style §1", ["design §6", "style §1"]),
    ])
    func `citations are read with all their sections`(_ text: String, _ expected: [String]) {
        #expect(CitedText(path: "a", text: text).citations.map(\.text) == expected)
    }

    @Test(arguments: [
        ("GitLab facts §8.1", true), ("GitLab facts §8.9", false), ("APNs facts §16.21", true),
        ("APNs facts §16.77", false),
        ("trap 37", true), ("trap 38", false), ("design §6", false), ("statistics §1", true),
    ])
    func `a citation leads somewhere or not`(_ text: String, _ leads: Bool) throws {
        let citation = try #require(CitedText(path: "a", text: text).citations.first)
        #expect(citation.leadsSomewhere(in: FactSheet.all) == leads)
    }
}

/// A document of facts whose sections are cited.
struct FactSheet {
    /// What citations call it.
    let name: String
    /// Numbers of sections and of the items they hold, such as `8`, `8.1` and `16.21`.
    let sections: Set<String>
    /// Numbers of the traps in its table.
    let traps: Set<String>

    static let all: [FactSheet] = [
        ("APNs facts", "apns"), ("GitLab facts", "gitlab"), ("statistics", "statistics"), ("supplement", "supplement"),
    ].map { FactSheet(name: $0, text: SourceTree.text(of: "docs/facts/\($1).md")) }

    init(name: String, text: String) {
        self.name = name
        var sections: Set<String> = []
        var traps: Set<String> = []
        var section = ""
        for line in text.split(separator: "\n") {
            if let heading = line.firstMatch(of: #/^###? (\d+(?:\.\d+)?)\.? /#) {
                section = String(heading.1)
                sections.insert(section)
            } else if let row = line.firstMatch(of: #/^\| (\d+) \|/#) {
                traps.insert(String(row.1))
            } else if !section.isEmpty {
                for item in line.matches(of: #/(?:^|[.·?] )(\d+)\.? /#) { sections.insert("\(section).\(item.1)") }
            }
        }
        (self.sections, self.traps) = (sections, traps)
    }
}

/// One citation of one section or trap.
struct Citation: Equatable {
    /// The sheet, as it was named; nil for a trap.
    var sheet: String?
    var number: String
    var line: Int

    var text: String { sheet.map { "\($0) §\(number)" } ?? "trap \(number)" }

    func leadsSomewhere(in sheets: [FactSheet]) -> Bool {
        guard let sheet else { return sheets.contains { $0.traps.contains(number) } }
        return sheets.contains { $0.name == sheet && $0.sections.contains(number) }
    }
}

/// A file that may cite, and what it cites.
struct CitedText {
    let path: String
    let citations: [Citation]

    /// Sources and tests, but this file, whose samples lead nowhere.
    static let all: [CitedText] = (SourceTree.files.map(\.path) + SourceTree.documents)
        .filter { !$0.hasSuffix("CitationTests.swift") }.map { CitedText(path: $0, text: SourceTree.text(of: $0)) }

    init(path: String, text: String) {
        self.path = path
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var citations: [Citation] = []
        for (index, line) in lines.enumerated() where Self.mayCite(line) {
            let whole = index + 1 < lines.count ? Self.joined(line, lines[index + 1]) : String(line)
            for match in whole.matches(of: Self.sections) {
                for number in match.output.2.matches(of: #/§(\d+(?:\.\d+)?)/#) {
                    citations.append(
                        Citation(sheet: String(match.output.1), number: String(number.1), line: index + 1)
                    )
                }
            }
            for match in line.matches(of: Self.traps) {
                for number in match.output.1.matches(of: #/\d+/#) {
                    citations.append(Citation(sheet: nil, number: String(number.output), line: index + 1))
                }
            }
        }
        self.citations = citations
    }

    /// Cheap, since regular expressions over every line of the package take half a minute in a debug build.
    private static func mayCite(_ line: Substring) -> Bool {
        let bytes = line.utf8
        return bytes.contains(0xA7) || line.hasSuffix("facts") || line.hasSuffix("supplement")
            || line.hasSuffix("statistics") || line.contains("rap")
    }

    /// A line, with the next one behind it where a citation goes on there.
    private static func joined(_ line: Substring, _ next: Substring) -> String {
        guard line.contains(#/(?:facts|supplement|statistics|§\d+(?:\.\d+)?,)$/#) else { return String(line) }
        return "\(line) \(next.trimmingPrefix(#/[\s\/#*]+/#))"
    }

    // Unchecked: never changes: a pattern is made once and only read, though its type is not Sendable.
    nonisolated(unsafe) private static let sections =
        #/(GitLab facts|APNs facts|supplement|statistics|anchors|design|style) ((?:§\d+(?:\.\d+)?(?:, | and )?)+)/#
    // Unchecked: never changes.
    nonisolated(unsafe) private static let traps = #/\b[Tt]raps? (\d+(?:(?:, | and | to )\d+)*)/#
}

extension SourceTree {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The documents, relative to the package.
    static let documents: [String] = ((try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/docs")) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }

    /// A file's text; empty when there is none.
    static func text(of path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(root)/\(path)") ?? Data(), as: UTF8.self)
    }
}
