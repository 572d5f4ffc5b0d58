import HTTP
import Platform
import Testing

@testable import Live

/// Frames that contradict each other, which no server of ours sends (RFC 9113 §8.7, APNs facts §8, §11).
struct HTTP2ClientSessionTests {
    private static let settings = frame(4, 0, 0)
    /// Status 200 by the static table, with more to come.
    private static let head = frame(1, 4, 1, [0x88])
    private static let refusal = frame(3, 0, 1, [0, 0, 0, 7])
    private static let goodbye = frame(7, 0, 0, [UInt8](repeating: 0, count: 8))

    private static func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        [0, 0, UInt8(payload.count), kind, flags, 0, 0, 0, stream] + payload
    }

    /// What becomes of a call that hears these frames: nil when it goes again.
    private func outcome(of frames: [UInt8]) throws -> HTTPOutcome? {
        let session = try #require(HTTP2ClientSession())
        let request = HTTPRequest(method: .post, origin: HTTPOrigin(scheme: "https", host: "a"), target: "/", body: [1])
        #expect(session.begin(HTTP2Call(request, options: HTTPSendOptions())))
        var output: [UInt8] = []
        #expect(session.fill(&output, upTo: 16_384))
        #expect((Self.settings + frames).withUnsafeBytes { session.receive($0) })
        // What nghttp2 does about frames it does not like, it does while it sends.
        #expect(session.fill(&output, upTo: 16_384))
        session.breakOff { $0.brokenOff }
        let endings = session.takeEndings()
        #expect(endings.count == 1)
        guard case .outcome(let outcome) = try #require(endings.first).ending else { return nil }
        return outcome
    }

    @Test(arguments: [refusal, goodbye])
    func `what a server did not act on goes again`(frames: [UInt8]) throws {
        #expect(try outcome(of: frames) == nil)
    }

    @Test(arguments: [refusal, goodbye])
    func `who has begun to answer has acted, whatever is said afterwards`(frames: [UInt8]) throws {
        #expect(try outcome(of: Self.head + frames) == .unknown(.bodyTruncated))
    }

    @Test func `a status that HTTP does not have is no answer`() throws {
        // `:status` by its name from the static table, with the value beside it (RFC 7541 §6.2.2).
        let answer = Self.frame(1, 5, 1, [0x08, 3] + Array("020".utf8))
        #expect(try outcome(of: answer) == .unknown(.connectionReset))
    }

    @Test func `an answer that is whole stays one`() throws {
        let answer = Self.frame(1, 5, 1, [0x88])
        #expect(try outcome(of: answer + Self.refusal + Self.goodbye) == .response(HTTPResponse(status: 200)))
    }
}
