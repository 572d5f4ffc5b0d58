import Platform

extension ScenarioDecoder {
    /// What a fault of that kind does, with the defaults of its table; nil when a value the shape promised is not there.
    mutating func decodeEffect(_ kind: FaultKind, _ cursor: Cursor) -> FaultEffect? {
        if let fault = decodeLinkFault(kind, cursor) {
            guard let link: Link = cursor.choice("link") else { return nil }
            return .link(fault, on: link, ratio: cursor.ratio("ratio") ?? .one)
        }
        switch kind {
        case .gitlabOutage, .gitlabRouteOutage, .gitlabRouteMissing, .gitlabUpgrade, .gitlabRateLimit, .gitlabSlow,
            .replicaLag, .lateCommit, .pageDrift, .webhookDuplicate, .webhookForged:
            return decodeGitLabFault(kind, cursor)
        case .apnsOutage, .apnsReason, .apnsLostAnswer, .apnsNeverAnswers, .apnsSticky500, .apnsSlow, .apnsShutdown,
            .tokenUpdateLimit:
            return decodeAPNsFault(kind, cursor)
        case .crash: return .crash
        case .restart: return .restart
        case .stall: return .stall
        case .diskFull: return .diskFull
        case .diskDamaged: return .diskDamaged
        case .approvalNoteLost: return .approvalNoteLost
        case .crashAtStep:
            guard let step: DurableStep = cursor.choice("step") else { return nil }
            return .crashAtStep(step, occurrence: cursor.integer("occurrence") ?? 1)
        default:
            return decodeClockFault(kind, cursor)
        }
    }

    private mutating func decodeLinkFault(_ kind: FaultKind, _ cursor: Cursor) -> LinkFault? {
        switch kind {
        case .latency: .latency(cursor["latency"].map { decodeLatency($0) } ?? .constant(.zero))
        case .refuse: .refuse
        case .stallBeforeFirstByte: .stallBeforeFirstByte(cursor.duration("stall") ?? .zero)
        case .stallInBody: .stallInBody(cursor.duration("stall") ?? .zero)
        case .resetBefore: .resetBefore
        case .resetAfter: .resetAfter
        case .truncate: .truncate(afterBytes: cursor.integer("afterBytes") ?? 100)
        case .slowBody: .slowBody(bytesPerSecond: cursor.integer("bytesPerSecond") ?? 1)
        default: nil
        }
    }

    private mutating func decodeGitLabFault(_ kind: FaultKind, _ cursor: Cursor) -> FaultEffect? {
        let ratio = cursor.ratio("ratio") ?? .one
        switch kind {
        case .gitlabOutage:
            let mode: OutageMode? = cursor.choice("mode")
            return mode.map { .gitlabOutage($0, ratio: ratio) }
        case .gitlabRouteOutage:
            guard let mode: OutageMode = cursor.choice("mode") else { return nil }
            return .gitlabRouteOutage(mode, route: decodeRoute(cursor), ratio: ratio)
        case .gitlabRouteMissing: return .gitlabRouteMissing(route: decodeRoute(cursor), ratio: ratio)
        case .gitlabUpgrade:
            let version: GitLabWorld.Version? = cursor.choice("version")
            return version.map { .gitlabUpgrade($0) }
        case .gitlabRateLimit:
            guard let limiter: Limiter = cursor.choice("limiter"), let period = cursor.duration("period") else {
                return nil
            }
            if limiter == .b, period != .minutes(1), let place = cursor["period"] {
                note(.outOfRange, place, "Limiter b counts notes per minute.", hint: "Write \"period\": \"1m\".")
            }
            let limit = RequestLimit(requests: cursor.integer("requests") ?? 1, period: period)
            return .gitlabRateLimit(limiter, limit)
        case .gitlabSlow:
            return .gitlabSlow(cursor["latency"].map { decodeLatency($0) } ?? .constant(.zero), ratio: ratio)
        case .replicaLag: return .replicaLag(cursor.duration("lag") ?? .zero, ratio: ratio)
        case .lateCommit: return .lateCommit(hold: cursor.duration("hold") ?? .zero, ratio: ratio)
        case .webhookDuplicate: return .webhookDuplicate(ratio: ratio)
        case .webhookForged: return .webhookForged(ratio: ratio)
        default: return .pageDrift(ratio: ratio)
        }
    }

    /// The pattern as it stands; the fake GitLab reads every one that is sound.
    private mutating func decodeRoute(_ cursor: Cursor) -> String {
        guard let place = cursor["route"], let text = cursor.text("route") else { return "/**" }
        if !RouteNotation.isSound(text) {
            let hint = "Write a path below /api/v4, such as /projects/*/issues/** or GET /todos."
            note(.badNotation, place, "\"\(text)\" is no route.", hint: hint)
        }
        return text
    }

    private mutating func decodeAPNsFault(_ kind: FaultKind, _ cursor: Cursor) -> FaultEffect? {
        let ratio = cursor.ratio("ratio") ?? .one
        switch kind {
        case .apnsOutage:
            let mode: APNsOutageMode? = cursor.choice("mode")
            return mode.map { .apnsOutage($0, ratio: ratio) }
        case .apnsReason:
            let reason: APNsReason? = cursor.choice("reason")
            return reason.map { .apnsReason($0, ratio: ratio) }
        case .apnsLostAnswer: return .apnsLostAnswer(ratio: ratio)
        case .apnsNeverAnswers: return .apnsNeverAnswers(ratio: ratio)
        case .apnsSticky500: return .apnsSticky500(ratio: ratio)
        case .apnsSlow: return .apnsSlow(cursor["latency"].map { decodeLatency($0) } ?? .constant(.zero), ratio: ratio)
        case .apnsShutdown: return .apnsShutdown(ratio: ratio)
        default: return .tokenUpdateLimit(period: cursor.duration("period") ?? .seconds(1_200))
        }
    }

    private func decodeClockFault(_ kind: FaultKind, _ cursor: Cursor) -> FaultEffect? {
        guard let node: ClockNode = cursor.choice("node") else { return nil }
        switch kind {
        case .clockOffset: return .clockOffset(node, cursor.duration("offset") ?? .zero)
        case .clockStep: return .clockStep(node, cursor.duration("jump") ?? .zero)
        default: return .clockDrift(node, partsPerMillion: Int64(cursor.integer("partsPerMillion") ?? 0))
        }
    }
}
