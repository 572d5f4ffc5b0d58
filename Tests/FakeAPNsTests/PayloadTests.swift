import HTTP
import Platform
import Testing

@testable import FakeAPNs

@Suite("APNs facts §4 payload")
struct PayloadTests {
    /// A payload of exactly `count` bytes.
    private func payload(_ count: Int) -> String {
        let frame = #"{"aps":{"alert":""}}"#
        return #"{"aps":{"alert":""# + String(repeating: "x", count: count - frame.utf8.count) + #""}}"#
    }

    @Test(arguments: [(4_096, true), (4_097, false)])
    func `4096 bytes pass and 4097 do not`(count: Int, passes: Bool) throws {
        let reply = try World().send(fields: [], body: payload(count))
        #expect(reply.response.status == (passes ? 200 : 413))
        #expect(reply.reason == (passes ? nil : "PayloadTooLarge"))
    }

    @Test(arguments: [(5_120, true), (5_121, false)])
    func `voip has 5120 bytes`(count: Int, passes: Bool) throws {
        let fields = [("apns-push-type", "voip"), ("apns-topic", World.bundleID + ".voip")]
        let reply = try World().send(fields: fields, body: payload(count))
        #expect(reply.reason == (passes ? nil : "PayloadTooLarge"))
    }

    @Test func `the limit counts bytes, not characters`() throws {
        let body = #"{"aps":{"alert":""# + String(repeating: "ü", count: 2_039) + #""}}"#
        #expect(body.utf8.count == 4_098)
        #expect(try World().send(fields: [], body: body).reason == "PayloadTooLarge")
    }

    @Test(arguments: [
        #"{"aps":{"alert":"x"}"#, #"{"aps":{"alert":"x"}}}"#, #"{"aps":{"alert":"x",}}"#, #"[{"aps":{}}]"#, "null",
        #"{'aps':{}}"#, #"{"aps":{"badge":01}}"#, #"{"aps":{"badge":+1}}"#, #"{"aps":{"badge":1.}}"#,
        #"{"aps":{"alert":"a\x"}}"#, #"{"aps":{"alert":"\u12g4"}}"#, "{\"aps\":{\"alert\":\"a\nb\"}}",
        #"{"aps":{"alert":tru}}"#, #"{"aps" {"alert":1}}"#, #"{"aps":{}} x"#, " ", "{", #"{"aps":"#,
        #"{"aps":{"alert":"\ud8"#, #"{aps:{}}"#, #"{"aps":{"badge":-}}"#, #"{"aps":{"badge":1e}}"#,
    ])
    func `a body that is not a JSON object is refused`(body: String) throws {
        let world = try World()
        #expect(try world.send(fields: [], body: body).reason == "PayloadEmpty")
        #expect(world.fleet.pushes.isEmpty)
    }

    @Test func `bytes that are no UTF-8 are refused`() throws {
        let reply = try World().send { request in
            request.body = Array(#"{"aps":{"alert":"x"}}"#.utf8)
            request.body[17] = 0xFF
        }
        #expect(reply.reason == "PayloadEmpty")
    }

    @Test func `nesting beyond any use is refused`() throws {
        let deep = #"{"aps":{"alert":"x"},"a":"# + String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        #expect(try World().send(fields: [], body: deep + "}").reason == "PayloadEmpty")
    }

    @Test(arguments: [
        #"{"aps":{}}"#, " { \"aps\" : { \"alert\" : { \"title\" : \"x\" } } } \r\n\t",
        #"{"a":[1,-0.5e+3,{}],"aps":{"badge":0}}"#,
        #"{"aps":{"alert":"ü🙂\n\u00e9","unknown":[null,true,false]}}"#, #"{"x":{"aps":1},"aps":{"sound":"default"}}"#,
    ])
    func `well-formed objects with an aps object pass`(body: String) throws {
        #expect(try World().send(fields: [], body: body).response.status == 200)
    }

    @Test(arguments: [#"{}"#, #"{"aps":1}"#, #"{"data":{"aps":{}}}"#])
    func `an aps object is required unless a switch says otherwise`(body: String) throws {
        #expect(try World().send(fields: [], body: body).reason == "PayloadEmpty")
        let lenient = try World { service, _ in service.missingApsReason = nil }
        #expect(try lenient.send(fields: [], body: body).response.status == 200)
    }

    @Test func `the reason for a malformed body is a switch`() throws {
        let world = try World { service, _ in service.malformedPayloadReason = .internalServerError }
        #expect(try world.send(fields: [], body: "{").response.status == 500)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"x"}}"#, true), (#"{"aps":{"badge":3}}"#, false), (#"{"aps":{"alert":null}}"#, false),
        (#"{"aps":{"sound":"s"},"alert":"x"}"#, false), (#"{"aps":{"x":{"alert":1}}}"#, false),
    ])
    func `only an alert is displayed`(body: String, isDisplayed: Bool) throws {
        let world = try World()
        try world.send(fields: [], body: body)
        world.time.advance(by: .seconds(2))
        #expect(world.notifications.count == (isDisplayed ? 1 : 0))
        #expect(world.fleet.events(of: World.phone).map(\.kind) == [.accepted, isDisplayed ? .displayed : .delivered])
    }
}
