import FoundationEssentials
import JSON
import NotifierKit

/// Whether an app was told that what it sends has no form that the API takes. It sends nothing of another form, so that the fault is the API's:
/// a screen that takes no such choice any more looks to the world as if nobody had chosen anything.
enum WellFormedRequests {
    private static let malformed: Set<String> = ["invalid_field", "invalid_json"]
    /// What counts from now, by a clock that is another one than the device's; and what GitLab gives in answer to a sign-in.
    private static let dated: Set<String> = ["until", "minutes", "mutedUntil", "startOn", "code"]

    /// Scenarios may ask for quiet hours that never end, which nobody can have.
    private static func isRoundTheClock(_ request: TransportRequest) -> Bool {
        String(decoding: request.body, as: UTF8.self).contains(#""until":"24:00""#)
    }

    /// What is wrong with an answer, in words; nil when nothing is.
    static func complaint(about body: [UInt8], status: Int, to request: TransportRequest) -> String? {
        let refusals: [JSONValue]
        if status == 400 {
            refusals = JSONValue(reading: body).map { [$0] } ?? []
        } else if status == 200, request.isEnvelope {
            refusals = JSONValue(reading: body)?["refused"]?.elements ?? []
        } else {
            return nil
        }
        for refusal in refusals {
            guard let code = refusal["code"]?.text, malformed.contains(code) else { continue }
            let message = refusal["message"]?.text ?? ""
            guard !dated.contains(where: { message.hasPrefix("\"\($0)\" ") }),
                !(message.hasPrefix("\"quietHours\" ") && isRoundTheClock(request))
            else { continue }
            return "was answered \(code) to \(request.method) \(request.target.prefix { $0 != "?" }): \(message)"
        }
        return nil
    }
}
