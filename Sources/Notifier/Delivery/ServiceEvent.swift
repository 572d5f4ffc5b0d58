import HTTP

/// What an outcome says about the service and the connection, apart from the one delivery.
enum ServiceEvent: Equatable, Sendable {
    /// The push was taken.
    case accepted
    /// APNs answered about the push itself, so it works.
    case answered
    /// APNs knows the device token in no way that fits.
    case tokenFault
    /// Too busy or broken; `reconnects` when a new connection may help.
    case failed(reconnects: Bool)
    /// No answer, or no connection: what is connected may be dead.
    case lost
    /// The connection is over, the service is not.
    case disconnected
    /// The provider token was refused.
    case providerTokenRefused
    /// The provider token changed too often.
    case providerTokenLimited
    /// The server's own settings are refused.
    case misconfigured
    /// This process stopped waiting.
    case abandoned

    init(_ outcome: PushOutcome) {
        switch outcome {
        case .accepted: self = .accepted
        case .unknown(.cancelled), .notSent(.cancelled): self = .abandoned
        case .unknown, .notSent: self = .lost
        case .rejected(let rejection):
            switch PushRemedy(rejection) {
            case .dropMessage, .dropToken, .throttleDevice: self = .answered
            case .holdToken: self = .tokenFault
            case .service: self = .failed(reconnects: false)
            case .serviceAndReconnect: self = .failed(reconnects: true)
            case .reconnect: self = .disconnected
            case .renewToken: self = .providerTokenRefused
            case .keepToken: self = .providerTokenLimited
            case .configuration: self = .misconfigured
            }
        }
    }
}

/// What the gate makes of one outcome.
struct ServiceRuling: Equatable, Sendable {
    /// False when the service was known to be down or sick, so that its refusal says nothing about the push.
    var isCounted = true
    /// False while so many device tokens are refused that the fault must be on this side.
    var mayHoldDevice = true
}
