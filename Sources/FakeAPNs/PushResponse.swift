import FoundationEssentials
import HTTP
import Platform

/// Why a request is refused.
struct Refusal {
    var reason: Reason
    /// With 410: when APNs last confirmed that the token is invalid.
    var timestamp: WallTime?

    init(_ reason: Reason, timestamp: WallTime? = nil) {
        self.reason = reason
        self.timestamp = timestamp
    }
}

/// What is answered, before it becomes bytes (APNs facts §5).
struct PushResponse {
    var status: Int
    var apnsID: String?
    var uniqueID: String?
    var push: PushID?
    private var body: Fault.Body?
    private var timestamp: WallTime?

    init(status: Int) {
        self.status = status
    }

    /// An error; `now` dates a 410 that has no date of its own.
    init(status: Int, body: Fault.Body, at now: WallTime) {
        self.status = status
        self.body = body
        timestamp = status == 410 ? now : nil
    }

    init(_ refusal: Refusal, at now: WallTime) {
        self.init(status: refusal.reason.status, body: .reason(refusal.reason.rawValue), at: now)
        timestamp = refusal.timestamp ?? timestamp
    }

    var reason: String? {
        if case .reason(let reason) = body { return reason }
        return nil
    }

    var response: HTTPResponse {
        var fields = HTTPFields()
        if let apnsID { fields.append("apns-id", apnsID) }
        if let uniqueID { fields.append("apns-unique-id", uniqueID) }
        switch body {
        case nil, .empty:
            return HTTPResponse(status: status, fields: fields)
        case .reason(let reason):
            fields.append("content-type", "application/json")
            return HTTPResponse(status: status, fields: fields, body: Self.encoded(reason, timestamp))
        case .text(let text):
            fields.append("content-type", "text/plain")
            return HTTPResponse(status: status, fields: fields, body: Array(text.utf8))
        }
    }

    private struct ErrorBody: Encodable {
        let reason: String
        let timestamp: Int64?
    }

    private static func encoded(_ reason: String, _ timestamp: WallTime?) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let milliseconds = timestamp.map { $0.microseconds / 1_000 }
        guard let data = try? encoder.encode(ErrorBody(reason: reason, timestamp: milliseconds)) else {
            preconditionFailure("a reason and a number always encode")
        }
        return Array(data)
    }
}
