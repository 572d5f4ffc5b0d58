import FoundationEssentials
import Glibc
import HTTP
import ScenarioFixtures
import Testing

@testable import Live
@testable import Workbench

/// Webhooks of a served world, over sockets.
@Suite(.timeLimit(.minutes(2))) struct ServedWebhookTests {
    /// What the first line tells, as far as it is needed here.
    private struct Line: Decodable {
        struct GitLab: Decodable {
            var url: String
            var tokens: [String: String]
            var projects: [String: Int64]
            var webhook: Hook?
        }

        struct Hook: Decodable {
            var url: String
            var secret: String
        }

        var caFile: String
        var gitlab: GitLab
        var control: String
    }

    private struct Payload: Decodable {
        struct Attributes: Decodable {
            var note: String?
            var action: String?
        }

        var object_kind: String
        var object_attributes: Attributes
    }

    private static let scenario = makeScenarioText()
        .replacing("\"role\": \"developer\"", with: "\"role\": \"maintainer\"")
        .replacing(
            "\"watches\": [\"team/app!1\"]",
            with: "\"watches\": [\"team/app!1\"], \"token\": {\"scopes\": [\"api\"]}"
        )

    @Test func `hooks go to the address that was given and to those a client adds, and their answers come back`()
        async throws
    {
        let (arrivals, arrival) = AsyncStream<HTTPRequest>.makeStream()
        let receiver = try HTTPServer(HTTPServerConfiguration()) { request, _ in
            arrival.yield(request)
            return SentResponse(HTTPResponse(status: request.path == "/own" ? 202 : 500))
        }
        let folder = try TestFolder()
        try folder.write(Self.scenario, to: "tiny.json")
        let own = "http://127.0.0.1:\(receiver.port)/own"
        let process = try SimctlProcess(["serve", "tiny.json", "--speed", "600", "--webhooks", own], in: folder)
        let line = try JSONDecoder().decode(Line.self, from: Data(process.firstLine().utf8))
        #expect(line.gitlab.webhook?.url == own)
        async let running: Void = receiver.run()
        let status = await addHook("http://localhost:\(receiver.port)/added?x=1", line)
        #expect(status == 201)
        // What is no plain HTTP to this machine is never followed.
        #expect(await addHook("https://127.0.0.1:\(receiver.port)/elsewhere", line) == 201)
        #expect(await comment("Over sockets.", line) == 200)
        var seen: [String: HTTPRequest] = [:]
        for await request in arrivals {
            guard try note(of: request) == "Over sockets." else { continue }
            seen[request.target] = request
            if seen.count == 2 { break }
        }
        try expectFields(of: try #require(seen["/own"]), secret: line.gitlab.webhook?.secret, line)
        try expectFields(of: try #require(seen["/added?x=1"]), secret: "added", line)
        let told = ["/own: 202", "/added?x=1: 500", "/elsewhere: connectionRefused"]
        let trace = readTrace(of: process.process, until: told)
        for text in told { #expect(trace.contains(text), "\(text)") }
        kill(process.process.identifier, SIGTERM)
        _ = process.finish()
        await receiver.stop(within: .seconds(5))
        await running
    }

    @Test(arguments: [
        ("http://127.0.0.1", true), ("http://127.255.0.9:81", true), ("http://[::1]:81", true),
        ("http://localhost", true), ("https://127.0.0.1", false), ("http://127.1", false),
        ("http://127.0.0.01", false), ("http://128.0.0.1", false), ("http://0x7f.0.0.1", false),
        ("http://127.0.0.1.example.com", false), ("http://example.com", false), ("http://10.0.0.1", false),
    ])
    func `only plain addresses of this machine are sent to`(text: String, isAllowed: Bool) throws {
        #expect(try #require(HTTPOrigin(text)).isPlainLoopback == isAllowed)
    }

    /// Reads until the trace has told all of it, ends, or says nothing for long.
    private func readTrace(of process: LiveProcess, until texts: [String]) -> String {
        var bytes: [UInt8] = []
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if texts.allSatisfy({ text.contains($0) }) { return text }
            var interest = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
            // Only a net: without the line the test fails by what it has read.
            guard poll(&interest, 1, 30_000) > 0 else { return text }
            guard let more = LivePipe.read(process.output) else { continue }
            if more.isEmpty { return text }
            bytes += more
        }
    }

    private func expectFields(of request: HTTPRequest, secret: String?, _ line: Line) throws {
        #expect(request.method == .post)
        #expect(request.fields["X-Gitlab-Event"] == "Note Hook")
        #expect(request.fields["X-Gitlab-Token"] == secret)
        #expect(request.fields["X-Gitlab-Instance"] == line.gitlab.url)
        #expect(request.fields["User-Agent"]?.hasPrefix("GitLab/") == true)
        for name in ["X-Gitlab-Event-UUID", "X-Gitlab-Webhook-UUID", "Idempotency-Key"] {
            #expect(request.fields[name]?.utf8.count == 36, "\(name)")
        }
        #expect(request.fields["Content-Type"] == "application/json")
        let payload = try JSONDecoder().decode(Payload.self, from: Data(request.body))
        #expect(payload.object_kind == "note")
        #expect(payload.object_attributes.action == "create")
    }

    /// Nil for a hook that is about no note.
    private func note(of request: HTTPRequest) throws -> String? {
        try JSONDecoder().decode(Payload.self, from: Data(request.body)).object_attributes.note
    }

    private func addHook(_ url: String, _ line: Line) async -> Int? {
        let body = #"{"url":"\#(url)","note_events":true,"token":"added"}"#
        let path = "/api/v4/projects/\(line.gitlab.projects["team/app"] ?? 0)/hooks"
        return await post(body, to: path, at: line.gitlab.url, line, token: line.gitlab.tokens["ann"])
    }

    private func comment(_ text: String, _ line: Line) async -> Int? {
        let body = #"{"action":"comment","by":"@bob","on":"team/app!1","body":"\#(text)"}"#
        return await post(body, to: "/actions", at: line.control, line)
    }

    private func post(_ body: String, to path: String, at base: String, _ line: Line, token: String? = nil) async
        -> Int?
    {
        guard let origin = HTTPOrigin(base) else { return nil }
        var configuration = CurlClient.Configuration()
        (configuration.authorityFile, configuration.usesSystemProxy) = (line.caFile, false)
        var fields: HTTPFields = ["Content-Type": "application/json"]
        if let token { fields.append("PRIVATE-TOKEN", token) }
        let request = HTTPRequest(method: .post, origin: origin, target: path, fields: fields, body: Array(body.utf8))
        guard case .response(let response) = await CurlClient(configuration).send(request, options: HTTPSendOptions())
        else { return nil }
        return response.status
    }
}
