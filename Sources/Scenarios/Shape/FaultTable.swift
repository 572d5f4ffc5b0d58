/// What each fault needs: the one table behind schema, check and documentation.
extension FaultKind {
    /// The keys beside `fault` and the time.
    var fields: [Field] {
        switch self {
        case .latency: [Self.link, Self.latencyField] + Self.lasting
        case .refuse, .resetBefore, .resetAfter: [Self.link] + Self.lasting
        case .stallBeforeFirstByte, .stallInBody: [Self.link, Self.stallField] + Self.lasting
        case .truncate: [Self.link, Self.afterBytes] + Self.lasting
        case .slowBody: [Self.link, Self.bytesPerSecond] + Self.lasting
        case .gitlabOutage:
            [Field("mode", .oneOf(OutageMode.self), isRequired: true, "What callers see.")] + Self.lasting
        case .gitlabRouteOutage:
            [Field("mode", .oneOf(OutageMode.self), isRequired: true, "What callers see."), Self.route] + Self.lasting
        case .gitlabRouteMissing: [Self.route] + Self.lasting
        case .gitlabUpgrade:
            [Field("version", .oneOf(GitLabWorld.Version.self), isRequired: true, "The new release."), Self.length]
        case .gitlabRateLimit: Self.rateLimit
        case .gitlabSlow, .apnsSlow: [Self.latencyField] + Self.lasting
        case .replicaLag: [Field("lag", .length, isRequired: true, "How far the replica is behind.")] + Self.lasting
        case .lateCommit:
            [Field("hold", .length, isRequired: true, "How much later rows become visible.")] + Self.lasting
        case .pageDrift, .apnsLostAnswer, .apnsNeverAnswers, .apnsSticky500, .apnsShutdown, .webhookDuplicate,
            .webhookForged:
            Self.lasting
        case .apnsOutage:
            [Field("mode", .oneOf(APNsOutageMode.self), isRequired: true, "What callers see.")] + Self.lasting
        case .apnsReason:
            [Field("reason", .oneOf(APNsReason.self), isRequired: true, "The reason given.")] + Self.lasting
        case .tokenUpdateLimit: [Self.tokenPeriod, Self.length]
        case .crash, .restart: [Self.downFor]
        case .crashAtStep: Self.crashAtStepFields + [Self.downFor]
        case .stall, .diskFull, .diskDamaged, .approvalNoteLost: [Self.length]
        case .clockOffset:
            [Self.node, Field("offset", .notation(.signedDuration), isRequired: true, "How wrong."), Self.length]
        case .clockStep: [Self.node, Field("jump", .notation(.signedDuration), isRequired: true, "How far it jumps.")]
        case .clockDrift: [Self.node, Self.partsPerMillion, Self.length]
        }
    }

    private static let length = Field("for", .length, isRequired: true, "How long it lasts.")
    private static let lasting = [length, Field("ratio", .ratio, "Share of requests it hits; all by default.")]
    private static let link = Field("link", .oneOf(Link.self), isRequired: true, "On which link.")
    private static let route = Field(
        "route",
        .notation(.text),
        isRequired: true,
        "A path below /api/v4, perhaps after a method: * is one part of it, ** any end."
    )
    private static let latencyField = Field("latency", .latency, isRequired: true, "How much is added.")
    private static let stallField = Field("stall", .length, isRequired: true, "How long nothing comes.")
    private static let afterBytes = Field("afterBytes", .integer(0...1_048_576), "Where the body ends; 100 by default.")
    private static let bytesPerSecond = Field("bytesPerSecond", .integer(1...1_000_000), isRequired: true, "How slow.")
    private static let downFor = Field("downFor", .length, isRequired: true, "How long the notifier is down.")
    private static let node = Field("node", .oneOf(ClockNode.self), isRequired: true, "Whose clock.")
    private static let tokenPeriod = Field("period", .length, "One new token in this time; 20 minutes by default.")
    private static let partsPerMillion = Field(
        "partsPerMillion",
        .integer(-500_000...500_000),
        isRequired: true,
        "How fast (or, negative, slow) it runs."
    )
    private static let crashAtStepFields = [
        Field("step", .oneOf(DurableStep.self), isRequired: true, "At which step."),
        Field("occurrence", .integer(1...1_000_000), "At its nth time after the entry's instant; 1 by default."),
    ]
    private static let rateLimit = [
        Field("limiter", .oneOf(Limiter.self), isRequired: true, "a: per user, plain text; b: per action, JSON."),
        Field("requests", .integer(1...1_000_000), isRequired: true, "How many are let through."),
        Field("period", .length, isRequired: true, "In each window of this length."),
        length,
    ]

    /// One line for documentation and editors.
    package var summary: String {
        switch self {
        case .latency: "A link takes longer."
        case .refuse: "A link refuses connections."
        case .stallBeforeFirstByte: "Answers on a link begin late."
        case .stallInBody: "Answers on a link stop in their middle."
        case .resetBefore: "Connections are reset before the server saw the request."
        case .resetAfter: "Connections are reset after the server acted."
        case .truncate: "Answers on a link end too early."
        case .slowBody: "Answers on a link trickle."
        case .gitlabOutage: "GitLab is down."
        case .gitlabRouteOutage: "Some of GitLab's routes fail."
        case .gitlabRouteMissing: "Some of GitLab's routes are not there, as in another release."
        case .gitlabUpgrade: "GitLab answers 502 and is another release afterwards."
        case .gitlabRateLimit: "GitLab throttles."
        case .gitlabSlow: "GitLab takes longer."
        case .replicaLag: "GitLab reads from a replica that lags."
        case .lateCommit: "New rows become visible late, with their original ids."
        case .webhookDuplicate: "Webhooks are sent twice."
        case .webhookForged: "Webhooks are replayed and forged by somebody else."
        case .pageDrift: "Rows shift between the pages of one list."
        case .approvalNoteLost: "Approvals leave no system note."
        case .apnsOutage: "APNs is down."
        case .apnsReason: "APNs refuses pushes with a documented reason."
        case .apnsLostAnswer: "APNs accepts, but its answer is lost."
        case .apnsNeverAnswers: "APNs swallows requests."
        case .apnsSticky500: "A connection that answered 500 answers nothing else."
        case .apnsSlow: "APNs takes longer."
        case .apnsShutdown: "APNs drains: 503 Shutdown."
        case .tokenUpdateLimit: "APNs refuses provider tokens that change too often."
        case .crash: "The notifier dies where it stands and is started again."
        case .crashAtStep: "The notifier dies at a named step and is started again."
        case .restart: "The notifier is shut down in order and started again."
        case .stall: "Nothing of the notifier runs."
        case .diskFull: "The notifier can write nothing: its disk is full."
        case .diskDamaged: "The notifier finds its database damaged with every write."
        case .clockOffset: "A wall clock is wrong for a while."
        case .clockStep: "A wall clock jumps."
        case .clockDrift: "A wall clock runs fast or slow."
        }
    }
}
