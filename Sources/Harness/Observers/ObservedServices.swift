package import FakeAPNs
package import FakeGitLab
package import HTTP
import Platform

/// A fake GitLab with an onlooker, who counts requests for each person and sees that `Retry-After` is respected.
package final class ObservedGitLab: HTTPResponder {
    private let gitlab: FakeGitLab
    private let recorder: Recorder

    package init(_ gitlab: FakeGitLab, recorder: Recorder) {
        self.gitlab = gitlab
        self.recorder = recorder
    }

    package func respond(to request: HTTPRequest, from peer: HTTPPeer) -> SentResponse {
        let reply = gitlab.respond(to: request, from: peer)
        if request.path == "/oauth/token" { recorder.readGrants(of: gitlab) }
        recorder.observe(gitlabRequest: request, reply)
        // A drifting page makes GitLab change by itself.
        recorder.readLedger(of: gitlab)
        return reply
    }
}

/// A fake APNs with an onlooker, who notes every push and what became of its answer.
package final class ObservedAPNs: HTTPResponder {
    private let apns: FakeAPNs
    private let recorder: Recorder

    package init(_ apns: FakeAPNs, recorder: Recorder) {
        self.apns = apns
        self.recorder = recorder
    }

    package func respond(to request: HTTPRequest, from peer: HTTPPeer) -> SentResponse {
        let reply = apns.respond(to: request, from: peer)
        recorder.observe(push: request, reply)
        return reply
    }
}
