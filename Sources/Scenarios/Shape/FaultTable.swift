import Platform

/// Every fault, one row each: schema, check, documentation, reading and writing follow it. What a fault does is played by
/// `SimulatedWorld.begin`.
extension FaultForm {
    static let all = links + services + push + delivery + machine + devices

    /// What links do to requests.
    private static let links = [
        FaultForm(
            .latency,
            .link,
            .slow,
            "A link takes longer.",
            .link,
            .latency,
            .ratio,
            effect: { .link(.latency($1), on: $0, ratio: $2) },
            values: {
                if case .link(.latency(let table), let link, let ratio) = $0 { (link, table, ratio) } else { nil }
            }
        ),
        FaultForm(
            .refuse,
            .link,
            .down,
            "A link refuses connections.",
            .link,
            .ratio,
            effect: { .link(.refuse, on: $0, ratio: $1) },
            values: { if case .link(.refuse, let link, let ratio) = $0 { (link, ratio) } else { nil } }
        ),
        FaultForm(
            .stallBeforeFirstByte,
            .link,
            .down,
            "Answers on a link begin late.",
            .link,
            .stall,
            .ratio,
            effect: { .link(.stallBeforeFirstByte($1), on: $0, ratio: $2) },
            values: {
                if case .link(.stallBeforeFirstByte(let stall), let link, let ratio) = $0 {
                    (link, stall, ratio)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .stallInBody,
            .link,
            .down,
            "Answers on a link stop in their middle.",
            .link,
            .stall,
            .ratio,
            effect: { .link(.stallInBody($1), on: $0, ratio: $2) },
            values: {
                if case .link(.stallInBody(let stall), let link, let ratio) = $0 { (link, stall, ratio) } else { nil }
            }
        ),
        FaultForm(
            .resetBefore,
            .link,
            .down,
            "Connections are reset before the server saw the request.",
            .link,
            .ratio,
            effect: { .link(.resetBefore, on: $0, ratio: $1) },
            values: { if case .link(.resetBefore, let link, let ratio) = $0 { (link, ratio) } else { nil } }
        ),
        FaultForm(
            .resetAfter,
            .link,
            .down,
            "Connections are reset after the server acted.",
            .link,
            .ratio,
            effect: { .link(.resetAfter, on: $0, ratio: $1) },
            values: { if case .link(.resetAfter, let link, let ratio) = $0 { (link, ratio) } else { nil } }
        ),
        FaultForm(
            .truncate,
            .link,
            .down,
            "Answers on a link end too early.",
            .link,
            .integer("afterBytes", 0...1_048_576, standard: 100, "Where the body ends; 100 by default."),
            .ratio,
            effect: { .link(.truncate(afterBytes: $1), on: $0, ratio: $2) },
            values: {
                if case .link(.truncate(let bytes), let link, let ratio) = $0 {
                    (link, bytes, ratio)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .slowBody,
            .link,
            .slow,
            "Answers on a link trickle.",
            .link,
            .integer("bytesPerSecond", 1...1_000_000, "How slow."),
            .ratio,
            effect: { .link(.slowBody(bytesPerSecond: $1), on: $0, ratio: $2) },
            values: {
                if case .link(.slowBody(let rate), let link, let ratio) = $0 { (link, rate, ratio) } else { nil }
            }
        ),
    ]

    /// What GitLab does, and what becomes of webhooks.
    private static let services = [
        FaultForm(
            .gitlabOutage,
            .gitlab,
            .down,
            "GitLab is down.",
            .choice("mode", "What callers see."),
            .ratio,
            effect: { .gitlabOutage($0, ratio: $1) },
            values: { if case .gitlabOutage(let mode, let ratio) = $0 { (mode, ratio) } else { nil } }
        ),
        FaultForm(
            .gitlabRouteOutage,
            .gitlab,
            .down,
            "Some of GitLab's routes fail.",
            .choice("mode", "What callers see."),
            .route,
            .ratio,
            effect: { .gitlabRouteOutage($0, route: $1, ratio: $2) },
            values: {
                if case .gitlabRouteOutage(let mode, let route, let ratio) = $0 { (mode, route, ratio) } else { nil }
            }
        ),
        FaultForm(
            .gitlabRouteMissing,
            .gitlab,
            .down,
            "Some of GitLab's routes are not there, as in another release.",
            .route,
            .ratio,
            effect: { .gitlabRouteMissing(route: $0, ratio: $1) },
            values: { if case .gitlabRouteMissing(let route, let ratio) = $0 { (route, ratio) } else { nil } }
        ),
        FaultForm(
            .gitlabRowsChanged,
            .gitlab,
            .down,
            "Rows of GitLab's answers are not as documented.",
            .choice("change", "How they differ."),
            .route,
            .ratio,
            effect: { .gitlabRowsChanged($0, route: $1, ratio: $2) },
            values: {
                if case .gitlabRowsChanged(let change, let route, let ratio) = $0 {
                    (change, route, ratio)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .gitlabUpgrade,
            .gitlab,
            .down,
            "GitLab answers 502 and is another release afterwards.",
            .choice("version", "The new release."),
            effect: { .gitlabUpgrade($0) },
            values: { if case .gitlabUpgrade(let version) = $0 { version } else { nil } }
        ),
        FaultForm(
            .gitlabRateLimit,
            .gitlab,
            .limited,
            "GitLab throttles.",
            .choice("limiter", "a: per user, plain text; b: per action, JSON."),
            .integer("requests", 1...1_000_000, "How many are let through."),
            .length("period", "In each window of this length."),
            check: { effect, decoder, cursor in
                guard case .gitlabRateLimit(.b, let limit) = effect, limit.period != .minutes(1) else { return }
                guard let place = cursor["period"] else { return }
                decoder.note(
                    .outOfRange,
                    place,
                    "Limiter b counts notes per minute.",
                    hint: "Write \"period\": \"1m\"."
                )
            },
            effect: { .gitlabRateLimit($0, RequestLimit(requests: $1, period: $2)) },
            values: {
                if case .gitlabRateLimit(let limiter, let limit) = $0 {
                    (limiter, limit.requests, limit.period)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .gitlabSlow,
            .gitlab,
            .slow,
            "GitLab takes longer.",
            .latency,
            .ratio,
            effect: { .gitlabSlow($0, ratio: $1) },
            values: { if case .gitlabSlow(let table, let ratio) = $0 { (table, ratio) } else { nil } }
        ),
        FaultForm(
            .replicaLag,
            .gitlab,
            .slow,
            "GitLab reads from a replica that lags.",
            .length("lag", "How far the replica is behind."),
            .ratio,
            effect: { .replicaLag($0, ratio: $1) },
            values: { if case .replicaLag(let lag, let ratio) = $0 { (lag, ratio) } else { nil } }
        ),
        FaultForm(
            .lateCommit,
            .gitlab,
            .slow,
            "New rows become visible late, with their original ids.",
            .length("hold", "How much later rows become visible."),
            .ratio,
            effect: { .lateCommit(hold: $0, ratio: $1) },
            values: { if case .lateCommit(let hold, let ratio) = $0 { (hold, ratio) } else { nil } }
        ),
        FaultForm(
            .pageDrift,
            .gitlab,
            .slow,
            "Rows shift between the pages of one list.",
            .ratio,
            effect: { .pageDrift(ratio: $0) },
            values: { if case .pageDrift(let ratio) = $0 { ratio } else { nil } }
        ),
        FaultForm(
            .approvalNoteLost,
            .gitlab,
            .slow,
            "Approvals leave no system note.",
            effect: { .approvalNoteLost },
            values: { if case .approvalNoteLost = $0 { () } else { nil } }
        ),
        FaultForm(
            .webhookDuplicate,
            .webhooks,
            .slow,
            "Webhooks are sent twice.",
            .ratio,
            effect: { .webhookDuplicate(ratio: $0) },
            values: { if case .webhookDuplicate(let ratio) = $0 { ratio } else { nil } }
        ),
        FaultForm(
            .webhookForged,
            .webhooks,
            .slow,
            "Webhooks are replayed and forged by somebody else.",
            .ratio,
            effect: { .webhookForged(ratio: $0) },
            values: { if case .webhookForged(let ratio) = $0 { ratio } else { nil } }
        ),
    ]
}
