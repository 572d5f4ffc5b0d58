import HTTP
import Platform

@testable import Live

extension FuzzTarget {
    /// Frames that a server sends to a client that has asked three things.
    static let http2Answers = FuzzTarget("http2-answers") { bytes in
        guard let session = HTTP2ClientSession() else { return promise(false, "there is memory for a session") }
        var options = HTTPSendOptions()
        options.responseLimitBytes = 2_048
        let origin = HTTPOrigin(scheme: "https", host: "localhost")
        let methods = [HTTPMethod.post, .get, .head]
        let calls = methods.map { method in
            let body: [UInt8] = method == .post ? [1, 2, 3] : []
            return HTTP2Call(HTTPRequest(method: method, origin: origin, target: "/", body: body), options: options)
        }
        for call in calls { promise(session.begin(call), "a new session takes calls") }
        listen(session, to: bytes)
        session.breakOff { $0.brokenOff }
        let endings = session.takeEndings()
        for call in calls { promise(endings.count { $0.call === call } == 1, "every call ends, and once") }
        for (_, ending) in endings { judge(ending) }
        promise(session.openCount == 0 && session.takeEndings().isEmpty, "nothing is left")
    }

    /// In two pieces, with what the client says between them.
    private static func listen(_ session: HTTP2ClientSession, to bytes: [UInt8]) {
        var output: [UInt8] = []
        for piece in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
            guard session.fill(&output, upTo: 65_536), piece.withUnsafeBytes({ session.receive($0) }) else { return }
        }
        _ = session.fill(&output, upTo: 65_536)
        promise(output.count < 65_536 + 16_393, "a server's frames make the client say no more than it was told to")
    }

    private static func judge(_ ending: HTTP2ClientSession.Ending) {
        guard case .outcome(let outcome) = ending else { return }
        switch outcome {
        case .response(let response):
            promise((100...999).contains(response.status), "\(response.status) is a status")
            promise(response.body.count <= 2_048, "no answer is larger than asked for")
        case .notSent: promise(false, "nobody knows that the server did nothing, unless it says so")
        case .unknown: break
        }
    }
}
