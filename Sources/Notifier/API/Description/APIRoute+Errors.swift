import Configuration

extension APIRoute {
    /// Every refusal that a request for this route can meet, each code once: those of its kind, then its own.
    var allErrors: [APIError] {
        var known: Set<String> = []
        let limit: [APIError] = toll != .none ? [.rateLimited(retryAfter: .seconds(1))] : []
        return (Self.everywhere + limit + sessionErrors + inputErrors + gitLabErrors + description.errors)
            .filter { known.insert($0.code).inserted }
    }

    private static var everywhere: [APIError] {
        let limits = NotifierConfiguration()
        return [
            .malformedRequest, .bodyTooLarge(limit: limits.requestBodyLimitBytes),
            .targetTooLong(limit: limits.requestTargetLimitBytes),
            .headersTooLarge(limit: limits.requestHeaderLimitBytes), .databaseUnavailable, .internalFailure,
            .stopping, .versionNotSupported,
        ]
    }

    private var sessionErrors: [APIError] {
        switch access {
        case .open: []
        case .account: [.sessionMissing, .sessionInvalid, .sessionExpired]
        case .program: [.signalTokenMissing, .signalTokenInvalid]
        case .device: [.sessionMissing, .sessionInvalid, .sessionExpired, .deviceSessionMissing]
        }
    }

    private var inputErrors: [APIError] {
        let hasInput = description.body != nil || description.parameters.contains { $0.place != .path }
        guard hasInput else { return [] }
        let field = APIError.invalidField("name", expected: "what the schema says")
        return description.body == nil ? [field] : [.invalidJSON, field]
    }

    /// What GitLab may answer instead of what was asked for.
    private var gitLabErrors: [APIError] {
        guard asksGitLab else { return [] }
        return [
            .busy, .tooManyWaiting, .gitLabNotServed, .gitLabTokenRefused(code: "gitlab.unauthorized"),
            .gitLabScopeMissing(found: []),
            .gitLabAccountRefused, .gitLabPermissionMissing, .gitLabUnreachable("gitlab.unreachable"),
            .gitLabUnreadable("gitlab.unreadable"), .gitLabUnavailable("gitlab.unavailable"),
            .gitLabRateLimited(retryAfter: .seconds(60)),
        ] + (access == .open ? [] : [.requestBudgetSpent(retryAfter: .seconds(60))])
    }
}
