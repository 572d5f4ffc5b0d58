import FoundationEssentials
import HTTP
import JSON
import Notifier
import Platform
import ScenarioFixtures
import Scenarios
import Simulation
import Testing

@testable import Harness
@testable import Verdict

private func describe() -> APIDescription {
    guard let description = APIDescription(Array(NotifierAPI.openAPIDocument.utf8)) else {
        preconditionFailure("the notifier describes its API")
    }
    return description
}

private func username(_ text: String) throws -> Username { try #require(Username(text)) }

@Suite struct SchemaCheckTests {
    private let check = SchemaCheck(SchemaCheck.Definitions(["Short": ["type": "string", "maxLength": 2]]))

    @Test(
        arguments: [
            (["type": "integer", "minimum": 1, "maximum": 3], 3, nil),
            (["type": "integer", "minimum": 1], 0, "the whole is beyond its minimum"),
            (["type": "integer", "maximum": 3], 4, "the whole is beyond its maximum"),
            (["type": "integer"], 1.5, "the whole is no integer"),
            (["type": "number"], 1.5, nil),
            (["type": "string", "minLength": 1], "", "the whole is not of minLength 1"),
            (["type": "string", "maxLength": 1], "ä", nil),
            (["type": "string", "maxLength": 1], "ab", "the whole is not of maxLength 1"),
            (["type": "string", "pattern": "^(?:[a-z]+)$"], "a1", "the whole is not of pattern \"^(?:[a-z]+)$\""),
            (["type": "string", "format": "uuid"], "no", "the whole is not of format \"uuid\""),
            (["type": "string", "format": "date"], "2026-12-31", nil),
            (["type": "string", "format": "date-time"], "2026-12-31", "the whole is not of format \"date-time\""),
            (["type": "string", "format": "uri"], "https://a.example/b", nil),
            (["type": "string", "format": "colour"], "red", "the whole is not of format \"colour\""),
            (["enum": ["a", "b"]], "c", "the whole is another word"),
            (["const": "a"], "b", "the whole is another value"),
            (["anyOf": [["type": "null"], ["type": "string"]]], nil, nil),
            (["anyOf": [["type": "null"], ["type": "string"]]], 1, "the whole is none of what it may be"),
            (["type": "array", "items": ["type": "boolean"]], [true, 1], "/1 is no boolean"),
            (["type": "array", "maxItems": 1], [1, 2], "the whole has 2 elements"),
            (["type": "array", "minItems": 1], [], "the whole has 0 elements"),
            (["type": "object", "required": ["a"]], [:], "the whole lacks a"),
            (["properties": ["a": ["type": "null"]], "additionalProperties": false], ["b": 1], "/b may not be there"),
            (["properties": ["a": ["type": "null"]]], ["a": 1, "b": 1], "/a is no null"),
            (["$ref": "#/components/schemas/Short"], "abc", "the whole is not of maxLength 2"),
            (
                ["type": "string", "contentEncoding": "base64"], "a",
                "the whole is a text under contentEncoding, which is not looked at"
            ),
        ] as [(JSONValue, JSONValue, String?)]
    )
    func `each word of the description is held against the value`(schema: JSONValue, value: JSONValue, breach: String?)
    {
        #expect(check.breach(of: schema, by: value) == breach)
    }
}

@Suite struct APIFuzzTests {
    private let description = describe()

    private func draw(_ names: NamesInAPI.Known = NamesInAPI.Known()) -> RequestDraw {
        RequestDraw(
            of: description,
            at: WorldBuilder.notifierOrigin,
            tokens: ["accountSession": "own", "deviceSession": "own", "signalToken": "program"],
            names,
            RandomStream(seed: 1, stream: "test")
        )
    }

    @Test
    func `what the description shows as an example it allows, unless it is refused, and what is spoilt it does not`()
        throws
    {
        let check = SchemaCheck(description.schemas)
        let values = StrangeValues(check)
        var random = RandomStream(seed: 1, stream: "test")
        var (count, refused) = (0, 0)
        for operation in description.operations {
            guard let body = operation.body else { continue }
            for example in body.examples where operation.path != "/webhooks/gitlab" {
                guard check.breach(of: body.schema, by: example) == nil else {
                    refused += 1
                    continue
                }
                let found = values.spoil(example, by: body.schema, &random)
                let spoilt = try #require(found, "\(operation.path)")
                #expect(check.breach(of: body.schema, by: spoilt) != nil)
                count += 1
            }
        }
        #expect(count > 30 && refused < 5, "\(count) and \(refused)")
    }

    @Test func `every mistake is made, none without what is wrong with it`() throws {
        let ben = try username("ben")
        var names = NamesInAPI()
        names.note(["id": "6f0c6a8e-0000-4000-8000-000000000001"], at: "/watch", of: ben)
        var draw = draw(names.known(to: try username("maria")))
        var made: Set<TriedRequest.Mistake> = []
        for operation in description.operations {
            for _ in 0..<40 {
                guard let tried = draw.request(for: operation) else { continue }
                made.insert(tried.mistake)
                let request = tried.request
                #expect(!request.target.contains("{"))
                switch tried.mistake {
                case .none: Issue.record("a mistake was asked for")
                case .noSession: #expect(request.fields["Authorization"] == nil)
                case .forgedSession:
                    #expect(!["Bearer own", "Bearer program"].contains(request.fields["Authorization"]))
                case .otherMethod:
                    #expect(
                        !description.operations.contains { $0.path == operation.path && $0.method == request.method }
                    )
                case .unknownName, .strangeName: #expect(!request.target.contains("6f0c6a8e"))
                case .foreignName: #expect(request.target.contains("/6f0c6a8e-0000-4000-8000-000000000001"))
                case .strangeQuery: #expect(request.query != nil)
                case .noBody: #expect(request.body.isEmpty)
                case .cutBody:
                    var reader = JSONReader(bytes: request.body)
                    #expect(throws: JSONReader.Failure.self) { _ = try reader.read() }
                case .strangeBody:
                    var reader = JSONReader(bytes: request.body)
                    let value = try reader.read().value
                    #expect(
                        SchemaCheck(description.schemas).breach(of: try #require(operation.body).schema, by: value)
                            != nil
                    )
                }
            }
        }
        #expect(made == Set(TriedRequest.Mistake.allCases).subtracting([.none]))
    }

    @Test func `what changes something is never asked without a mistake`() {
        let plain = description.operations.compactMap { draw().plainRequest(for: $0)?.operation }
        #expect(plain.count > 10)
        #expect(plain.allSatisfy { $0.method == .get && !$0.namesSomething })
    }

    @Test func `another person's name is one that a program of theirs has read and the person's own has not`() throws {
        let (maria, ben) = (try username("maria"), try username("ben"))
        let (own, foreign) = ("6f0c6a8e-0000-4000-8000-000000000001", "6f0c6a8e-0000-4000-8000-000000000002")
        var names = NamesInAPI()
        names.note([["watchedItemId": .string(own), "title": "no id"]], at: "/watch", of: maria)
        names.note([["watchedItemId": .string(own)], ["watchedItemId": .string(foreign)]], at: "/watch", of: ben)
        names.note([["dutyId": .string(foreign)]], at: "/duties", of: ben)
        let known = names.known(to: maria)
        #expect(known.own(in: "/watch/{id}") == [own])
        #expect(known.foreign(to: "/watch/{id}") == [foreign])
        #expect(known.foreign(to: "/duties/{id}").isEmpty)
        #expect(known.foreign(to: "/devices/{id}").isEmpty)
    }
}

