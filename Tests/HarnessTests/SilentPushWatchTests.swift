import HTTP
import Platform
import Testing

@testable import Harness

/// What a push that nobody sees may not be.
struct SilentPushWatchTests {
    private static func push(
        _ body: String = #"{"aps":{"content-available":1}}"#,
        token: String = "aa11",
        type: String = "background"
    ) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            origin: HTTPOrigin(scheme: "https", host: "api.push.apple.com"),
            target: "/3/device/\(token)",
            fields: ["apns-push-type": type],
            body: Array(body.utf8)
        )
    }

    @Test func `only a background push is silent`() {
        #expect(SilentPushWatch.isSilent(Self.push()))
        #expect(!SilentPushWatch.isSilent(Self.push(type: "alert")))
    }

    @Test func `the fourth to a device within an hour is too many, to each device by itself`() {
        var watch = SilentPushWatch()
        for minute in [0, 20, 40] {
            for token in ["aa11", "bb22"] {
                let push = Self.push(token: token)
                #expect(watch.note(push, at: .minutes(minute), isToOnlyDevice: false, isTimed: true) == nil)
            }
        }
        #expect(watch.note(Self.push(), at: .minutes(59), isToOnlyDevice: false, isTimed: false) == nil)
        #expect(watch.note(Self.push(token: "bb22"), at: .seconds(3_595), isToOnlyDevice: false, isTimed: true) == nil)
        #expect(watch.note(Self.push(), at: .minutes(59), isToOnlyDevice: false, isTimed: true) != nil)
    }

    @Test(arguments: [
        #"{"aps":{"content-available":1,"badge":3}}"#, #"{"aps":{"content-available":1,"alert":{"title":"x"}}}"#,
        #"{"aps":{"content-available":1,"sound":"default"}}"#,
    ])
    func `nothing of it is seen or heard`(_ body: String) {
        var watch = SilentPushWatch()
        #expect(watch.note(Self.push(body), at: .zero, isToOnlyDevice: false, isTimed: true) != nil)
    }

    @Test func `nobody is told of what they did on their only device`() {
        var watch = SilentPushWatch()
        #expect(watch.note(Self.push(), at: .zero, isToOnlyDevice: true, isTimed: true) != nil)
    }
}
