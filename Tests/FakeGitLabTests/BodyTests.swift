import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Supplement §5: bodies, methods and sizes")
struct BodyTests {
    private func post(_ fixture: Fixture, _ type: String?, _ body: [UInt8]) throws -> HTTPResponse {
        var fields: HTTPFields = ["PRIVATE-TOKEN": "omar-token"]
        if let type { fields.append("Content-Type", type) }
        let request = HTTPRequest(
            method: .post,
            origin: HTTPOrigin(scheme: "https", host: "git.internal"),
            target: "/api/v4" + (try fixture.path(fixture.issue, "/notes")),
            fields: fields,
            body: body
        )
        return fixture.gitLab.respond(to: request, from: HTTPPeer(address: "10.0.0.9", connection: 1)).response
    }

    @Test(
        arguments: [
            ("application/json; charset=utf-8", #"{"body": "one & two"}"#),
            ("application/x-www-form-urlencoded", "body=one+%26+two"), (nil, "body=one%20%26%20two"),
            (
                "multipart/form-data; boundary=\"xyz\"",
                "--xyz\r\nContent-Disposition: form-data; name=\"body\"\r\n\r\none & two\r\n"
                    + "--xyz\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\nfile\r\n--xyz--\r\n"
            ),
        ] as [(String?, String)]
    )
    func `a body is JSON, a form, or a form in parts`(type: String?, body: String) throws {
        let fixture = try Fixture()
        let answer = try post(fixture, type, Array(body.utf8))
        #expect(answer.status == 201, "\(answer.text)")
        #expect(try answer.json()["body"]?.string == "one & two")
    }

    @Test(arguments: [
        ("application/json", "{\"body\": ", 400, "message body does not match declared format"),
        ("application/json", "{\"body\": \"\u{0}\"}", 400, "message body does not match declared format"),
        ("application/json", "{\"body\": \"\\u0000\"}", 400, "Bad Request"),
        ("application/xml", "<body/>", 415, "The provided content-type 'application/xml' is not supported."),
        ("application/json", "[1, 2]", 400, "body is missing"), ("text/plain", "body=x", 400, "body is missing"),
        ("multipart/form-data", "x", 400, "Bad Request"),
        ("application/x-www-form-urlencoded", "body=%00", 400, "Bad Request"),
        ("application/x-www-form-urlencoded", "body=%FF", 400, "Bad Request"),
    ])
    func `a body that cannot be read is refused`(type: String, body: String, status: Int, text: String) throws {
        let fixture = try Fixture()
        let answer = try post(fixture, type, Array(body.utf8))
        #expect(answer.status == status)
        #expect(answer.text.contains(text), "\(answer.text)")
        #expect(fixture.gitLab.ledger.isEmpty)
    }

    @Test(arguments: ["/issues?search=%00", "/issues?search=%C3", "/issues/%00", "/todos?x=%zz"])
    func `NUL and what is no UTF-8 is refused before the API, in plain text`(path: String) throws {
        let answer = try Fixture().send(.get, path, as: nil).response
        #expect(answer.status == 400)
        #expect(answer.fields["Content-Type"] == "text/plain")
        #expect(answer.text == "Bad Request")
    }

    @Test func `a body beyond the limit gets a page`() throws {
        let answer = try post(Fixture(), "application/json", [UInt8](repeating: 0x20, count: 2_000_001))
        #expect(answer.status == 413)
        #expect(answer.fields["Content-Type"] == "text/html")
    }

    @Test func `a line beyond eight KiB gets a page of NGINX`() throws {
        let fixture = try Fixture()
        func query(_ count: Int) -> String { (0..<count).map { "iids[]=\($0)" }.joined(separator: "&") }
        #expect(fixture.send(.get, "/issues?scope=all&" + query(400)).response.status == 200)
        let long = fixture.send(.get, "/issues?scope=all&" + query(1_000)).response
        #expect(long.status == 414)
        #expect(long.fields["Content-Type"] == "text/html")
        #expect(long.text.hasPrefix("<html>\r\n<head><title>414 Request-URI Too Large</title></head>"))
        let wide = fixture.send(.get, "/issues", fields: ["X-Wide": String(repeating: "x", count: 8_192)]).response
        #expect(wide.status == 400)
        #expect(wide.text.contains("Request Header Or Cookie Too Large"))
        // The longest line that fits: method, target, version and line break.
        let room = 8_192 - "GET /api/v4/issues?scope=all&search= HTTP/1.1\r\n".utf8.count
        for (count, status) in [(room, 200), (room + 1, 414)] {
            let path = "/issues?scope=all&search=" + String(repeating: "x", count: count)
            #expect(fixture.send(.get, path).response.status == status)
        }
    }

    @Test func `HEAD has every field of GET, its length included`() throws {
        let fixture = try Fixture()
        for path in ["/todos", "/issues?scope=all", "/nothing", "/projects/999"] {
            let get = fixture.send(.get, path).response
            let head = fixture.send(.head, path).response
            #expect(head.status == get.status)
            #expect(head.body.isEmpty)
            #expect(head.fields["Content-Length"] == "\(get.body.count)")
            #expect(head.fields["X-Total"] == get.fields["X-Total"])
        }
    }

    @Test func `a preflight needs nobody and counts for nobody`() throws {
        let fixture = try Fixture { $0.requestLimit = FakeGitLab.RequestLimit(requests: 0, period: .hours(1)) }
        let fields: HTTPFields = [
            "Origin": "https://app.example", "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "private-token",
        ]
        let answer = fixture.send(HTTPMethod(rawValue: "OPTIONS"), "/todos", as: nil, fields: fields).response
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.fields["Access-Control-Allow-Origin"] == "*")
        #expect(answer.fields["Access-Control-Allow-Methods"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
        #expect(answer.fields["Access-Control-Allow-Headers"] == "private-token")
        #expect(answer.fields["Access-Control-Expose-Headers"]?.contains("X-Next-Page") == true)
        #expect(answer.fields["Access-Control-Max-Age"] == "7200")
    }

    @Test func `answers to another origin may be read, others say nothing of it`() throws {
        let fixture = try Fixture()
        let fields: HTTPFields = ["Origin": "https://app.example"]
        #expect(fixture.send(.get, "/todos", fields: fields).response.fields["Access-Control-Allow-Origin"] == "*")
        #expect(fixture.send(.get, "/todos").response.fields["Access-Control-Allow-Origin"] == nil)
    }

    @Test func `a plain OPTIONS names the methods, to who is signed in`() throws {
        let fixture = try Fixture()
        let options = HTTPMethod(rawValue: "OPTIONS")
        let path = try fixture.path(fixture.issue, "/notes")
        let answer = fixture.send(options, path).response
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(answer.fields["Allow"] == "OPTIONS, GET, HEAD, POST")
        #expect(fixture.send(options, path, as: nil).response.status == 401)
        #expect(fixture.send(options, "/nothing").response.status == 404)
        let wrong = fixture.send(.patch, path).response
        #expect(wrong.status == 405)
        #expect(wrong.fields["Allow"] == "OPTIONS, GET, HEAD, POST")
    }
}
