import FoundationEssentials
import HTTP

/// Which item a webhook is about. Nothing else of it is used: what happened is read from GitLab itself, so forged content tells
/// nothing (GitLab facts §15, §18, trap 35).
struct WebhookHint: Hashable, Sendable {
    /// The instance as its own address says.
    var origin: HTTPOrigin
    var item: ItemReference
}

/// Reads a webhook.
enum WebhookDecoder {
    /// The item, or nil for a hook that is about none: another kind of event, or a note on a commit or snippet.
    ///
    /// - Throws: `APIError.invalidJSON` or `invalidField` for a body that is not what GitLab sends.
    static func hint(in request: HTTPRequest) throws -> WebhookHint? {
        guard let kind = request.fields["X-Gitlab-Event"].flatMap(Event.init) else { return nil }
        let body = try request.decodeBody(Body.self)
        guard let item = try item(of: kind, in: body) else { return nil }
        return WebhookHint(origin: try origin(request, body), item: item)
    }

    /// The values of `X-Gitlab-Event` that tell of an item (GitLab facts §15.1).
    private enum Event {
        case note, mergeRequest, issue

        init?(_ name: String) {
            switch name {
            case "Note Hook", "Confidential Note Hook": self = .note
            case "Merge Request Hook": self = .mergeRequest
            case "Issue Hook", "Confidential Issue Hook": self = .issue
            default: return nil
            }
        }
    }

    /// As much of the payload as names the item (GitLab facts §15.2).
    private struct Body: Decodable {
        struct Project: Decodable {
            var id: Int64
            var web_url: String?
        }

        struct Item: Decodable {
            var iid: Int64?
        }

        var project: Project
        var object_attributes: Item
        var merge_request: Item?
        var issue: Item?
    }

    private static func item(of kind: Event, in body: Body) throws -> ItemReference? {
        let found: (kind: ItemKind, iid: Int64?)
        switch kind {
        case .mergeRequest: found = (.mergeRequest, body.object_attributes.iid)
        case .issue: found = (.issue, body.object_attributes.iid)
        case .note:
            if let mergeRequest = body.merge_request {
                found = (.mergeRequest, mergeRequest.iid)
            } else if let issue = body.issue {
                found = (.issue, issue.iid)
            } else {
                return nil
            }
        }
        guard let iid = found.iid, iid > 0 else { throw APIError.invalidField("iid", expected: "a positive number") }
        guard body.project.id > 0 else { throw APIError.invalidField("id", expected: "a positive number") }
        return ItemReference(project: ProjectID(rawValue: body.project.id), kind: found.kind, iid: iid)
    }

    /// What the header names, since 15.x; else where the project lives.
    private static func origin(_ request: HTTPRequest, _ body: Body) throws(APIError) -> HTTPOrigin {
        if let origin = request.fields["X-Gitlab-Instance"].flatMap({ HTTPOrigin($0) }) { return origin }
        let parts = (body.project.web_url ?? "").split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, let origin = HTTPOrigin("\(parts[0])//\(parts[2])") else {
            throw .invalidField("web_url", expected: "the project's address")
        }
        return origin
    }
}
