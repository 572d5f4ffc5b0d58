import HTTP
import Testing

@Suite struct HTTPValueTests {
    @Test func `field names compare without regard to case and keep their order`() {
        var fields: HTTPFields = ["Content-Type": "application/json", "X-Next-Page": ""]
        fields.append("x-next-page", "2")
        #expect(fields["content-type"] == "application/json")
        #expect(fields["X-NEXT-PAGE"] == "")
        #expect(fields.count(of: "X-Next-Page") == 2)
        fields["x-next-page"] = "3"
        #expect(fields.fields.map(\.value) == ["application/json", "3"])
        fields["CONTENT-TYPE"] = nil
        #expect(fields.fields.map(\.name) == ["X-Next-Page"])
    }

    @Test(arguments: [
        ("https://gitlab.example.com", "https://gitlab.example.com"),
        ("https://GitLab.Example.com/", "https://gitlab.example.com"),
        ("https://gitlab.example.com:443", "https://gitlab.example.com"),
        ("http://10.0.0.1:8080", "http://10.0.0.1:8080"),
        ("https://[::1]:8443", "https://[::1]:8443"),
    ])
    func `an origin is scheme, host and port`(text: String, printed: String) {
        #expect(HTTPOrigin(text)?.description == printed)
    }

    @Test(arguments: [
        "gitlab.example.com", "ftp://gitlab.example.com", "https://", "https://host/path", "https://user@host",
        "https://host:99999", "https://host:", "https://ho st", "https://:443",
    ])
    func `anything else is no origin`(text: String) {
        #expect(HTTPOrigin(text) == nil)
    }

    @Test func `a target splits at the first question mark`() {
        let origin = HTTPOrigin(scheme: "https", host: "h")
        let request = HTTPRequest(method: .get, origin: origin, target: "/a/b?c=d?e")
        #expect(request.path == "/a/b")
        #expect(request.query == "c=d?e")
        #expect(HTTPRequest(method: .get, origin: origin, target: "/a").query == nil)
    }
}
