import HTTP

@testable import Notifier

extension FuzzTarget {
    /// `POST /webhooks/gitlab`, fields, body: a webhook of GitLab.
    static let webhooks = FuzzTarget("webhooks") { bytes in
        let origin = HTTPOrigin(scheme: "https", host: "notifier.example.com")
        guard let request = MessageText(bytes).request(to: origin) else { return }
        do {
            guard let hint = try WebhookDecoder.hint(in: request) else { return }
            promise(hint.item.iid > 0 && hint.item.project.rawValue > 0, "a hint names an item that can be")
        } catch {
            promise(error is APIError, "bad input is answered as such, not \(error)")
        }
    }
}
