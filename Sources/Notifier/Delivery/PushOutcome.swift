import FoundationEssentials
import HTTP
import Platform

/// What became of one push, as far as this side can tell. A timeout is `unknown`: the push may have arrived (APNs facts §11).
enum PushOutcome: Equatable, Sendable {
    case accepted
    case rejected(PushRejection)
    /// APNs certainly has not seen it.
    case notSent(HTTPFailure)
    /// APNs may have it.
    case unknown(HTTPFailure)

    init(_ outcome: HTTPOutcome) {
        switch outcome {
        case .response(let response) where response.status == 200: self = .accepted
        case .response(let response): self = .rejected(PushRejection(response))
        case .notSent(let failure): self = .notSent(failure)
        case .unknown(let failure): self = .unknown(failure)
        }
    }

    /// A stable word for the row and for log fields: `accepted`, APNs' reason, or how the exchange failed.
    var code: String {
        switch self {
        case .accepted: "accepted"
        case .rejected(let rejection): rejection.code
        case .notSent(let failure): "not_sent.\(failure.rawValue)"
        case .unknown(let failure): "unknown.\(failure.rawValue)"
        }
    }
}

/// An answer other than 200. The body holds `reason`, and with 410 a `timestamp` in milliseconds (APNs facts §5).
struct PushRejection: Equatable, Sendable {
    private struct Body: Decodable {
        var reason: String?
        var timestamp: Int64?
    }

    /// Longest reason kept of a body that is not APNs' own.
    private static let reasonLimitBytes = 64

    var status: Int
    /// APNs' word, kept even when unknown; empty when the body holds none.
    var reason: String
    /// When APNs last confirmed the token invalid; only with 410.
    var invalidSince: WallTime?
    /// Not documented for APNs, honoured when present (APNs facts §5).
    var retryAfter: Duration?

    init(status: Int, reason: String, invalidSince: WallTime? = nil, retryAfter: Duration? = nil) {
        self.status = status
        self.reason = reason
        self.invalidSince = invalidSince
        self.retryAfter = retryAfter
    }

    init(_ response: HTTPResponse) {
        // A body that is not APNs' JSON leaves the status to go by.
        let body = try? JSONDecoder().decode(Body.self, from: Data(response.body))
        status = response.status
        reason = JSONText.prefix(body?.reason ?? "", encodedLimit: Self.reasonLimitBytes)
        // A time of the wrong order (seconds, garbage) must not overflow.
        invalidSince = body?.timestamp.flatMap { milliseconds in
            (0..<100_000_000_000_000).contains(milliseconds) ? WallTime(microseconds: milliseconds * 1_000) : nil
        }
        retryAfter = response.fields["retry-after"].flatMap(Int.init).flatMap { seconds in
            (0...86_400).contains(seconds) ? .seconds(seconds) : nil
        }
    }

    /// The reason, or the status when there is none.
    var code: String { reason.isEmpty ? "status_\(status)" : reason }
}