@Suite struct ResponseJudgeTests {
    private let description = describe()

    private func answer(_ status: Int, _ body: JSONValue) -> HTTPResponse {
        var response = HTTPResponse(status: status, body: Array(body.text(indented: false).utf8))
        response.fields["Content-Type"] = "application/json"
        return response
    }

    private func refusal(_ status: Int, _ code: String) -> HTTPResponse {
        answer(status, ["code": .string(code), "message": "It is not so.", "hint": "Do otherwise."])
    }

    private func complaint(
        _ response: HTTPResponse,
        to mistake: TriedRequest.Mistake,
        _ method: HTTPMethod = .get,
        _ path: String = "/notifications/unread"
    ) throws -> String? {
        let operation = try #require(description.operations.first { $0.method == method && $0.path == path })
        let request = HTTPRequest(method: method, origin: WorldBuilder.notifierOrigin, target: path)
        let tried = TriedRequest(operation: operation, mistake: mistake, request: request)
        return ResponseJudge(description).complaint(about: response, to: tried)
    }

    @Test func `a refusal that is described is no matter`() throws {
        #expect(try complaint(refusal(401, "session_missing"), to: .noSession) == nil)
        var later = refusal(429, "rate_limited")
        later.fields["Retry-After"] = "1"
        #expect(try complaint(later, to: .forgedSession) == nil)
        #expect(try complaint(refusal(400, "invalid_field"), to: .strangeQuery, .get, "/items") == nil)
    }

    @Test func `a mistake that is taken is wrong, and so is one that is called another`() throws {
        #expect(try complaint(answer(200, [:]), to: .noSession) == "was answered 200")
        #expect(try complaint(refusal(404, "x"), to: .forgedSession) == "was answered 404, and not 401")
        #expect(try complaint(refusal(409, "x"), to: .foreignName) == "was answered 409, and not 400 or 401 or 404")
    }

    @Test func `a failure of the server is wrong, whatever was asked`() throws {
        for status in [500, 505] {
            #expect(try complaint(refusal(status, "internal"), to: .strangeQuery) == "was answered \(status)")
        }
    }

