import HTTP

/// What a request asks GitLab for, by its target: the label `list` of `gitlab_requests_total`.
enum RequestedList: String, Hashable, Sendable, CaseIterable {
    case todos, rows, notes, stateEvents = "state_events", approvals, other

    init(target: String) {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let parts = path.split(separator: UInt8(ascii: "/"))
        let last = parts.last.map { String(Substring($0)) }
        switch (last, parts.count) {
        case ("todos", 3): self = .todos
        case ("merge_requests", 5), ("issues", 5): self = .rows
        case ("notes", 7): self = .notes
        case ("resource_state_events", 7): self = .stateEvents
        case ("approvals", 7): self = .approvals
        default: self = .other
        }
    }
}

/// What became of a request: the label `answer` of `gitlab_requests_total`.
enum RequestAnswer: String, Hashable, Sendable, CaseIterable {
    /// GitLab answered what it was asked.
    case content
    /// It is as it was: 304.
    case unchanged
    /// GitLab refused, could not, or did not answer.
    case failed

    init(_ outcome: HTTPOutcome) {
        switch outcome {
        case .response(let response) where response.status == 304: self = .unchanged
        case .response(let response) where (200..<300).contains(response.status): self = .content
        case .response, .notSent, .unknown: self = .failed
        }
    }
}
