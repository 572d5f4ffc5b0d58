import JSON
import Testing

@testable import Scenarios

struct ScenarioShrinkerTests {
    private static func document(_ text: String) throws -> JSONValue {
        var reader = JSONReader(bytes: Array(text.utf8))
        return try reader.read().value
    }

    private static let whole = """
        {"name": "a", "duration": "8h", "expect": [1, 2], "world": {"people": [
          {"username": "@ana", "devices": [{"name": "phone"}]}, {"username": "@ben"}, {"username": "@cid"}],
         "projects": [{"path": "team/x", "members": [{"username": "@ana"}, {"username": "@ben"}, {"username": "@cid"}]},
          {"path": "team/y", "members": []}]},
         "notifier": {"perPage": 20, "sweepInterval": "30s"},
         "timeline": [{"at": "5m", "by": "@ben", "on": "team/x!1"}, {"at": "1h17m23s", "by": "@ana", "on": "team/y#1", "count": 40},
          {"at": "7m", "by": ["@cid"], "mention": ["@ben"]}, {"at": "9m", "by": "@ana"}]}
        """

    private static func shrink(_ text: String = whole, while fails: (String) -> Bool) throws -> String {
        var shrinker = ScenarioShrinker(try document(text))
        shrinker.shrink { fails($0.text(indented: false)) }
        return shrinker.best.text(indented: false)
    }

    @Test func `what does not matter goes, and what says how it fails stays`() throws {
        let small = try Self.shrink { _ in true }
        #expect(small == #"{"name":"a","expect":[1,2]}"#)
    }

    @Test func `what matters stays, as simple as it can be`() throws {
        let small = try Self.shrink {
            $0.contains("\"by\":\"@ana\",\"on\"") && $0.contains("count") && $0.contains("\"at\":\"1h")
        }
        #expect(small == #"{"name":"a","expect":[1,2],"timeline":[{"at":"1h","by":"@ana","on":"team/y#1","count":1}]}"#)
    }

    @Test func `somebody goes with all that names them`() throws {
        let rest = try #require(NameRemoval(name: "@cid").rest(of: try Self.document(Self.whole))).text(indented: false)
        #expect(!rest.contains("@cid"))
        #expect(rest.contains("@ben") && rest.contains("\"at\":\"9m\"") && !rest.contains("\"at\":\"7m\""))
        let without = try #require(NameRemoval(name: "@ben").rest(of: try Self.document(Self.whole))).text(
            indented: false
        )
        #expect(without.contains(#"{"at":"7m","by":["@cid"]}"#) && !without.contains("\"at\":\"5m\""))
        let project = try #require(NameRemoval(name: "team/y").rest(of: try Self.document(Self.whole))).text(
            indented: false
        )
        #expect(!project.contains("team/y") && project.contains("team/x!1"))
    }

    @Test func `it ends when it is told to, with the best so far`() throws {
        struct Enough: Error {}
        var shrinker = ScenarioShrinker(try Self.document(Self.whole))
        var left = 5
        #expect(throws: Enough.self) {
            try shrinker.shrink { (_: JSONValue) throws(Enough) -> Bool in
                left -= 1
                guard left > 0 else { throw Enough() }
                return true
            }
        }
        #expect(shrinker.best != (try Self.document(Self.whole)))
        #expect(shrinker.proposals == 5)
    }

    @Test func `a scenario of which nothing may go stays as it is`() throws {
        let whole = try Self.document(Self.whole).text(indented: false)
        #expect(try Self.shrink { $0 == whole } == whole)
    }

    @Test(arguments: [
        ("\"1h17m23s\"", ["\"1h\"", "\"1h10m\"", "\"1h17m\"", "\"1h17m20s\""]), ("\"2h\"", ["\"1h\"", "\"1h\""]),
        ("\"1h\"", []),
        ("\"250ms\"", []), ("40", ["1", "20"]), ("1", []), ("\"@ana\"", []), ("true", []),
    ])
    func `durations become round and numbers small`(value: String, simpler: [String]) throws {
        #expect(SimplerValue.candidates(for: try Self.document(value)).map { $0.text(indented: false) } == simpler)
    }
}
