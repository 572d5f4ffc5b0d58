import Platform

/// What the readings of one cycle came to.
struct CycleTally: Sendable {
    private(set) var read = 0
    private(set) var serviceFailures = 0
    private(set) var refusals = 0
    /// 403 without a word about the account.
    private(set) var unexplainedRefusals = 0
    private(set) var unauthorized = 0
    /// Answers that concern one item or one question.
    private(set) var otherFailures = 0
    /// What became of a 401, once it was looked into.
    var verdict: AccountHealth.Verdict?

    mutating func countRead() {
        read += 1
    }

    mutating func count(_ error: GitLabError) {
        switch error {
        case .unavailable, .unreachable, .undecodable, .crowded: serviceFailures += 1
        case .forbidden(.scope), .forbidden(.accountState): refusals += 1
        case .unauthorized: unauthorized += 1
        case .rateLimited, .notAsked, .spared, .budgetSpent: break
        case .forbidden(.permission): unexplainedRefusals += 1
        case .notFound, .rejected, .tooManyPages, .listTooLong, .unstable: otherFailures += 1
        }
    }

    /// Whether nothing was answered, and something refused without a reason. Some items may be forbidden (trap 22); where everything is,
    /// GitLab is in trouble, or shuts this address out.
    var isShutOut: Bool { read == 0 && unexplainedRefusals > 0 }

    /// How the cycle went, with what the gate saw of it.
    func outcome(_ count: RequestGate.Count) -> PollPolicy.Outcome {
        if let retryAfter = count.rateLimit { return .rateLimited(retryAfter: retryAfter) }
        if count.isGivenUp { return .failed }
        if read > 0 { return .answered }
        if refusals > 0 { return .refused }
        let isTokenInDoubt = unauthorized > 0 && verdict != .tokenWorks
        return serviceFailures > 0 || isTokenInDoubt || isShutOut ? .failed : .answered
    }
}
