import FoundationEssentials
import JSON
import ScenarioFixtures
import Testing

@testable import Scenarios

struct SchemaTests {
    @Test func `the stored schema is the one the tables give`() throws {
        let stored = try String(contentsOfFile: Places.scenarios + "/scenario.schema.json", encoding: .utf8)
        #expect(stored == SchemaWriter.scenarioSchema(), "run: simctl schema > scenarios/scenario.schema.json")
    }

    @Test func `the schema is JSON in which every reference has its definition`() throws {
        let object = try JSONSerializer.object(SchemaWriter.scenarioSchema())
        let definitions = try #require(object["$defs"]?.members)
        let names = Set(definitions.map(\.key))
        let references = Set(JSONSerializer.references(in: .object(object.members ?? [])))
        #expect(references.count > 100)
        #expect(references == Set(names.map { "#/$defs/" + $0 }))
    }
}

/// Looks into JSON text.
private enum JSONSerializer {
    struct Object {
        var members: [JSONMember]?

        subscript(key: String) -> Object? {
            members?.first { $0.key == key }.map { member in
                guard case .object(let members) = member.value else { return Object(members: nil) }
                return Object(members: members)
            }
        }
    }

    static func object(_ text: String) throws -> Object {
        let value = try JSONDecoder().decode(Tree.self, from: Data(text.utf8)).value
        guard case .object(let members) = value else { return Object(members: nil) }
        return Object(members: members)
    }

    static func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let members):
            members.flatMap { member -> [String] in
                if member.key == "$ref", case .string(let text) = member.value { return [text] }
                return references(in: member.value)
            }
        case .array(let elements): elements.flatMap(references(in:))
        case .null, .bool, .number, .string: []
        }
    }

    /// Any JSON, read by Foundation's decoder rather than our own.
    private struct Tree: Decodable {
        var value: JSONValue

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let members = try? container.decode([String: Tree].self) {
                value = .object(members.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.value) })
            } else if let elements = try? container.decode([Tree].self) {
                value = .array(elements.map(\.value))
            } else if let text = try? container.decode(String.self) {
                value = .string(text)
            } else {
                value = .null
            }
        }
    }
}
