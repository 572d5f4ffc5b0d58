/// One question APNs asks of a request. The order in which several faults in one request are reported is not documented
/// (APNs facts §6, §21.1), so it is a value.
enum Check: Sendable, Hashable, CaseIterable {
    /// `DuplicateHeaders`
    case duplicateHeaders
    /// `BadMessageId`
    case messageID
    /// `MethodNotAllowed`
    case method
    /// `BadPath`, `MissingDeviceToken`
    case path
    /// The six 403 reasons of a provider token, and `TooManyProviderTokenUpdates`
    case providerToken
    /// `MissingTopic`, `BadTopic`
    case topic
    /// `InvalidPushType`, and a topic whose suffix belongs to another type
    case pushType
    /// `TopicDisallowed`
    case topicScope
    /// `BadCollapseId`
    case collapseID
    /// `BadExpirationDate`
    case expiration
    /// `BadPriority`
    case priority
    /// `PayloadEmpty`, `PayloadTooLarge`
    case payload
    /// `BadDeviceToken`
    case deviceToken
    /// `DeviceTokenNotForTopic`
    case deviceTopic
    /// `Unregistered`, `ExpiredToken`
    case registration
    /// `TooManyRequests`
    case rate
}

/// The order in which a request is judged; the first refusal is the answer.
struct CheckOrder: Sendable, Hashable {
    /// Every check once.
    let checks: [Check]

    /// Traps unless every check stands in `checks` once, behind the checks whose findings it uses.
    init(_ checks: [Check]) {
        precondition(
            checks.count == Check.allCases.count && Set(checks).count == checks.count,
            "an order of checks names every check once"
        )
        for (earlier, later) in Self.dependencies {
            precondition(
                checks.firstIndex(of: earlier) ?? 0 < checks.firstIndex(of: later) ?? 0,
                "\(later) is judged from what \(earlier) found"
            )
        }
        self.checks = checks
    }

    /// Whoever has no valid provider token learns nothing about topics and devices.
    static let providerTokenFirst = CheckOrder(Check.allCases)

    /// The order of Pushy's mock server (APNs facts §6): the provider token comes after everything but the payload.
    static let pushyMock = CheckOrder([
        .duplicateHeaders, .messageID, .method, .topic, .collapseID, .expiration, .priority, .pushType, .path,
        .deviceToken, .deviceTopic, .providerToken, .topicScope, .registration, .payload, .rate,
    ])

    private static let dependencies: [(Check, Check)] = [
        (.topic, .pushType), (.topic, .topicScope), (.providerToken, .topicScope), (.path, .deviceToken),
        (.pushType, .payload), (.pushType, .deviceTopic), (.deviceToken, .deviceTopic),
        (.deviceTopic, .registration), (.registration, .rate), (.providerToken, .rate),
    ]
}
