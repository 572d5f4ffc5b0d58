/// The reasons APNs documents, with their status (APNs facts §6).
package enum APNsReason: String, Sendable, CaseIterable {
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case invalidPushType = "InvalidPushType"
    case duplicateHeaders = "DuplicateHeaders"
    case payloadEmpty = "PayloadEmpty"
    case badTopic = "BadTopic"
    case missingTopic = "MissingTopic"
    case topicDisallowed = "TopicDisallowed"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case missingDeviceToken = "MissingDeviceToken"
    case idleTimeout = "IdleTimeout"
    case missingProviderToken = "MissingProviderToken"
    case invalidProviderToken = "InvalidProviderToken"
    case expiredProviderToken = "ExpiredProviderToken"
    case unrelatedKeyIDInToken = "UnrelatedKeyIdInToken"
    case badEnvironmentKeyIDInToken = "BadEnvironmentKeyIdInToken"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case forbidden = "Forbidden"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case unregistered = "Unregistered"
    case expiredToken = "ExpiredToken"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case tooManyRequests = "TooManyRequests"
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"

    /// Whether a push that was refused so is not to be sent again: the message, or the token, is called wrong (APNs facts §6).
    package var isFinal: Bool {
        switch self {
        case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .invalidPushType,
            .duplicateHeaders, .payloadEmpty, .deviceTokenNotForTopic, .missingDeviceToken, .badPath, .methodNotAllowed,
            .unregistered, .expiredToken, .payloadTooLarge:
            true
        case .badTopic, .missingTopic, .topicDisallowed, .idleTimeout, .missingProviderToken, .invalidProviderToken,
            .expiredProviderToken, .unrelatedKeyIDInToken, .badEnvironmentKeyIDInToken, .badCertificate,
            .badCertificateEnvironment, .forbidden, .tooManyProviderTokenUpdates, .tooManyRequests,
            .internalServerError, .serviceUnavailable, .shutdown:
            false
        }
    }

    /// The status the reason comes with.
    package var status: Int {
        switch self {
        case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .invalidPushType,
            .duplicateHeaders, .payloadEmpty, .badTopic, .missingTopic, .topicDisallowed, .deviceTokenNotForTopic,
            .missingDeviceToken, .idleTimeout:
            400
        case .missingProviderToken, .invalidProviderToken, .expiredProviderToken, .unrelatedKeyIDInToken,
            .badEnvironmentKeyIDInToken, .badCertificate, .badCertificateEnvironment, .forbidden:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .unregistered, .expiredToken: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }
}