    @Test func `what is not described is wrong: a status, a code, a member`() throws {
        #expect(try complaint(refusal(418, "x"), to: .strangeQuery) == "was answered 418, which is not described")
        #expect(try complaint(refusal(401, "x"), to: .noSession) == "was answered 401 x, which is not described")
        #expect(
            try complaint(answer(401, ["code": "session_missing"]), to: .noSession)
                == "was answered 401, and in the answer the whole lacks message"
        )
        #expect(
            try complaint(answer(200, ["count": "many"]), to: .none)
                == "was answered 200, and in the answer /count is no integer"
        )
        var cut = answer(200, [:])
        cut.body.removeLast()
        #expect(try complaint(cut, to: .none) == "was answered 200 with a body that is no JSON")
    }

    @Test(arguments: [nil, "0", "soon"])
    func `who is to come later is told when`(retryAfter: String?) throws {
        var refusal = refusal(429, "rate_limited")
        refusal.fields["Retry-After"] = retryAfter
        #expect(try complaint(refusal, to: .none) == "was answered 429, and not when to come again")
    }

    @Test func `who takes another method says which`() throws {
        var refusal = refusal(405, "method_not_allowed")
        #expect(try complaint(refusal, to: .otherMethod) == "was not told which methods are allowed")
        refusal.fields["Allow"] = "GET"
        #expect(try complaint(refusal, to: .otherMethod) == nil)
    }
}

/// What the description has to say, whatever is answered.
@Suite struct DescriptionJudgeTests {
    private func complaints(_ spoil: (String) -> String) throws -> [String] {
        let description = try #require(APIDescription(Array(spoil(NotifierAPI.openAPIDocument).utf8)))
        return DescriptionJudge.complaints(about: description).map { $0.what }
    }

    @Test func `nothing is wrong with what the notifier says`() throws {
        #expect(try complaints { $0 } == [])
    }

