import FoundationEssentials
import HTTP
import JSON
import Testing

@testable import Notifier

/// The published document and the routes say the same.
struct OpenAPIDocumentTests {
    private static let methods: Set<String> = ["get", "post", "put", "patch", "delete"]

    private func served() throws -> HTTPResponse {
        try ServerBench().call(.get, "/openapi.json")
    }

    @Test func `the document has the routes of the table and no others`() throws {
        let response = try served()
        #expect(response.status == 200 && response.fields["Content-Type"] == "application/json")
        guard let paths = ContractBench.json(response)?["paths"]?.members else {
            Issue.record("the document has no paths")
            return
        }
        var documented: [String: JSONValue] = [:]
        for path in paths {
            for operation in path.value.members ?? [] where Self.methods.contains(operation.key) {
                documented["\(operation.key.uppercased()) \(path.key)"] = operation.value["operationId"]
            }
        }
        let table = RESTAPI.routes.map { route in
            ("\(route.method.rawValue) \(route.path)", JSONValue.string(route.description.operationID))
        }
        #expect(documented == Dictionary(uniqueKeysWithValues: table))
    }

    @Test func `the document has the same bytes whoever serves it`() throws {
        #expect(try served().body == served().body)
        #expect(try served().body == ContractBench.bytes(OpenAPIDocument(routes: RESTAPI.routes).json))
    }

    @Test func `every operation has a name of its own`() {
        let names = RESTAPI.routes.map(\.description.operationID)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: RESTAPI.routes.map(\.description.operationID))
    func `a description is whole`(operation: String) throws {
        let route = try ContractBench.route(operation)
        let description = route.description
        let inPath = description.parameters.filter { $0.place == .path }.map(\.name)
        #expect(inPath == route.path.names)
        #expect(Set(description.parameters.map(\.name)).count == description.parameters.count)
        #expect(description.summary.hasSuffix("."))
        #expect(Set(description.answers.map(\.status)).count == description.answers.count)
        let succeeding = Set(description.answers.map(\.status))
        let possible = succeeding.union(route.allErrors.map(\.status))
        let refusals = description.examples.filter { $0.status >= 400 }.count
        // What needs news has no example that succeeds: an example happens without GitLab being polled.
        let comesFirst = succeeding.contains(description.examples.first?.status ?? 0)
        #expect(comesFirst || refusals == description.examples.count, "a success comes first")
        #expect(!description.examples.isEmpty)
        #expect(Set(description.examples.map(\.name)).count == description.examples.count)
        for example in description.examples {
            #expect(possible.contains(example.status), "\(example.name)")
            #expect(example.summary.hasSuffix("."), "\(example.name)")
            #expect((example.body != nil) == (description.body != nil), "\(example.name)")
            let needed = description.parameters.filter(\.isRequired).map(\.name)
            #expect(Set(example.parameters.keys).isSuperset(of: needed), "\(example.name)")
            #expect(Set(example.parameters.keys).isSubset(of: description.parameters.map(\.name)), "\(example.name)")
            for earlier in example.after { _ = try ContractBench.route(earlier) }
            if let shape = description.body, let body = example.body, example.status < 400 {
                #expect(SchemaCheck.problems(body, shape, at: "body") == [], "\(example.name)")
            }
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var operation: String
        var example: RouteDescription.Example
        var testDescription: String { "\(operation), \(example.name)" }

        static let all = RESTAPI.routes.flatMap { route in
            route.description.examples.map { Case(operation: route.description.operationID, example: $0) }
        }
    }

    @Test(arguments: Case.all)
    func `an example happens as it stands in the document`(_ documented: Case) throws {
        let bench = try ContractBench()
        let route = try ContractBench.route(documented.operation)
        try bench.prepare(documented.example, of: route)
        try bench.replay(documented.example, of: route)
    }

    @Test func `a wrong answer is noticed`() {
        let schema = APISchema.object([
            .required("id", .id, "x"), .optional("word", .word(["a", "b"]), "x"),
            .optional("list", .list(.number(1...3)), "x"),
        ])
        let id: JSONValue = "550e8400-e29b-41d4-a716-446655440000"
        #expect(SchemaCheck.problems(["id": id, "word": "a", "list": [1, 3]], schema).isEmpty)
        for wrong: JSONValue in [
            [:], ["id": "x"], ["id": 5], ["id": id, "word": "c"], ["id": id, "list": [4]], ["id": id, "more": 1], [],
        ] {
            #expect(!SchemaCheck.problems(wrong, schema).isEmpty, "\(wrong)")
        }
    }
}
