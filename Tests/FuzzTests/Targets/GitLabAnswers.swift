import Crypto
import HTTP
import Platform
import Simulation

@testable import Notifier

extension FuzzTarget {
    /// `200 notes`, fields, body: GitLab's answer to the question for a list or an object, as the client reads it.
    static let gitLabAnswers = FuzzTarget("gitlab-answers") { bytes in
        let message = MessageText(bytes)
        guard let response = message.response, message.words.count > 1 else { return }
        _ = ResponseDecoder.retryAfter(response.fields)
        _ = GitLabQuestion(rawValue: message.words[1]).map { $0.ask(response) }
    }
}

/// What GitLab can be asked.
private enum GitLabQuestion: String {
    case todos, notes, stateEvents, labelEvents, pipelines, events, items, sweep
    case user, token, metadata, item, approvals, tokens, device

    /// Reads `response` as the answer.
    func ask(_ response: HTTPResponse) {
        let world = VirtualWorld()
        defer { world.simulation.discard() }
        let http = OneAnswer(response: response)
        let isOver = world.finish {
            await self.ask(http)
            return true
        }
        promise(isOver == true, "reading one answer takes no time")
    }

    private func ask(_ http: OneAnswer) async {
        let client = GitLabClient(origin: Self.origin, credential: .personalAccessToken(Secret("glpat-a")), http: http)
        let merge = ItemReference(project: ProjectID(rawValue: 42), kind: .mergeRequest, iid: 847)
        switch self {
        case .todos: await page(.todos, TodoRow.self, client) { ($0.action, $0.item, $0.noteID) }
        case .notes: await page(.notes(merge), NoteRow.self, client) { SystemNote(body: $0.body).action(for: "anna") }
        case .stateEvents: await page(.stateEvents(merge), StateEventRow.self, client) { $0.state }
        case .labelEvents: await page(.labelEvents(merge), MetadataEventRow.self, client) { $0.name }
        case .pipelines: await page(.pipelines(merge), PipelineRow.self, client) { $0.status }
        case .events: await page(.projectEvents(merge.project, after: "2026-03-01"), EventRow.self, client) { $0.push }
        case .items: await page(.todos, ListedItemRow.self, client) { $0.item.map { ItemCursor($0).text } }
        case .sweep: await page(.todos, ItemRow.self, client) { $0.fingerprint.isOpen }
        case .user: _ = try? await client.currentUser()
        case .token: _ = try? await client.personalAccessTokenSelf()
        case .metadata: _ = try? await client.metadata()
        case .item: _ = try? await client.item(merge)
        case .approvals: _ = try? await client.approvals(of: merge)
        case .tokens: _ = try? await Self.oauth(http).tokens(refresh: Secret("r"))
        case .device: _ = try? await Self.oauth(http).startDevice()
        }
    }

    private static let origin = HTTPOrigin(scheme: "https", host: "gitlab.example.com")

    private static func oauth(_ http: OneAnswer) -> OAuthClient {
        let application = NotifierSecrets.OAuthApplication(
            origin: origin,
            clientID: "id",
            clientSecret: nil,
            redirectURI: "app:/oauth"
        )
        return OAuthClient(application, http: http, requestTimeout: .seconds(30))
    }

    private func page<Row: IdentifiedRow, Read>(
        _ list: ListSource,
        _ row: Row.Type,
        _ client: GitLabClient,
        _ read: (Row) -> Read
    ) async {
        let request = client.list(list).request(page: 1)
        guard case .page(let page)? = try? await client.page(1, as: row, by: request) else { return }
        for row in page.rows { _ = read(row) }
        if let next = page.head.nextPage { promise(next > page.number, "pages go on") }
    }
}
