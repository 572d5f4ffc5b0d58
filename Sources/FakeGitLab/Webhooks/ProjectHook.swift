import HTTP
import Platform

/// One hook of a project: the instance's own, which every project has, or one that was added over the API.
struct ProjectHook: Sendable {
    /// What a hook may be told of, with what holds for one that says nothing.
    static let switches: [(name: String, standard: Bool)] = [
        ("push_events", true), ("tag_push_events", false), ("merge_requests_events", false),
        ("repository_update_events", false), ("issues_events", false), ("confidential_issues_events", false),
        ("note_events", false), ("confidential_note_events", false), ("pipeline_events", false),
        ("wiki_page_events", false), ("deployment_events", false), ("feature_flag_events", false),
        ("job_events", false), ("releases_events", false), ("emoji_events", false),
        ("resource_access_token_events", false),
    ]

    let id: Int64
    let project: Int
    let createdAt: WallTime
    /// Sent with every attempt (supplement §5).
    let uuid: String
    /// Whether it is the instance's own: its health is that of all of these.
    var isConfigured = false
    var url: String
    var name: String?
    var description: String?
    /// Sent as `X-Gitlab-Token`, never told.
    var secret: String?
    var verifiesTLS = true
    var events: [String: Bool] = [:]
    var health = WebhookHealth()

    func isOn(_ name: String) -> Bool {
        events[name] ?? Self.switches.first { $0.name == name }?.standard ?? false
    }

    /// Origin and path of an address; nil for what is none.
    static func split(_ url: String) -> (origin: HTTPOrigin, target: String)? {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return nil }
        let rest = url[url.index(colon, offsetBy: 3)...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard let origin = HTTPOrigin(url[..<end]) else { return nil }
        let path = rest[end...].prefix { $0 != "#" }
        guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return (origin, path.hasPrefix("/") ? String(path) : "/" + path)
    }
}

extension InstanceState {
    /// Every project has the instance's own hook from the start.
    mutating func addConfiguredHook(to project: Int, at now: WallTime) {
        guard let hook = configuration.webhook else { return }
        var row = ProjectHook(
            id: sequences.next(.hook),
            project: project,
            createdAt: now,
            uuid: configuredHookUUID,
            isConfigured: true,
            url: "\(hook.origin)\(hook.target)"
        )
        for name in ["issues_events", "note_events"] {
            row.events[name] = true
            row.events["confidential_" + name] = true
        }
        row.events["merge_requests_events"] = true
        row.events["push_events"] = false
        hooks.append(row)
    }
}
