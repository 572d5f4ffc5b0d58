import Platform

/// What one GitLab lets an account read. Something that could not be found out counts as offered: polling learns the truth.
struct Capabilities: Hashable, Sendable {
    /// Of what of an item people can be notified beside its comments; the words of the REST API.
    enum Activity: String, Sendable, CaseIterable {
        /// Approvals and pushes as system notes, state events, and the list of approvals.
        case full
        /// Some of them.
        case partial
        /// None of them.
        case unavailable
    }

    /// The release as it names itself; nil when it did not say.
    var version: String?
    var notes = true
    var stateEvents = true
    var labelEvents = true
    var milestoneEvents = true
    var approvals = true
    var pipelines = true
    /// The feed of a project, the last resort. The feed of the whole instance shows 20 rows at most and is never read
    /// (GitLab facts §12, trap 18).
    var projectEvents = true
    /// Whether answers said how much of the rate limit is left. GitLab before 18.5 says so only when it refuses (GitLab
    /// facts §3), so that their absence proves nothing.
    var rateLimitHeaders = false

    init(version: String? = nil) {
        self.version = version
    }

    var activity: Activity {
        let sources = [notes, stateEvents, approvals]
        if sources.allSatisfy({ $0 }) { return .full }
        return sources.contains(true) ? .partial : .unavailable
    }

    /// True when something that polling uses is not there, so that an upgrade may bring it.
    var isLacking: Bool {
        CapabilitySource.allCases.contains { !self[$0] }
    }

    /// True when not a single route is there, which no release is like.
    var isVoid: Bool {
        CapabilitySource.allCases.allSatisfy { !self[$0] }
    }

    /// Whether the route is there.
    subscript(source: CapabilitySource) -> Bool {
        get {
            switch source {
            case .notes: notes
            case .stateEvents: stateEvents
            case .labelEvents: labelEvents
            case .milestoneEvents: milestoneEvents
            case .approvals: approvals
            case .pipelines: pipelines
            case .projectEvents: projectEvents
            }
        }
        set {
            switch source {
            case .notes: notes = newValue
            case .stateEvents: stateEvents = newValue
            case .labelEvents: labelEvents = newValue
            case .milestoneEvents: milestoneEvents = newValue
            case .approvals: approvals = newValue
            case .pipelines: pipelines = newValue
            case .projectEvents: projectEvents = newValue
            }
        }
    }
}

/// The routes that may be missing on some releases, editions or behind some proxies.
enum CapabilitySource: String, Hashable, Sendable, CaseIterable {
    case notes, stateEvents, labelEvents, milestoneEvents, approvals, pipelines, projectEvents

    /// A cheap request of the route, about one merge request of one project.
    func target(project: Int64, iid: Int64) -> String {
        let item = "/api/v4/projects/\(project)/merge_requests/\(iid)"
        switch self {
        case .notes: return "\(item)/notes?per_page=1"
        case .stateEvents: return "\(item)/resource_state_events?per_page=1"
        case .labelEvents: return "\(item)/resource_label_events?per_page=1"
        case .milestoneEvents: return "\(item)/resource_milestone_events?per_page=1"
        case .approvals: return "\(item)/approvals"
        case .pipelines: return "\(item)/pipelines?per_page=1"
        case .projectEvents: return "/api/v4/projects/\(project)/events?per_page=1"
        }
    }
}

/// Puts the answers to one round of questions together.
struct CapabilityFindings: Sendable {
    private(set) var capabilities: Capabilities

    /// Begins from what was known before, which holds for every question that stays without answer.
    init(known: Capabilities?, version: String?) {
        capabilities = known ?? Capabilities()
        capabilities.version = version ?? capabilities.version
        capabilities.rateLimitHeaders = false
    }

    /// Takes the answer of a route: nil for a success. A route that is missing answers with another body than one whose
    /// record is missing or hidden, so that no sample is needed to tell (GitLab facts §2).
    mutating func take(_ error: GitLabError?, of source: CapabilitySource) {
        switch error {
        case nil, .notFound(isRoute: false), .forbidden(.permission): capabilities[source] = true
        case .notFound(isRoute: true): capabilities[source] = false
        default: break
        }
    }

    mutating func takeRateLimitHeaders() {
        capabilities.rateLimitHeaders = true
    }
}
