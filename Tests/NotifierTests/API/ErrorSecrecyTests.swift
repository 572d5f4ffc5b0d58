import HTTP
import Testing

@testable import Notifier

/// What a client sends in confidence never comes back in an answer, and never goes to the log.
struct ErrorSecrecyTests {
    private static let marker = "s3cr3t"

    private func bodies() -> [String] {
        let secret = "glpat-\(Self.marker)"
        return [
            "", secret, "{\"personalAccessToken\": \"\(secret)\"", "[\"\(secret)\"]", "{\"\(secret)\": 1}",
            "{\"gitlabUrl\": \"\(secret)\", \"personalAccessToken\": 7}",
            "{\"gitlabUrl\": \"https://gitlab.example.com\", \"personalAccessToken\": \"\(secret)\"}",
            "{\"apnsToken\": \"\(secret)\", \"platform\": \"\(secret)\"}",
            "{\"itemIid\": \"\(secret)\", \"itemType\": \"\(secret)\", \"projectId\": \"\(secret)\"}",
            String(repeating: secret, count: 6_000),
        ]
    }

    @Test func `no route repeats a secret that it refuses`() throws {
        let bench = try ServerBench()
        // GitLab refuses the token, and says it back as a careless server might.
        bench.gitlab.trouble { _ in .response(makeJSON(401, #"{"message":"bad token glpat-s3cr3t"}"#)) }
        var asked = 0
        for route in RESTAPI.routes {
            for body in bodies() {
                let target = route.path.description.replacing("{", with: "").replacing("}", with: "")
                var request = HTTPRequest(
                    method: route.method,
                    origin: HTTPOrigin(scheme: "https", host: "notifier.example.com"),
                    target: "\(target)?cursor=\(Self.marker)&limit=\(Self.marker)&since=\(Self.marker)",
                    body: Array(body.utf8)
                )
                request.fields["Authorization"] = "Bearer eyJ.\(Self.marker).\(Self.marker)"
                let response = try bench.send(request)
                #expect(!response.bodyText.contains(Self.marker), "\(route.method.rawValue) \(route.path)")
                #expect(response.status < 500 || response.status == 502 || response.status == 503)
                asked += 1
            }
        }
        #expect(asked >= 80)
        #expect(!bench.log.texts.contains { $0.contains(Self.marker) })
    }
}
