import FakeGitLab
import FoundationEssentials
import HTTP
import Platform
import Simulation

extension FuzzTarget {
    /// Requests to the fake GitLab, with `---` between them; the person's token is `maria-token`.
    static let gitLabRequests = FuzzTarget("gitlab-requests") { bytes in
        let origin = HTTPOrigin(scheme: "https", host: "git.internal")
        let requests = MessageText.sequence(bytes, limit: 8).compactMap { $0.request(to: origin) }
        guard !requests.isEmpty else { return }
        let world = VirtualWorld()
        defer { world.simulation.discard() }
        guard let gitLab = try? makeGitLab(at: world.simulation.clock) else {
            return promise(false, "the world can be made")
        }
        for request in requests {
            let reply = gitLab.respond(to: request, from: HTTPPeer(address: "192.0.2.1", connection: 1))
            let response = reply.response
            promise(response.status != 500, "\(request.method.rawValue) \(request.target) breaks the server")
            guard response.fields["Content-Type"] == "application/json", !response.body.isEmpty else { continue }
            let isJSON = (try? JSONDecoder().decode(AnyJSON.self, from: Data(response.body))) != nil
            promise(isJSON, "\(request.target) is answered with JSON")
        }
    }

    private static func makeGitLab(at time: any TimeSource) throws -> FakeGitLab {
        let gitLab = FakeGitLab(time: time, seed: 1)
        for name in ["maria", "omar"] {
            try gitLab.addPerson(NewPerson(username: name))
            try gitLab.addToken("\(name)-token", for: name)
        }
        try gitLab.addProject("team/backend", members: ["maria": .developer, "omar": .maintainer])
        let merge = ItemReference(project: "team/backend", kind: .mergeRequest, iid: 7)
        try gitLab.addItem(
            NewItem(project: "team/backend", kind: .mergeRequest, iid: 7, title: "Cache", author: "maria")
        )
        try gitLab.addItem(NewItem(project: "team/backend", kind: .issue, iid: 3, title: "Slow", author: "omar"))
        try gitLab.comment(by: "omar", on: merge, body: "@maria, look.")
        return gitLab
    }
}
