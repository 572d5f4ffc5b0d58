import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §5 response, §2 request")
struct ResponseTests {
    @Test func `success has an empty body and echoes the id byte for byte`() throws {
        let id = "3F2504e0-4F89-41d3-9a0C-0305e82c3301"
        let reply = try World().send(fields: [("apns-id", id)])
        #expect(reply.response == HTTPResponse(status: 200, fields: ["apns-id": id]))
    }

    @Test(arguments: [true, false])
    func `a missing id is invented, in the case of a switch`(upperCase: Bool) throws {
        let world = try World { service, _ in service.inventsUpperCaseMessageIDs = upperCase }
        let replies = try [world.send(), world.send { $0.fields["apns-topic"] = nil }, world.send()]
        let ids = replies.compactMap { $0.response.fields["apns-id"] }
        #expect(Set(ids).count == 3)
        for id in ids {
            #expect(id == (upperCase ? id.uppercased() : id.lowercased()))
            #expect(id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
            #expect(id.split(separator: "-")[2].first == "4")
        }
        #expect(world.fleet.pushes.map(\.push.apnsID) == [ids[0], ids[2]])
    }

    @Test(arguments: APNsEnvironment.allCases)
    func `only the sandbox gives a unique id`(environment: APNsEnvironment) throws {
        let world = try World { service, _ in service.environment = environment }
        let reply = try world.send()
        #expect(reply.response.status == 200)
        #expect((reply.response.fields["apns-unique-id"] != nil) == (environment == .sandbox))
    }

    @Test func `410 carries milliseconds, other errors no time`() throws {
        let world = try World()
        world.time.advance(by: .milliseconds(1_234))
        world.fleet.expireToken(world.deviceToken)
        world.time.advance(by: .seconds(60))
        #expect(try world.send().text == #"{"reason":"ExpiredToken","timestamp":1800000001234}"#)
        #expect(try world.send { $0.body = [] }.text == #"{"reason":"PayloadEmpty"}"#)
    }

    @Test(arguments: ["/3/device", "/3/device/00/11", "/3/device/00?x=1", "/", "/3/devices/00", "//3/device/00"])
    func `other paths are bad`(path: String) throws {
        #expect(try World().send { $0.target = path }.reason == "BadPath")
    }

    @Test(arguments: ["GET", "PUT", "DELETE", "post"])
    func `only POST is allowed`(method: String) throws {
        let reply = try World().send { $0.method = HTTPMethod(rawValue: method) }
        #expect(reply.response.status == 405)
        #expect(reply.reason == "MethodNotAllowed")
    }

    @Test func `hex digits pass in either case, and tokens of other lengths`() throws {
        let world = try World { _, devices in devices.tokenDigitCount = 160 }
        #expect(world.deviceToken.hex.count == 160)
        #expect(try world.send(to: world.deviceToken.hex.uppercased()).response.status == 200)
    }
}
