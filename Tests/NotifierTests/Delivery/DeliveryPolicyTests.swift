import Configuration
import HTTP
import Platform
import Testing

@testable import Notifier

struct DeliveryPolicyTests {
    private let policy = DeliveryPolicy(NotifierConfiguration())
    private let now = deliveryStart

    private func decide(
        _ outcome: PushOutcome,
        attempts: Int = 1,
        throttles: Int = 0,
        expiresIn: Duration = .hours(24),
        registeredAt: WallTime = deliveryStart.advanced(by: .days(-1)),
        isFormerToken: Bool = false,
        ruling: ServiceRuling = ServiceRuling()
    ) -> DeliveryPolicy.Decision {
        let facts = DeliveryPolicy.Circumstances(
            attempts: attempts,
            expiresAt: now.advanced(by: expiresIn),
            throttles: throttles,
            sentAt: now.advanced(by: .seconds(-1)),
            deviceRegisteredAt: registeredAt,
            isFormerToken: isFormerToken,
            ruling: ruling
        )
        return policy.decide(outcome, now, facts, jitter: 500)
    }

    private func rejected(_ status: Int, _ reason: String, invalidSince: WallTime? = nil) -> PushOutcome {
        .rejected(PushRejection(status: status, reason: reason, invalidSince: invalidSince))
    }

    /// The whole table of APNs facts §6.
    @Test(arguments: [
        (400, "BadCollapseId", PushRemedy.dropMessage), (400, "BadDeviceToken", .holdToken),
        (400, "BadExpirationDate", .dropMessage), (400, "BadMessageId", .dropMessage),
        (400, "BadPriority", .dropMessage), (400, "InvalidPushType", .dropMessage),
        (400, "DuplicateHeaders", .dropMessage), (400, "PayloadEmpty", .dropMessage),
        (400, "BadTopic", .configuration), (400, "MissingTopic", .configuration),
        (400, "TopicDisallowed", .configuration), (400, "DeviceTokenNotForTopic", .holdToken),
        (400, "MissingDeviceToken", .dropMessage), (400, "IdleTimeout", .reconnect),
        (403, "MissingProviderToken", .renewToken), (403, "InvalidProviderToken", .renewToken),
        (403, "ExpiredProviderToken", .renewToken), (403, "UnrelatedKeyIdInToken", .reconnect),
        (403, "BadEnvironmentKeyIdInToken", .configuration), (403, "BadCertificate", .configuration),
        (403, "BadCertificateEnvironment", .configuration), (403, "Forbidden", .configuration),
        (404, "BadPath", .dropMessage), (405, "MethodNotAllowed", .dropMessage),
        (410, "Unregistered", .dropToken), (410, "ExpiredToken", .dropToken), (413, "PayloadTooLarge", .dropMessage),
        (429, "TooManyProviderTokenUpdates", .keepToken), (429, "TooManyRequests", .throttleDevice),
        (500, "InternalServerError", .serviceAndReconnect), (503, "ServiceUnavailable", .service),
        (503, "Shutdown", .serviceAndReconnect),
        // A reason Apple adds tomorrow goes by the class of its status.
        (400, "Tomorrow", .dropMessage), (403, "Tomorrow", .configuration), (410, "Tomorrow", .dropToken),
        (429, "Tomorrow", .throttleDevice), (503, "Tomorrow", .service), (302, "", .service),
    ])
    func `each status and reason has the remedy of the table`(_ status: Int, _ reason: String, _ remedy: PushRemedy) {
        #expect(PushRemedy(PushRejection(status: status, reason: reason)) == remedy)
    }

    @Test(
        arguments: [
            (1, DeviceState.active, true, nil), (1, .held, true, .parked),
            (1, .dead, true, .dead(reason: "device_dead")),
            // Whoever has the phone now must not see it, whatever became of it.
            (1, .active, false, .dead(reason: "device_moved")), (1, .held, false, .dead(reason: "device_moved")),
            (1, .dead, false, .dead(reason: "device_moved")),
            // News that is too old is nothing else any more.
            (0, .active, true, .dead(reason: "expired")), (0, .held, true, .dead(reason: "expired")),
            (-1, .active, false, .dead(reason: "expired")),
        ] as [(Int, DeviceState, Bool, DeliveryPolicy.Disposition?)]
    )
    func `only fresh news for the recipient's own active device is sent`(
        _ secondsLeft: Int,
        _ state: DeviceState,
        _ isRecipients: Bool,
        _ end: DeliveryPolicy.Disposition?
    ) {
        let device = DeliveryPolicy.ClaimedDevice(state: state, isRecipients: isRecipients)
        #expect(policy.decide(expiresAt: now.advanced(by: .seconds(secondsLeft)), device, now) == end)
    }

