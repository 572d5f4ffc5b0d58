import HTTP
import Testing

@testable import Notifier

/// What the server refuses before the API is asked looks like every other error, and is described.
struct RefusalTests {
    @Test(arguments: HTTPRefusal.allCases)
    func `every refusal has the one shape, and every route says that it can come`(refusal: HTTPRefusal) throws {
        let bench = try ServerBench()
        let response = bench.notifier.api.refuse(refusal)
        #expect(response.status == refusal.status)
        #expect(response.fields["Content-Type"] == "application/json")
        let code = try #require(response.text("code"))
        #expect(response.text("message")?.isEmpty == false)
        #expect(response.text("hint")?.isEmpty == false)
        for route in RESTAPI.routes {
            #expect(route.allErrors.contains { $0.code == code && $0.status == refusal.status }, "\(route.path)")
        }
    }

    @Test func `refusals are counted`() throws {
        let bench = try ServerBench()
        _ = bench.notifier.api.refuse(.headersTooLarge)
        let page = try bench.call(.get, "/metrics").bodyText
        #expect(page.contains(#"http_requests_total{route="other",status="431"} 1"#))
    }
}
