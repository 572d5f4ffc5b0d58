/// One kind of trouble, where it strikes and how often (APNs facts §13, §16.21). Started and stopped by its id.
package struct Fault: Sendable, Hashable {
    /// What the service answers instead of judging the request.
    package enum Body: Sendable, Hashable {
        /// `{"reason":…}`, documented or not.
        case reason(String)
        case empty
        /// Anything, as plain text.
        case text(String)
    }

    /// What goes wrong.
    package enum Kind: Sendable, Hashable {
        /// Any status and body; the request is not judged and nothing is accepted.
        case answer(status: Int, Body)
        /// 500 `InternalServerError`, and from then on always on the same connection.
        case stickyInternalServerError
        /// 503 `ServiceUnavailable`, and from then on always on the same connection: the server behind it is ill.
        case stickyServiceUnavailable
        /// 503 `Shutdown`, then the connection closes.
        case shutdown
        /// The request is swallowed: never answered, nothing accepted. `SentResponse.travel` is `.never`.
        case neverAnswer
        /// The connection is reset before the request is read: nothing accepted. `SentResponse.travel` is `.reset`.
        case resetBeforeActing
        /// An accepted push is recorded and sent, then the connection is reset instead of the answer.
        case acceptThenReset
        /// An accepted push is recorded and sent, and the answer never comes.
        case acceptThenSilence
        /// Added to the time until the answer leaves.
        case slow(Duration)
        /// Added to the way of an accepted push to its device.
        case deliveryDelay(Duration)
        /// Like `deliveryDelay`, while later pushes may pass.
        case reordering(Duration)
        /// An accepted push never sets out.
        case lostAfterAcceptance
    }

    /// Whom it strikes.
    package enum Target: Sendable, Hashable {
        case everything
        /// Connections that reached this one of the servers behind the name.
        case backend(Int)
        /// Requests for one device token.
        case token(DeviceToken)
        /// Requests for these devices, and for those that came in their place.
        case devices(Set<DeviceID>)
    }

    /// Unique; stands in `SentResponse.faultID`.
    var id: String
    var kind: Kind
    /// How often it strikes, drawn per request.
    var ratio: Ratio
    var target: Target

    package init(_ id: String, _ kind: Kind, ratio: Ratio = .always, target: Target = .everything) {
        self.id = id
        self.kind = kind
        self.ratio = ratio
        self.target = target
    }
}

extension Fault.Kind {
    /// A documented refusal with its status.
    static func refuse(_ reason: Reason) -> Fault.Kind {
        .answer(status: reason.status, .reason(reason.rawValue))
    }

    /// Whether it stays with a connection that it has struck.
    var isSticky: Bool { self == .stickyInternalServerError || self == .stickyServiceUnavailable }

    /// 503 `ServiceUnavailable` for everyone.
    static let outage = Fault.Kind.refuse(.serviceUnavailable)
}
