import HTTP
import Platform

/// The checks of a request, in the configured order (APNs facts §3, §4, §6).
extension ServiceState {
    /// The first refusal; nil when every check passed.
    mutating func judge(_ exchange: inout Exchange, _ fleet: DeviceFleet) -> Refusal? {
        for check in configuration.checkOrder.checks {
            if let refusal = judge(check, &exchange, fleet) { return refusal }
        }
        return nil
    }

    private mutating func judge(_ check: Check, _ exchange: inout Exchange, _ fleet: DeviceFleet) -> Refusal? {
        switch check {
        case .registration:
            return exchange.standing.flatMap { standing in
                standing.refusal.map { Refusal($0, timestamp: standing.timestamp) }
            }
        case .duplicateHeaders: return exchange.headers.hasDuplicates ? Refusal(.duplicateHeaders) : nil
        case .messageID: return judgeMessageID(exchange).map { Refusal($0) }
        case .method: return exchange.request.method == .post ? nil : Refusal(.methodNotAllowed)
        case .path: return judgePath(exchange).map { Refusal($0) }
        case .providerToken: return judgeProviderToken(&exchange).map { Refusal($0) }
        case .topic: return judgeTopic(exchange).map { Refusal($0) }
        case .pushType: return judgePushType(&exchange).map { Refusal($0) }
        case .topicScope: return judgeTopicScope(exchange).map { Refusal($0) }
        case .collapseID: return judgeCollapseID(exchange).map { Refusal($0) }
        case .expiration: return judgeExpiration(&exchange).map { Refusal($0) }
        case .priority: return judgePriority(&exchange).map { Refusal($0) }
        case .payload: return judgePayload(&exchange).map { Refusal($0) }
        case .deviceToken: return judgeDeviceToken(&exchange, fleet).map { Refusal($0) }
        case .deviceTopic:
            return exchange.standing?.bundleID == exchange.bundleID ? nil : Refusal(.deviceTokenNotForTopic)
        case .rate: return judgeRate(exchange, fleet).map { Refusal($0) }
        }
    }

    private func judgeMessageID(_ exchange: Exchange) -> Reason? {
        guard let id = exchange.headers.apnsID else { return nil }
        let isValid = HeaderRules.isMessageID(id, acceptsUpperCase: configuration.acceptsUpperCaseMessageIDs)
        return isValid ? nil : .badMessageID
    }

    private func judgePath(_ exchange: Exchange) -> Reason? {
        if exchange.request.target == Exchange.pathPrefix { return .missingDeviceToken }
        let segment = exchange.lastSegment.utf8
        let isPath = !segment.isEmpty && !segment.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        return isPath ? nil : .badPath
    }

    private func judgeTopic(_ exchange: Exchange) -> Reason? {
        guard let topic = exchange.headers.topic else { return .missingTopic }
        return HeaderRules.isTopic(topic) ? nil : .badTopic
    }

    private func judgePushType(_ exchange: inout Exchange) -> Reason? {
        guard let topic = exchange.headers.topic else { return .missingTopic }
        let type: PushType
        if let text = exchange.headers.pushType {
            guard let known = PushType(rawValue: text) else { return .invalidPushType }
            type = known
        } else {
            if configuration.missingPushType == .refused { return .invalidPushType }
            type = PushType.inferred(fromTopic: topic)
        }
        exchange.type = type
        exchange.bundleID = type.bundleID(inTopic: topic)
        return exchange.bundleID == nil ? configuration.topicSuffixReason : nil
    }

    private func judgeTopicScope(_ exchange: Exchange) -> Reason? {
        guard let topics = exchange.key?.topics, let topic = exchange.headers.topic else { return nil }
        // The push type may not have been judged yet; any suffix of a topic in scope is in scope.
        let isInScope =
            topics.contains(topic)
            || PushType.allCases.contains { type in
                type.bundleID(inTopic: topic).map(topics.contains) ?? false
            }
        return isInScope ? nil : .topicDisallowed
    }

    private func judgeCollapseID(_ exchange: Exchange) -> Reason? {
        guard let id = exchange.headers.collapseID else { return nil }
        return id.utf8.count <= HeaderRules.collapseIDLimitBytes ? nil : .badCollapseID
    }

    private func judgeExpiration(_ exchange: inout Exchange) -> Reason? {
        guard let text = exchange.headers.expiration else { return nil }
        guard let expiration = HeaderRules.expiration(text) else { return .badExpirationDate }
        exchange.expiration = expiration
        guard case .at(let instant) = expiration, instant <= exchange.now.wall else { return nil }
        return configuration.pastExpirationReason
    }

    private func judgePriority(_ exchange: inout Exchange) -> Reason? {
        if let text = exchange.headers.priority {
            guard let priority = PushPriority(rawValue: text) else { return .badPriority }
            exchange.priority = priority
        }
        guard exchange.headers.pushType == PushType.background.rawValue, exchange.priority == .immediate else {
            return nil
        }
        return configuration.backgroundImmediateReason
    }

    private func judgePayload(_ exchange: inout Exchange) -> Reason? {
        let payload = exchange.request.body
        if payload.isEmpty { return .payloadEmpty }
        let type = exchange.type ?? .alert
        if payload.count > type.payloadLimitBytes { return .payloadTooLarge }
        guard let summary = PayloadScanner.scan(payload) else { return configuration.malformedPayloadReason }
        exchange.summary = summary
        return summary.hasAps || type == .mdm ? nil : configuration.missingApsReason
    }

    /// A token that is malformed, unknown or from the other environment: one and the same answer (APNs facts §10).
    private func judgeDeviceToken(_ exchange: inout Exchange, _ fleet: DeviceFleet) -> Reason? {
        guard let token = DeviceToken(exchange.lastSegment), let standing = fleet.standing(of: token),
            standing.environment == configuration.environment
        else { return .badDeviceToken }
        exchange.token = token
        exchange.standing = standing
        return nil
    }

    private mutating func judgeRate(_ exchange: Exchange, _ fleet: DeviceFleet) -> Reason? {
        guard let key = exchange.key, let standing = exchange.standing else { return nil }
        let now = exchange.now.monotonic
        if penalties.isBlocked(key.teamID, at: now) { return .tooManyRequests }
        if fleet.takeRate(token: standing.index) { return nil }
        penalties.refused(key.teamID, configuration.penalty, at: now)
        return .tooManyRequests
    }
}

extension PushType {
    /// What a push without `apns-push-type` is, by its topic's suffix.
    fileprivate static func inferred(fromTopic topic: String) -> PushType {
        allCases.first { !$0.topicSuffix.isEmpty && topic.hasSuffix($0.topicSuffix) } ?? .alert
    }
}
