import FoundationEssentials
import JSON
import NotifierKit
import Testing

@testable import Harness

@Suite struct WellFormedRequestsTests {
    private func complaint(
        _ status: Int,
        _ body: JSONValue,
        _ method: String,
        _ target: String,
        sent: String = ""
    ) -> String? {
        let request = TransportRequest(
            method: method,
            server: AppClient.server,
            target: target,
            body: Data(sent.utf8)
        )
        return WellFormedRequests.complaint(
            about: Array(body.text(indented: false).utf8),
            status: status,
            to: request
        )
    }

    private func refusal(_ code: String, _ field: String) -> JSONValue {
        ["code": .string(code), "message": .string("\"\(field)\" is not valid."), "hint": "Do otherwise."]
    }

    @Test func `an app is never told that what it sends has another form`() {
        #expect(
            complaint(400, refusal("invalid_field", "everyWeeks"), "POST", "/duties?a=b")
                == "was answered invalid_field to POST /duties: \"everyWeeks\" is not valid."
        )
        #expect(
            complaint(200, ["refused": [refusal("invalid_field", "timeZone")]], "POST", "/sync")
                == "was answered invalid_field to POST /sync: \"timeZone\" is not valid."
        )
    }

    @Test func `another refusal is no matter, nor one of what counts from now`() {
        #expect(complaint(400, refusal("change_too_old", "at"), "POST", "/duties") == nil)
        #expect(complaint(409, refusal("invalid_field", "at"), "POST", "/duties") == nil)
        #expect(complaint(400, refusal("invalid_field", "until"), "PUT", "/watch/1/mute") == nil)
        #expect(complaint(200, ["refused": [refusal("invalid_field", "mutedUntil")]], "POST", "/sync") == nil)
        let endless = #"{"quietHours":[{"from":"00:00","until":"24:00"}]}"#
        #expect(complaint(400, refusal("invalid_field", "quietHours"), "PUT", "/settings", sent: endless) == nil)
        #expect(complaint(400, refusal("invalid_field", "quietHours"), "PUT", "/settings") != nil)
        #expect(complaint(200, ["refused": []], "POST", "/sync") == nil)
        #expect(complaint(200, ["refused": [refusal("invalid_field", "at")]], "GET", "/status") == nil)
    }
}
