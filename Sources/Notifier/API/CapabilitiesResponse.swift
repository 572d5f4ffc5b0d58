/// What GitLab offers, in the words of the REST API.
struct CapabilitiesResponse: Encodable {
    var notes: Bool
    var activity: String
    var resourceStateEvents: Bool
    /// The feed of a project, which stands in for an item's lists.
    var globalEvents: Bool
    var rateLimitHeaders: Bool

    init(_ found: Capabilities) {
        notes = found.notes
        activity = found.activity.rawValue
        resourceStateEvents = found.stateEvents
        globalEvents = found.projectEvents
        rateLimitHeaders = found.rateLimitHeaders
    }
}
