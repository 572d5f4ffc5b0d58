/// The routes of the server, by the names of its OpenAPI document. Three of it are nobody's here: GitLab's webhooks, Prometheus' page, and what
/// programs say.
enum Operation: String, Sendable, CaseIterable {
    case register, startOAuth, finishOAuth, refresh, revokeAll, removeAccount
    case startPairing, exchangePairing
    case listDevices, registerDevice, removeDevice, removeOwnDevice, unregisterDevice
    case listItems, listWatches, addWatch, removeWatch, muteWatch, unmuteWatch, importWatches, syncWatch
    case ping, listNotifications, listUnread, acknowledge, markRead
    case receive, sendTest, redrive, watchFromNotification, dismissFromNotification, undismissFromNotification
    case listAsks, settleAsk
    case listSignalTokens, makeSignalToken, revokeSignalToken, muteSignals, unmuteSignals
    case listDeniedActors, denyActor, allowActor
    case getSettings, putSettings
    case pullChanges, pushChanges
    case listDuties, makeDuty, readDuty, changeDuty, endDuty, addDutyMember, removeDutyMember, inviteToDuty, joinDuty
    case muteDuty, unmuteDuty
    case completeOccurrence, skipOccurrence, reassignOccurrence
    case health, readiness, status, openAPI

    /// Method and path; `{}` stands for what the caller fills in.
    var route: (method: String, path: String) {
        switch self {
        case .register: ("POST", "/auth/register")
        case .startOAuth: ("POST", "/auth/oauth/start")
        case .finishOAuth: ("POST", "/auth/oauth/finish")
        case .refresh: ("POST", "/auth/refresh")
        case .revokeAll: ("POST", "/auth/revoke-all")
        case .removeAccount: ("DELETE", "/account")
        case .startPairing: ("POST", "/pair/start")
        case .exchangePairing: ("POST", "/pair/exchange")
        case .listDevices: ("GET", "/devices")
        case .registerDevice: ("POST", "/devices")
        case .removeDevice: ("DELETE", "/devices/{}")
        case .removeOwnDevice: ("DELETE", "/devices/current")
        case .unregisterDevice: ("POST", "/devices/unregister")
        case .listItems: ("GET", "/items")
        case .listWatches: ("GET", "/watch")
        case .addWatch: ("POST", "/watch")
        case .removeWatch: ("DELETE", "/watch/{}")
        case .muteWatch: ("POST", "/watch/{}/mute")
        case .unmuteWatch: ("DELETE", "/watch/{}/mute")
        case .importWatches: ("POST", "/watch/import")
        case .syncWatch: ("POST", "/watch/{}/sync")
        case .ping: ("GET", "/ping")
        case .listNotifications: ("GET", "/notifications")
        case .listUnread: ("GET", "/notifications/unread")
        case .acknowledge: ("POST", "/notifications/ack")
        case .markRead: ("POST", "/notifications/read")
        case .receive: ("POST", "/notifications/{}/received")
        case .sendTest: ("POST", "/notifications/test")
        case .redrive: ("POST", "/notifications/{}/redrive")
        case .watchFromNotification: ("POST", "/notifications/{}/watch")
        case .dismissFromNotification: ("POST", "/notifications/{}/dismiss")
        case .undismissFromNotification: ("DELETE", "/notifications/{}/dismiss")
        case .listAsks: ("GET", "/asks")
        case .settleAsk: ("POST", "/asks/{}/settle")
        case .listSignalTokens: ("GET", "/signals/tokens")
        case .makeSignalToken: ("POST", "/signals/tokens")
        case .revokeSignalToken: ("DELETE", "/signals/tokens/{}")
        case .muteSignals: ("POST", "/signals/tokens/{}/mute")
        case .unmuteSignals: ("DELETE", "/signals/tokens/{}/mute")
        case .listDeniedActors: ("GET", "/noise-filter/actors")
        case .denyActor: ("POST", "/noise-filter/actors")
        case .allowActor: ("DELETE", "/noise-filter/actors/{}")
        case .getSettings: ("GET", "/settings")
        case .putSettings: ("PUT", "/settings")
        case .pullChanges: ("GET", "/sync")
        case .pushChanges: ("POST", "/sync")
        case .listDuties: ("GET", "/duties")
        case .makeDuty: ("POST", "/duties")
        case .readDuty: ("GET", "/duties/{}")
        case .changeDuty: ("PATCH", "/duties/{}")
        case .endDuty: ("DELETE", "/duties/{}")
        case .addDutyMember: ("POST", "/duties/{}/members")
        case .removeDutyMember: ("DELETE", "/duties/{}/members/{}")
        case .inviteToDuty: ("POST", "/duties/{}/invitations")
        case .joinDuty: ("POST", "/duties/join")
        case .muteDuty: ("POST", "/duties/{}/mute")
        case .unmuteDuty: ("DELETE", "/duties/{}/mute")
        case .completeOccurrence: ("POST", "/occurrences/{}/complete")
        case .skipOccurrence: ("POST", "/occurrences/{}/skip")
        case .reassignOccurrence: ("POST", "/occurrences/{}/reassign")
        case .health: ("GET", "/health")
        case .readiness: ("GET", "/health/ready")
        case .status: ("GET", "/status")
        case .openAPI: ("GET", "/openapi.json")
        }
    }

    /// Whether anybody may ask, signed in or not.
    var isOpen: Bool {
        switch self {
        case .register, .startOAuth, .finishOAuth, .refresh, .exchangePairing, .health, .readiness, .openAPI: true
        default: false
        }
    }

    /// How long to wait for the whole answer. The server lets GitLab take 50 seconds for one request.
    var timeout: Duration {
        switch self {
        case .register, .startOAuth, .finishOAuth, .listItems, .addWatch, .removeWatch, .importWatches, .syncWatch,
            .watchFromNotification, .pushChanges:
            .seconds(60)
        case .ping: .seconds(10)
        default: .seconds(30)
        }
    }

    /// The longest answer to be read. A page of a hundred notifications holds their texts and the keys of all that they cover.
    var responseLimitBytes: Int {
        switch self {
        case .listNotifications, .openAPI: 8 * 1_024 * 1_024
        case .listWatches, .listItems, .importWatches, .pullChanges, .pushChanges, .listDuties: 4 * 1_024 * 1_024
        default: 256 * 1_024
        }
    }

    /// The path with `values` in the place of `{}`, percent-encoded, and the query behind it.
    func target(_ values: [String], _ query: [QueryItem]) -> String {
        var rest = values[...]
        let path = route.path.split(separator: "/").map { segment in
            guard segment == "{}" else { return String(segment) }
            guard let value = rest.popFirst() else { preconditionFailure("\(rawValue) has a name for each value") }
            return PercentEncoding.encode(value)
        }
        precondition(rest.isEmpty, "\(rawValue) has a value for each name")
        let pairs = query.compactMap { item in
            item.value.map { "\(item.name)=\(PercentEncoding.encode($0))" }
        }
        return "/" + path.joined(separator: "/") + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }
}

/// One parameter of a query; left away without a value.
struct QueryItem: Sendable {
    var name: String
    var value: String?

    init(_ name: String, _ value: String?) { (self.name, self.value) = (name, value) }

    init(_ name: String, _ value: Int64?) { self.init(name, value.map { String($0) }) }
}

/// Percent-encoding of a part of a path or a query (RFC 3986 §2.3): everything but the unreserved characters.
enum PercentEncoding {
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
            }
        }
        return encoded
    }
}