    @Test func `a held device gets the push by which it is tried`() {
        let device = DeliveryPolicy.ClaimedDevice(state: .held, isRecipients: true, isOnTrial: true)
        #expect(policy.decide(expiresAt: now.advanced(by: .hours(1)), device, now) == nil)
        #expect((0..<4).map(DeliveryPolicy.trialPause) == [.minutes(10), .hours(1), .days(1), .days(1)])
    }

    @Test func `an accepted push is done`() {
        #expect(decide(.accepted) == .init(delivery: .accepted))
    }

    @Test(arguments: [(1, 2), (2, 10), (3, 30), (4, 120), (5, 300), (6, 300), (7, 300), (90, 300)])
    func `an unknown outcome is retried after the delays of the table (APNs facts §11)`(_ attempts: Int, _ seconds: Int)
    {
        let decision = decide(.unknown(.timedOut), attempts: attempts)
        guard case .retry(let instant, true) = decision.delivery else {
            Issue.record("\(decision)")
            return
        }
        let pause = now.duration(to: instant)
        #expect(pause >= .seconds(seconds) * 4 / 5 && pause <= .seconds(seconds) * 6 / 5)
    }

    @Test(arguments: [5, 6, 100])
    func `what may pass is tried until the news expires, however often it was`(_ attempts: Int) {
        let passing = [
            rejected(503, "ServiceUnavailable"), rejected(500, "InternalServerError"), rejected(502, ""),
            rejected(429, "TooManyRequests"), .unknown(.timedOut), .unknown(.connectionReset),
            .notSent(.connectionRefused),
        ]
        for outcome in passing {
            let decision = decide(outcome, attempts: attempts, throttles: attempts)
            guard case .retry(let instant, isCounted: true) = decision.delivery else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(instant > now.advanced(by: .minutes(4)) && instant < now.advanced(by: .hours(2)), "\(outcome)")
            #expect(decide(outcome, attempts: attempts, expiresIn: .seconds(10)).delivery == .dead(reason: "expired"))
        }
    }

