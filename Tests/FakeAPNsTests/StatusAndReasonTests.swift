import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §6 status and reason")
struct StatusAndReasonTests {
    /// The table of the fact sheet, written down a second time.
    static let table: [String: Int] = [
        "BadCollapseId": 400, "BadDeviceToken": 400, "BadExpirationDate": 400, "BadMessageId": 400,
        "BadPriority": 400, "InvalidPushType": 400, "DuplicateHeaders": 400, "PayloadEmpty": 400, "BadTopic": 400,
        "MissingTopic": 400, "TopicDisallowed": 400, "DeviceTokenNotForTopic": 400, "MissingDeviceToken": 400,
        "IdleTimeout": 400, "MissingProviderToken": 403, "InvalidProviderToken": 403, "ExpiredProviderToken": 403,
        "UnrelatedKeyIdInToken": 403, "BadEnvironmentKeyIdInToken": 403, "BadCertificate": 403,
        "BadCertificateEnvironment": 403, "Forbidden": 403, "BadPath": 404, "MethodNotAllowed": 405,
        "Unregistered": 410, "ExpiredToken": 410, "PayloadTooLarge": 413, "TooManyProviderTokenUpdates": 429,
        "TooManyRequests": 429, "InternalServerError": 500, "ServiceUnavailable": 503, "Shutdown": 503,
    ]

    @Test func `the table of reasons is the documented one`() {
        let reasons = Dictionary(uniqueKeysWithValues: Reason.allCases.map { ($0.rawValue, $0.status) })
        #expect(reasons == Self.table)
    }

    @Test(arguments: Reason.allCases)
    func `every reason has its status, its body and the sender's id`(reason: Reason) throws {
        let world = try Provocation(reason).world
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        let reply = try Provocation.provoke(reason, in: world, id: id)
        #expect(reply.response.status == Self.table[reason.rawValue])
        #expect(reply.reason == reason.rawValue)
        #expect(reply.response.fields["content-type"] == "application/json")
        #expect(reply.text.contains("timestamp") == (reply.response.status == 410))
        if reason != .badMessageID { #expect(reply.response.fields["apns-id"] == id) }
        #expect(world.apns.counters.count(reason) == 1)
        #expect(world.fleet.pushes.filter { $0.push.apnsID == id }.isEmpty)
    }

    @Test func `a broadcast path is no path here`() throws {
        let reply = try World().send { $0.target = "/4/broadcasts/apps/com.example" }
        #expect(reply.reason == "BadPath")
    }

    @Test func `the first refusal follows the configured order`() throws {
        func answer(_ order: CheckOrder) throws -> String? {
            let world = try World { service, _ in service.checkOrder = order }
            return try world.send(to: "abcd") { $0.fields["authorization"] = nil }.reason
        }
        #expect(try answer(.providerTokenFirst) == "MissingProviderToken")
        #expect(try answer(.pushyMock) == "BadDeviceToken")
    }

    @Test(arguments: [CheckOrder.providerTokenFirst, .pushyMock])
    func `every order of checks accepts what is valid`(order: CheckOrder) throws {
        let world = try World { service, _ in service.checkOrder = order }
        #expect(try world.send().response.status == 200)
    }

    @Test func `too many bad answers close the connection, and sooner for bad device tokens`() throws {
        func answersUntilClosed(_ change: (inout HTTPRequest) -> Void) throws -> Int {
            let world = try World { service, _ in
                service.badAnswerLimit = 6
                service.badDeviceTokenLimit = 3
            }
            for count in 1...20 where try world.send(change).closesConnection { return count }
            return .max
        }
        #expect(try answersUntilClosed { $0.fields["apns-topic"] = nil } == 6)
        #expect(try answersUntilClosed { $0.target = "/3/device/abcd" } == 3)
        #expect(try answersUntilClosed { _ in } == .max)
    }

    @Test func `410 does not count as a bad answer`() throws {
        let world = try World { service, _ in service.badAnswerLimit = 2 }
        world.fleet.expireToken(world.deviceToken)
        for _ in 1...10 {
            let reply = try world.send()
            #expect(reply.response.status == 410)
            #expect(!reply.closesConnection)
        }
    }

    @Test func `bad answers are forgotten after the window`() throws {
        let world = try World { service, _ in service.badAnswerLimit = 2 }
        #expect(try !world.send { $0.fields["apns-topic"] = nil }.closesConnection)
        world.time.advance(by: .minutes(10))
        #expect(try !world.send { $0.fields["apns-topic"] = nil }.closesConnection)
        #expect(try world.send { $0.fields["apns-topic"] = nil }.closesConnection)
    }
}