    @Test func `a status that no client expects is wrong`() throws {
        let found = try complaints { $0.replacing(#""429""#, with: #""430""#) }
        #expect(Set(found) == ["is described with 430, which no client expects"])
    }

    @Test func `nothing may be left out`() throws {
        let untyped = try complaints { $0.replacing(#""application/json""#, with: #""application/xml""#) }
        #expect(Set(untyped) == ["is described with 400 without a code"])
        let untimed = try complaints { $0.replacing(#""Retry-After""#, with: #""Age""#) }
        #expect(Set(untimed).isSubset(of: [429, 503].map { "is described with \($0) without Retry-After" }))
        #expect(!untimed.isEmpty)
        let bare = try complaints { $0.replacing(#""content""#, with: #""contents""#) }
        #expect(bare.contains("is described with 200 without a body"))
    }
}

/// What was used up, as a program shows it again.
@Suite struct UsedUpSecretsTests {
    @Test(
        arguments: [
            (.code, 201), (.code, 500), (.token, 200), (.newest, 200), (.newest, 502),
        ] as [(UsedUpSecrets.Shown, Int)]
    )
    func `what was used up and is taken, or fails the server, is wrong`(shown: UsedUpSecrets.Shown, status: Int) {
        #expect(
            UsedUpSecrets.complaint(about: status, to: shown) == "was answered \(status) to \(shown.rawValue)"
        )
    }

    @Test(arguments: [401, 404, 429, 503])
    func `a refusal is no matter`(status: Int) {
        for shown in [UsedUpSecrets.Shown.code, .token, .newest] {
            #expect(UsedUpSecrets.complaint(about: status, to: shown) == nil)
        }
    }

    @Test func `a program's own session ends by it, and nobody is signed out`() throws {
        let timeline = #"{"at": "10m", "action": "fuzz-api", "by": "@maria"}"#
        let scenario = try makeScenario(duration: "\"30m\"", timeline: timeline)
        let world = try SimulatedWorld(scenario.plan(seed: 1), RunOptions(trace: .everything))
        try world.play()
        #expect(world.people[0].api.isSignedIn)
        let outcome = world.outcome()
        #expect(outcome.traceLines.contains { $0.contains("session.refresh_token_reused") })
        #expect(outcome.record.violations.isEmpty)
    }
}

/// What has the right form and cannot be granted.
@Suite struct RefusedWishTests {
    private let circumstances = RefusedWish.Circumstances(
        session: "a.b.c",
        program: "program",
        gitlabAddress: "https://gitlab.example.com",
        now: WallTime(secondsSinceEpoch: 1_772_438_400)
    )

    private func answer(_ status: Int, _ body: JSONValue) -> HTTPResponse {
        var response = HTTPResponse(status: status)
        response.body = Array(body.text(indented: false).utf8)
        return response
    }

    @Test func `every line of the table is a request, and every body is JSON with nothing left to fill in`() throws {
        #expect(RefusedWish.all.count == RefusedWishTable.lines.split(separator: "\n").count)
        for wish in RefusedWish.all {
            let request = try #require(wish.request(at: WorldBuilder.notifierOrigin, in: circumstances))
            #expect(!request.target.contains("$"), "\(wish.name)")
            guard !request.body.isEmpty else { continue }
            #expect(JSONValue(reading: request.body) != nil, "\(wish.name)")
            #expect(!String(decoding: request.body, as: UTF8.self).contains("$"), "\(wish.name)")
        }
    }

    @Test func `another refusal is wrong, and so is whatever is granted`() throws {
        let wish = try #require(RefusedWish("POST /duties/$1/members 404 duty_not_found {}"))
        #expect(wish.complaint(about: answer(404, ["code": "duty_not_found"])) == nil)
        let other = "was answered 400 invalid_field, and not 404 duty_not_found"
        #expect(wish.complaint(about: answer(400, ["code": "invalid_field"])) == other)
        #expect(wish.complaint(about: answer(400, ["code": "invalid_field"]), isSure: false) == nil)
        #expect(
            wish.complaint(about: answer(201, [:]), isSure: false)
                == "was answered 201 no code, and not 404 duty_not_found"
        )
        for status in [500, 501, 502, 504, 505, 599] {
            #expect(wish.complaint(about: answer(status, [:]), isSure: false) != nil, "\(status)")
        }
        for status in [401, 429, 503] { #expect(wish.complaint(about: answer(status, [:])) == nil) }
    }

    @Test func `what depends on the server's settings is answered in one of its ways, each with its own code`() throws {
        let line = "GET /notifications?limit=0&x=$long5000 414|400 target_too_long|invalid_field"
        let wish = try #require(RefusedWish(line))
        #expect(wish.complaint(about: answer(414, ["code": "target_too_long"])) == nil)
        #expect(wish.complaint(about: answer(400, ["code": "invalid_field"])) == nil)
        let right = "414 target_too_long or 400 invalid_field"
        let mixed = "was answered 400 target_too_long, and not \(right)"
        #expect(wish.complaint(about: answer(400, ["code": "target_too_long"])) == mixed)
        #expect(wish.complaint(about: answer(404, [:])) == "was answered 404 no code, and not \(right)")
        #expect(RefusedWish("GET /status 414|400 target_too_long") == nil, "a status without its code")
    }

    @Test func `what is granted though it changes nothing must not be refused`() throws {
        let end = #"{"entity":"duty","dutyId":"$1","deleted":true}"#
        let change = try #require(RefusedWish("SYNC -|duty_not_found \(end)"))
        #expect(change.complaint(about: answer(200, ["applied": []])) == nil, "it was asked before")
        #expect(change.complaint(about: answer(200, ["refused": [["code": "duty_not_found"]]])) == nil)
        #expect(change.complaint(about: answer(200, ["refused": [["code": "invalid_field"]]])) != nil)
        #expect(change.complaint(about: answer(400, ["code": "duty_not_found"])) != nil)
        let mark = try #require(RefusedWish(#"POST /notifications/read 200 - {"all":false}"#))
        #expect(mark.complaint(about: answer(200, [:])) == nil)
        #expect(mark.complaint(about: answer(400, ["code": "invalid_field"])) != nil)
    }

    @Test func `who shows no session, or a forged one, is told which of the two it is`() throws {
        let wish = try #require(RefusedWish("GET:bare /status 401 session_missing"))
        #expect(wish.complaint(about: answer(401, ["code": "session_missing"])) == nil)
        let other = "was answered 401 session_invalid, and not 401 session_missing"
        #expect(wish.complaint(about: answer(401, ["code": "session_invalid"])) == other)
    }

    @Test func `a change in an envelope is refused by itself`() throws {
        let wish = try #require(RefusedWish(#"SYNC invalid_field {"entity":"gossip"}"#))
        #expect(wish.complaint(about: answer(200, ["refused": [["code": "invalid_field"]]])) == nil)
        #expect(
            wish.complaint(about: answer(200, ["refused": []]))
                == "was answered 200 no code, and not 200 invalid_field"
        )
    }

    @Test func `a program's wish needs a program, and a tampered session is another one`() throws {
        var alone = circumstances
        alone.program = nil
        let signal = try #require(RefusedWish("POST /signals 400 invalid_field {}"))
        #expect(signal.request(at: WorldBuilder.notifierOrigin, in: alone) == nil)
        let wish = try #require(RefusedWish("GET:tampered /status 401 session_invalid"))
        let request = try #require(wish.request(at: WorldBuilder.notifierOrigin, in: circumstances))
        #expect(request.fields["Authorization"] == "Bearer a.b.A")
    }
}