    @Test(arguments: [(410, "Unregistered"), (400, "BadDeviceToken")])
    func `a token refused though it was registered since is given up after so many attempts`(
        _ status: Int,
        _ reason: String
    ) {
        for (attempts, seconds) in [(1, 2), (2, 10), (3, 30), (4, 120)] {
            let decision = decide(rejected(status, reason), attempts: attempts, registeredAt: now)
            guard case .retry(let instant, isCounted: true) = decision.delivery else {
                Issue.record("\(decision)")
                continue
            }
            let pause = now.duration(to: instant)
            #expect(pause >= .seconds(seconds) * 4 / 5 && pause <= .seconds(seconds) * 6 / 5)
        }
        #expect(
            decide(rejected(status, reason), attempts: 5, registeredAt: now) == .init(delivery: .dead(reason: reason))
        )
    }

    @Test func `a push that a process died of lets the others go first once so many attempts are made`() {
        #expect(policy.decideAfterCrash(attempts: 4, now) == .retry(at: now, isCounted: true))
        let later = now.advanced(by: .minutes(5))
        #expect(policy.decideAfterCrash(attempts: 5, now) == .retry(at: later, isCounted: true))
    }

    @Test func `a refusal by a service known to be sick costs no attempt`() {
        let ruling = ServiceRuling(isCounted: false)
        for outcome in [rejected(503, "ServiceUnavailable"), .unknown(.timedOut), .notSent(.connectionRefused)] {
            guard case .retry(_, isCounted: false) = decide(outcome, attempts: 5, ruling: ruling).delivery else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    @Test func `nothing is retried beyond its expiration (APNs facts §17 item 11)`() {
        #expect(decide(.unknown(.timedOut), expiresIn: .seconds(1)).delivery == .dead(reason: "expired"))
    }

    @Test func `a stop of this process costs no attempt and no time`() {
        #expect(decide(.unknown(.cancelled), attempts: 5).delivery == .retry(at: now, isCounted: false))
    }

    @Test func `a payload that is too large is dead at once`() {
        #expect(decide(rejected(413, "PayloadTooLarge")).delivery == .dead(reason: "PayloadTooLarge"))
    }

    @Test func `410 ends the device (APNs facts §10)`() {
        let decision = decide(rejected(410, "Unregistered", invalidSince: now.advanced(by: .hours(-1))))
        #expect(decision == .init(delivery: .dead(reason: "Unregistered"), device: .deactivate(reason: "Unregistered")))
    }

    @Test func `a device that a clock registered that was ahead is given up at the bound`() {
        let refusal = rejected(410, "Unregistered", invalidSince: now.advanced(by: .hours(-1)))
        for registeredAt in [now.advanced(by: .hours(1)), now.advanced(by: .minutes(-11))] {
            #expect(decide(refusal, attempts: 4, registeredAt: registeredAt).device == .keep)
            #expect(
                decide(refusal, attempts: 5, registeredAt: registeredAt)
                    == .init(delivery: .dead(reason: "Unregistered"), device: .deactivate(reason: "Unregistered"))
            )
        }
        #expect(decide(refusal, attempts: 5, registeredAt: now.advanced(by: .minutes(-1))).device == .keep)
    }

    @Test func `410 does not end a device registered again since its timestamp (APNs facts §5)`() {
        let decision = decide(
            rejected(410, "Unregistered", invalidSince: now.advanced(by: .hours(-1))),
            registeredAt: now.advanced(by: .minutes(-1))
        )
        #expect(decision.device == .keep)
        #expect(decision.delivery == .retry(at: now.advanced(by: .seconds(2)), isCounted: true))
    }

    @Test func `410 without a timestamp counts from the attempt`() {
        #expect(decide(rejected(410, "Unregistered")).device == .deactivate(reason: "Unregistered"))
        #expect(decide(rejected(410, "Unregistered"), registeredAt: now).device == .keep)
    }

    @Test(arguments: [(410, "Unregistered"), (400, "BadDeviceToken"), (429, "TooManyRequests")])
    func `what APNs says of a token that the device had before says nothing of the device`(
        _ status: Int,
        _ reason: String
    ) {
        // Found dead after the device had told its new one.
        let refusal = rejected(status, reason, invalidSince: now.advanced(by: .minutes(-1)))
        let registeredAt = now.advanced(by: .minutes(-2))
        let decision = decide(refusal, attempts: 5, registeredAt: registeredAt, isFormerToken: true)
        #expect(decision == .init(delivery: .retry(at: now, isCounted: false)))
        #expect(decide(refusal, registeredAt: registeredAt).device != .keep)
    }

    @Test func `what APNs takes for a token that the device had before goes to its next one`() {
        let again = decide(.accepted, attempts: 3, isFormerToken: true)
        #expect(again == .init(delivery: .retry(at: now, isCounted: false)))
        let late = decide(.accepted, expiresIn: .zero, isFormerToken: true)
        #expect(late.delivery == DeliveryPolicy.expired)
        #expect(decide(.accepted).delivery == .accepted)
    }

    @Test func `a bad device token is held, not deleted (APNs facts §6)`() {
        let decision = decide(rejected(400, "BadDeviceToken"))
        #expect(decision == .init(delivery: .parked, device: .hold(reason: "BadDeviceToken")))
    }

    @Test func `during a wave of bad tokens no device is held`() {
        let decision = decide(rejected(400, "BadDeviceToken"), ruling: ServiceRuling(mayHoldDevice: false))
        #expect(decision.device == .keep)
        guard case .retry(_, isCounted: false) = decision.delivery else {
            Issue.record("\(decision)")
            return
        }
    }

    @Test func `429 makes the whole device wait, Retry-After included (APNs facts §6)`() {
        let rejection = PushRejection(status: 429, reason: "TooManyRequests", retryAfter: .minutes(30))
        let until = now.advanced(by: .minutes(30))
        #expect(
            decide(.rejected(rejection))
                == .init(delivery: .retry(at: until, isCounted: true), device: .throttle(until: until, count: 1))
        )
    }

    @Test(arguments: [(0, 1), (1, 5), (2, 15), (3, 60), (9, 60)])
    func `429 makes a device wait by how often it was, whatever else the push met`(_ throttles: Int, _ minutes: Int) {
        let decision = decide(rejected(429, "TooManyRequests"), attempts: 20, throttles: throttles)
        guard case .throttle(let until, let count) = decision.device else {
            Issue.record("\(decision)")
            return
        }
        let pause = now.duration(to: until)
        #expect(count == throttles + 1)
        #expect(pause >= .minutes(minutes) * 4 / 5 && pause <= .minutes(minutes) * 6 / 5)
    }

    @Test(arguments: ["ExpiredProviderToken", "UnrelatedKeyIdInToken"])
    func `a push refused for its connection or token goes again at once, at no cost`(_ reason: String) {
        #expect(decide(rejected(403, reason), attempts: 5).delivery == .retry(at: now, isCounted: false))
    }

    @Test func `an error body is read leniently (APNs facts §16 item 8)`() {
        func rejection(_ body: String, _ status: Int = 410) -> PushRejection {
            PushRejection(HTTPResponse(status: status, body: Array(body.utf8)))
        }
        #expect(
            rejection(#"{"reason":"Unregistered","timestamp":1454948015990}"#)
                == PushRejection(
                    status: 410,
                    reason: "Unregistered",
                    invalidSince: WallTime(microseconds: 1_454_948_015_990_000)
                )
        )
        #expect(rejection("").code == "status_410")
        #expect(rejection("<html>").code == "status_410")
        #expect(rejection(#"{"reason":"X","timestamp":9223372036854775807}"#).invalidSince == nil)
    }
}
