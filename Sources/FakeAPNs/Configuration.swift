import Platform

extension FakeAPNs {
    /// What becomes of a push without `apns-push-type` (APNs facts §3: error, delay, or silent drop).
    enum MissingPushType: Sendable, Hashable, CaseIterable {
        /// The type follows from the topic's suffix; a plain bundle id means an alert.
        case inferred
        /// 400 `InvalidPushType`
        case refused
        /// 200, and nothing reaches the device.
        case discarded
    }

    /// What becomes of a request that comes while its connection has no free stream (APNs facts §8, §18).
    enum ExcessStreams: Sendable, Hashable, CaseIterable {
        /// Refused with REFUSED_STREAM and resent by the client's library once a stream is free, as libcurl and others do:
        /// the sender only sees a longer wait.
        case resent
        /// The connection is closed and nothing is accepted, as once seen with GOAWAY.
        case closeConnection
    }

    /// How the imitated service behaves. Defaults imitate production; what is assumed rather than documented says so.
    package struct Configuration: Sendable {
        /// Which service this is; tokens of the other are `BadDeviceToken`.
        package var environment = APNsEnvironment.production
        /// Which of several faults is reported (APNs facts §21.1).
        var checkOrder = CheckOrder.providerTokenFirst
        /// Documented as lower case, seen in upper case (APNs facts §3).
        var acceptsUpperCaseMessageIDs = true
        /// Letter case of ids made here; today's is not known (APNs facts §21.8).
        var inventsUpperCaseMessageIDs = true
        /// Whether `Bearer` passes for `bearer` (APNs facts §3).
        var acceptsAnyBearerCase = false
        /// What becomes of a push without `apns-push-type` (APNs facts §3).
        var missingPushType = MissingPushType.inferred
        /// For a topic without the suffix its push type needs. Assumed.
        var topicSuffixReason = Reason.badTopic
        /// For `background` with priority 10, given or by default; nil accepts it. Assumed (APNs facts §3).
        var backgroundImmediateReason: Reason? = .badPriority
        /// For an `apns-expiration` in the past; nil accepts and discards (APNs facts §21.9).
        var pastExpirationReason: Reason?
        /// For a body that is not one JSON object. Assumed (APNs facts §4).
        var malformedPayloadReason = Reason.payloadEmpty
        /// For a payload without an `aps` object; nil accepts it. Assumed (APNs facts §4).
        var missingApsReason: Reason? = .payloadEmpty
        /// A provider token older than this has expired (APNs facts §7).
        var providerTokenLifetime: Duration = .hours(1)
        /// How far ahead `iat` may lie. Assumed (APNs facts §7).
        var issuedAheadTolerance: Duration = .hours(1)
        /// The reason beyond that tolerance.
        var issuedAheadReason = Reason.invalidProviderToken
        /// Whether a signature in DER form passes for the 64 bytes r‖s of JOSE. Apple's own sample has one; no source says that it works
        /// (APNs facts §7, §16.9).
        var acceptsDERSignatures = false
        /// A second new provider token within this time is refused; zero never refuses (APNs facts §7).
        var tokenUpdateWindow: Duration = .minutes(20)
        /// Streams of a connection in good standing (APNs facts §8).
        var streamLimit = 1_000
        /// What becomes of requests beyond the streams of their connection.
        var excessStreams = ExcessStreams.resent
        /// This many 4xx, 410 apart, within the window close the connection: about as many as one sender had seen when GOAWAYs came
        /// (supplement §6). Window and the next number are assumed (APNs facts §6).
        var badAnswerLimit = 2_000
        /// This many `BadDeviceToken` within the window close it as well.
        var badDeviceTokenLimit = 1_000
        /// How long a bad answer counts.
        var badAnswerWindow: Duration = .minutes(10)
        /// When a provider is blocked altogether.
        var penalty = PenaltyRules()
        /// When a client that opens too many connections is turned away.
        var churn = ChurnRules()
        /// Bytes of a request's header list as RFC 9113 §6.5.2 counts them (APNs facts §2).
        var headerListLimitBytes = 8_000
        /// The reason of the 431 beyond that. Assumed: no report says what becomes of such a request (supplement §6).
        var longHeadersReason = "RequestHeaderFieldsTooLarge"
        /// Whether a repeated `apns-id` for one token is dropped behind a 200. APNs is not known to (APNs facts §11).
        var dropsRepeatedMessageIDs = false
        /// From a request to its answer (APNs facts §12: p50 45 ms, p90 90 ms, p99 300 ms, p99.9 2 s).
        var responseLatency = QuantileTable([
            .init(perMille: 0, value: .milliseconds(20)), .init(perMille: 500, value: .milliseconds(45)),
            .init(perMille: 900, value: .milliseconds(90)), .init(perMille: 990, value: .milliseconds(300)),
            .init(perMille: 999, value: .seconds(2)), .init(perMille: 1_000, value: .seconds(5)),
        ])
        /// Added to the first request of a connection. Assumed.
        var slowStart: Duration = .milliseconds(100)
        /// Servers behind the name; each connection reaches one of them.
        var backendCount = 1
        /// How long an unanswered request occupies its stream.
        var unansweredHold: Duration = .seconds(30)
        /// How many connections are remembered; the oldest is forgotten first.
        var connectionLimit = 4_096
        /// How many requests the ledger keeps; up to a quarter more between two clearings.
        package var requestLedgerLimit = 100_000

        package init() {}
    }
}
