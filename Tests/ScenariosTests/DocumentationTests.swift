import FoundationEssentials
import ScenarioFixtures
import Testing

@testable import Scenarios

/// Compares the tables of `docs/scenarios.md` with the code.
struct DocumentationTests {
    /// The rows of the table under a heading: the words in backticks of each cell, and the cell's plain text.
    private func rows(under heading: String) throws -> [(first: [String], second: [String], text: String)] {
        let document = try String(contentsOfFile: Places.package + "/docs/scenarios.md", encoding: .utf8)
        let section = document.split(separator: "\n## ").first { $0.hasPrefix(heading + "\n") }
        let lines = try #require(section).split(separator: "\n").filter { $0.hasPrefix("| `") }
        return lines.map { line in
            let cells = line.split(separator: "|").map(String.init)
            return (words(in: cells[0]), words(in: cells[1]), cells[1].filter { $0 != " " })
        }
    }

    private func words(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    @Test func `each action stands once in the table, with its keys`() throws {
        let rows = try rows(under: "Actions")
        #expect(rows.flatMap(\.first).sorted() == ActionKind.allCases.map(\.rawValue).sorted())
        for row in rows {
            for name in row.first {
                #expect(ActionKind(rawValue: name)?.form.fields.map(\.key) == row.second, "\(name)")
            }
        }
    }

    @Test func `each fault stands once in the table, with its keys`() throws {
        let rows = try rows(under: "Faults")
        #expect(rows.flatMap(\.first).sorted() == FaultKind.allCases.map(\.rawValue).sorted())
        for row in rows {
            for name in row.first {
                #expect(FaultKind(rawValue: name)?.form.fields.map(\.key) == row.second, "\(name)")
            }
        }
    }

    @Test func `each metric stands once in the table, with its unit`() throws {
        let rows = try rows(under: "Metrics")
        #expect(rows.flatMap(\.first).sorted() == Metric.allCases.map(\.rawValue).sorted())
        for row in rows {
            for name in row.first { #expect(Metric(rawValue: name)?.unit.rawValue == row.text, "\(name)") }
        }
    }

    @Test func `each probe stands once in the table`() throws {
        #expect(try rows(under: "Probes").flatMap(\.first).sorted() == Probe.allCases.map(\.rawValue).sorted())
    }

    @Test func `the example of the documentation is a sound scenario`() throws {
        let document = try String(contentsOfFile: Places.package + "/docs/scenarios.md", encoding: .utf8)
        let example = try #require(document.split(separator: "```json\n").last?.split(separator: "\n```").first)
        #expect(problems(in: String(example)).isEmpty)
    }

    @Test func `the documentation stays within 170 lines`() throws {
        let document = try String(contentsOfFile: Places.package + "/docs/scenarios.md", encoding: .utf8)
        #expect(document.split(separator: "\n", omittingEmptySubsequences: false).count <= 171)
    }
}
