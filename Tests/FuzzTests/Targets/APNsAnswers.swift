import HTTP
import Platform

@testable import Notifier

extension FuzzTarget {
    /// `410`, fields, body: APNs' answer to a push.
    static let apnsAnswers = FuzzTarget("apns-answers") { bytes in
        guard let response = MessageText(bytes).response else { return }
        let outcome = PushOutcome(.response(response))
        promise((outcome == .accepted) == (response.status == 200), "200 and nothing else is success")
        guard case .rejected(let rejection) = outcome else { return }
        promise(JSONText.encodedLength(rejection.reason) <= 64, "a reason is short")
        promise(!rejection.code.isEmpty, "there is a word for every outcome")
        promise(rejection.retryAfter.map { $0 <= .days(1) } ?? true, "no pause is longer than a day")
        _ = PushRemedy(rejection)
    }
}
