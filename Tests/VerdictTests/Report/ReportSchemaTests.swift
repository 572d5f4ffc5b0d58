import FoundationEssentials
import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

/// The schemas beside the scenarios. `make check-reports` holds real reports and broken ones against them, with a validator that
/// shares no code with this package.
struct ReportSchemaTests {
    private func read(_ text: String) throws -> JSONNode {
        var reader = JSONReader(bytes: Array(text.utf8))
        return try reader.read()
    }

    /// Members of `node` of which the schema says nothing, as paths.
    private func unknown(_ node: JSONNode, _ schema: JSONNode, at path: String = "") -> [String] {
        if let choices = schema["anyOf"]?.elements {
            let found = choices.map { unknown(node, $0, at: path) }
            return found.min { $0.count < $1.count } ?? []
        }
        if let elements = node.elements {
            guard let items = schema["items"] else { return schema["prefixItems"] == nil ? [path + "[]"] : [] }
            return elements.flatMap { unknown($0, items, at: path + "[]") }
        }
        return (node.members ?? []).flatMap { member -> [String] in
            let place = "\(path)/\(member.key)"
            guard let known = schema["properties"]?[member.key] ?? schema["additionalProperties"] else {
                return [place]
            }
            return unknown(member.node, known, at: place)
        }
    }

    private var reports: [RunReport] {
        var day = ReportBuilder.makeFailingDay()
        day.violations = [ViolationRecord(invariant: .secretLeaked, at: .seconds(5), detail: "in a push")]
        day.resolved.scenario.probes = [.catchUp]
        let crash = SeedCrash(seed: 42, message: "SIGILL", backtrace: "")
        return [ReportBuilder.makePass(), ReportBuilder.make([day], crashes: [crash]), ReportBuilder.make([])]
    }

    @Test(arguments: ReportSchema.allCases)
    func `the stored schemas are those of the program`(schema: ReportSchema) throws {
        let name = "\(schema.rawValue).schema.json"
        let stored = try String(contentsOfFile: "\(Places.scenarios)/\(name)", encoding: .utf8)
        #expect(stored == schema.text, "run: simctl schema \(schema.rawValue) > scenarios/\(name)")
    }

    @Test func `the schema of the summary says something of each of its members`() throws {
        let schema = try read(ReportSchema.summary.text)
        for report in reports {
            let summary = try read(SummaryFile.text(report))
            #expect(unknown(summary, schema) == [])
            #expect(summary.members?.map(\.key) == schema["required"]?.elements?.compactMap(\.string))
        }
    }

    @Test func `the schema of a seed says something of each of its members`() throws {
        let schema = try read(ReportSchema.seeds.text)
        let lines = reports.flatMap { Array(SeedLines($0)) }
        #expect(lines.count == 3)
        for line in lines { #expect(unknown(try read(line), schema) == []) }
    }

    @Test func `a member that no schema knows is found`() throws {
        let schema = try read(ReportSchema.summary.text)
        #expect(unknown(try read(#"{"novel":1,"delivery":{"odd":1},"gates":[{"x":1}]}"#), schema).count == 3)
    }
}
