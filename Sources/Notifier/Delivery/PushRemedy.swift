/// What a provider does about an answer: the table of APNs facts §6.
enum PushRemedy: Equatable, Sendable, CaseIterable {
    /// Our own mistake: never resend.
    case dropMessage
    /// The token is gone for good, unless it was registered again since.
    case dropToken
    /// The token may be right for another environment or topic: stop using it, keep the row.
    case holdToken
    /// Too many to this device: wait with all of its pushes.
    case throttleDevice
    /// Too busy or broken for now: slow down for everybody.
    case service
    /// Broken, and possibly only on this connection.
    case serviceAndReconnect
    /// This connection is over; the same push goes over a new one.
    case reconnect
    /// A new provider token and a new connection, then the same push.
    case renewToken
    /// The provider token changed too often: keep the one in use and wait.
    case keepToken
    /// Nothing will be accepted until somebody changes the server's settings: stop and say so.
    case configuration

    /// True for what APNs says of the device's token alone.
    var isAboutDevice: Bool { [.dropToken, .holdToken, .throttleDevice].contains(self) }

    init(_ rejection: PushRejection) {
        switch rejection.reason {
        case "BadDeviceToken", "DeviceTokenNotForTopic": self = .holdToken
        case "BadTopic", "MissingTopic", "TopicDisallowed", "BadEnvironmentKeyIdInToken", "BadCertificate",
            "BadCertificateEnvironment", "Forbidden":
            self = .configuration
        case "IdleTimeout", "UnrelatedKeyIdInToken": self = .reconnect
        case "MissingProviderToken", "InvalidProviderToken", "ExpiredProviderToken": self = .renewToken
        case "TooManyProviderTokenUpdates": self = .keepToken
        case "TooManyRequests": self = .throttleDevice
        case "Unregistered", "ExpiredToken": self = .dropToken
        case "InternalServerError", "Shutdown": self = .serviceAndReconnect
        default: self.init(status: rejection.status)
        }
    }

    /// Apple adds reasons without notice; the class of the status says what kind of trouble it is.
    private init(status: Int) {
        switch status {
        case 403: self = .configuration
        case 410: self = .dropToken
        case 429: self = .throttleDevice
        case 400...499: self = .dropMessage
        default: self = .service
        }
    }
}
