import HTTP

/// Asks a GitLab what it offers: a sample item, then each route once.
struct CapabilityProber: Sendable {
    let client: GitLabClient
    /// Stands before every request; nil lets all pass.
    let gate: RequestGate?

    /// How many requests it takes to find everything out, where the release has `/metadata`.
    static let usualRequests = 2 + CapabilitySource.allCases.count

    /// What was found, and how many requests it took.
    struct Outcome: Sendable {
        var capabilities: Capabilities
        var requests: Int
    }

    /// Nine requests, ten where the release has no `/metadata`. A question without answer leaves what was known.
    ///
    /// - Throws: what the gate throws; what GitLab answers is a finding.
    func discover(known: Capabilities?) async throws(GitLabError) -> Outcome {
        let version = try await ask { client throws(GitLabError) in try await client.metadata().version }
        var findings = CapabilityFindings(known: known, version: version)
        let sample = try await ask { client throws(GitLabError) in try await client.sampleMergeRequest() } ?? nil
        var requests = 2
        for source in CapabilitySource.allCases {
            // Without a sample the router still says whether there is such a route.
            let target = source.target(project: sample?.projectID ?? 1, iid: sample?.iid ?? 1)
            try await gate?.admit()
            requests += 1
            let answer = await client.probe(target)
            if let error = answer.error { gate?.noteFailure(error) } else { gate?.noteSuccess() }
            findings.take(answer.error, of: source)
            if answer.tellsRateLimit { findings.takeRateLimitHeaders() }
        }
        return Outcome(capabilities: findings.capabilities, requests: requests)
    }

    /// The release's name; nil when GitLab does not say.
    ///
    /// - Throws: what the gate throws, and what GitLab's limit says: that is no answer.
    func version() async throws(GitLabError) -> String? {
        try await gate?.admit()
        do {
            let version = try await client.metadata().version
            gate?.noteSuccess()
            return version
        } catch {
            gate?.noteFailure(error)
            guard !error.isHeldBack else { throw error }
            return nil
        }
    }

    private func ask<Response: Sendable>(
        _ question: (GitLabClient) async throws(GitLabError) -> Response
    ) async throws(GitLabError) -> Response? {
        try await gate?.admit()
        do {
            let answer = try await question(client)
            gate?.noteSuccess()
            return answer
        } catch {
            gate?.noteFailure(error)
            return nil
        }
    }
}
