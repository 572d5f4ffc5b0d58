import Crypto
import HTTP
import Platform

@testable import FakeAPNs

/// A valid baseline: one team with one key, one phone with one app, and pushes that pass. A test breaks one thing.
struct World {
    static let bundleID = "com.example.notifier"
    static let phone = DeviceID(rawValue: "phone")

    let time = SteppedTime()
    let fleet: DeviceFleet
    let apns: FakeAPNs
    let signer: Signer
    let deviceToken: DeviceToken

    init(
        seed: UInt64 = 7,
        topics: Set<String>? = nil,
        _ configure: (inout FakeAPNs.Configuration, inout DeviceFleet.Configuration) -> Void = { _, _ in }
    ) throws {
        var service = FakeAPNs.Configuration()
        service.responseLatency = .constant(.milliseconds(50))
        service.slowStart = .zero
        var devices = DeviceFleet.Configuration()
        devices.deliveryLatency = .constant(.seconds(1))
        devices.conservingLatency = .constant(.seconds(3))
        devices.reordering = .never
        devices.keepsOlder = .never
        configure(&service, &devices)
        fleet = DeviceFleet(devices, time: time, scheduler: time, seed: seed)
        apns = FakeAPNs(service, fleet: fleet, time: time, seed: seed)
        signer = try Signer()
        apns.register(signer.key(topics: topics))
        fleet.addDevice(Self.phone)
        deviceToken = fleet.installApp(Self.bundleID, on: Self.phone, environment: service.environment)
    }

    /// The world of a test of the device side, where nothing is random.
    var notifications: [Push] { fleet.notifications(of: Self.bundleID, on: Self.phone) }

    /// Sends a push that would pass, changed by `change`, and lets its answer leave.
    @discardableResult
    func send(
        on connection: Int64 = 1,
        from address: String = "10.0.0.1",
        to token: String? = nil,
        after pause: Duration = .milliseconds(60),
        _ change: (inout HTTPRequest) throws -> Void = { _ in }
    ) throws -> SentResponse {
        var request = HTTPRequest(
            method: .post,
            origin: HTTPOrigin(scheme: "https", host: "api.push.apple.com"),
            target: "/3/device/" + (token ?? deviceToken.hex),
            fields: [
                "authorization": "bearer " + (try signer.currentToken(at: time.wallNow)),
                "apns-topic": Self.bundleID,
                "apns-push-type": "alert",
            ],
            body: Array(#"{"aps":{"alert":{"title":"t","body":"b"}},"id":1}"#.utf8)
        )
        try change(&request)
        let reply = apns.respond(to: request, from: HTTPPeer(address: address, connection: connection))
        time.advance(by: pause)
        return reply
    }

    /// Sends with these header fields set, or removed where nil.
    @discardableResult
    func send(
        on connection: Int64 = 1,
        to token: String? = nil,
        fields: [(String, String?)],
        body: String? = nil
    ) throws -> SentResponse {
        try send(on: connection, to: token) { request in
            for (name, value) in fields { request.fields[name] = value }
            if let body { request.body = Array(body.utf8) }
        }
    }

    /// The fate of the newest accepted push.
    var lastFate: PushFate? { fleet.pushes.last?.fate }
}

extension SentResponse {
    /// The reason of an error body, read independently of the fake: the text behind `"reason":"`.
    var reason: String? {
        let text = String(decoding: response.body, as: UTF8.self)
        guard text.hasPrefix(#"{"reason":""#) else { return nil }
        return text.dropFirst(#"{"reason":""#.count).split(separator: "\"", omittingEmptySubsequences: false).first
            .map(String.init)
    }

    var text: String { String(decoding: response.body, as: UTF8.self) }
}
