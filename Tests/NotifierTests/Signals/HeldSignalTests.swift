import HTTP
import JSON
import Platform
import Testing

@testable import Notifier

/// What programs say in quiet hours, and what becomes of it until the digest.
struct HeldSignalTests {
    private let bench: ServerBench
    private let session: String
    private let token: String
    private let mute: String

    init() throws {
        bench = try ServerBench()
        session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        let made = try bench.call(.post, "/signals/tokens", #"{"name": "agent"}"#, session: session)
        token = try #require(made.text("token"))
        mute = "/signals/tokens/\(try #require(made.text("tokenId")))/mute"
        let quiet = #"{"quietHours": [{"from": "08:00", "until": "10:00"}]}"#
        #expect(try bench.call(.put, "/settings", quiet, session: session).status == 200)
    }

    private func say(_ kind: String, _ id: String, run: String = "r0") throws {
        let body = #"{"id": "\#(id)", "kind": "\#(kind)", "title": "Fix the login", "run": "\#(run)"}"#
        #expect(try bench.call(.post, "/signals", body, session: token).status == 201)
    }

    private func titles() -> [String] {
        bench.apns.requests.compactMap { request in
            var reader = JSONReader(bytes: request.body)
            guard case .string(let title)? = (try? reader.read().value)?["aps"]?["alert"]?["title"] else { return nil }
            return title
        }
    }

    private func muteProgram(for minutes: Int) throws {
        #expect(try bench.call(.post, mute, #"{"minutes": \#(minutes)}"#, session: session).status == 200)
    }

    @Test(arguments: [true, false])
    func `a mute that is over before the digest leaves what was asked to be told`(isTakenBack: Bool) throws {
        try say("approval_needed", "one")
        try muteProgram(for: isTakenBack ? 300 : 10)
        if isTakenBack { #expect(try bench.call(.delete, mute, session: session).status == 200) }
        bench.run(for: .minutes(61))
        #expect(titles() == ["1 update on 1 item in your quiet hours"])
        // Of what a mute has ended nobody is reminded.
        bench.world.advance(by: .hours(3))
        #expect(titles().count == 1)
    }

    @Test func `a mute that lasts keeps it from the digest`() throws {
        try say("approval_needed", "one")
        try muteProgram(for: 300)
        bench.run(for: .minutes(61))
        #expect(titles() == [])
    }

    @Test func `what the program ends after a mute is told by no digest`() throws {
        try say("approval_needed", "one")
        try say("approval_needed", "two")
        try say("approval_needed", "three", run: "r3")
        try muteProgram(for: 10)
        #expect(try bench.call(.delete, mute, session: session).status == 200)
        try say("settled", "two")
        try say("run_failed", "four", run: "r3")
        bench.run(for: .minutes(61))
        #expect(titles() == ["2 updates on 2 items in your quiet hours"])
    }
}
