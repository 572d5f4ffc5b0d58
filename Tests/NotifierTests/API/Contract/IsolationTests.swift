import HTTP
import JSON
import Platform
import Testing

@testable import Notifier

/// One person can never see or change another's anything, route by route over the whole table.
///
/// Anna does all that the documented examples do. Then Bert sends the same requests with Anna's ids: what was hers must be unknown
/// to him, nothing he is told may hold anything of hers, and what she sees afterwards must be what she saw before.
struct IsolationTests {
    /// Every route that asks who is there; the open ones carry their right in the body, and those for programs are tried by
    /// `SignalRouteTests`.
    static let operations = RESTAPI.routes.filter { $0.access == .account || $0.access == .device }
        .map(\.description.operationID)

    /// Routes that take many ids count those that are unknown, and what this member says was done with the others.
    private static let counting = ["acknowledge": "acknowledged", "markRead": "changed"]

    private let bench: ContractBench

    init() throws { bench = try ContractBench() }

    /// Lets Anna have all that any example needs, and what the tested one needs.
    private func fill(for route: APIRoute) throws -> RouteDescription.Example {
        for other in RESTAPI.routes where other.access != .open && other.method == .get {
            for example in other.description.examples { try bench.prepare(example, of: other) }
        }
        let example = try #require(route.description.examples.first)
        try bench.prepare(example, of: route)
        return example
    }

    /// What the person sees of their own, by operation.
    private func view(of session: String) throws -> [String: String] {
        var view: [String: String] = [:]
        for route in RESTAPI.routes where route.access != .open && route.method == .get && route.path.names.isEmpty {
            let response = try bench.send(route, target: route.path.description, session: session)
            view[route.description.operationID] = "\(response.status) \(response.bodyText)"
        }
        return view
    }

    /// The same phone shows another token to each app, and an app that shows somebody's token is theirs from then on.
    private func withOwnPushToken(_ example: RouteDescription.Example) -> RouteDescription.Example {
        guard let body = example.body, body["apnsToken"] != nil else { return example }
        var changed = example
        changed.body = body.with("apnsToken", "be47be47be47be47be")
        return changed
    }

    @Test(arguments: operations)
    func `nobody sees or changes what is another person's`(operation: String) throws {
        let route = try ContractBench.route(operation)
        let example = withOwnPushToken(try fill(for: route))
        let anna = try #require(bench.session)
        var bert = try bench.server.register("glpat-bert")
        if route.access == .device {
            let registered = try bench.server.registerDevice("be47", bert)
            bert = try #require(registered.text("token"))
        }
        let before = try view(of: anna)
        let annas = bench.bindings

        let response = try bench.replay(example, of: route, session: bert, isCompared: false)
        if let done = Self.counting[operation] {
            let answer = ContractBench.json(response)
            #expect(answer?[done] == 0 && answer?["unknown"].map { $0 != 0 } == true, "\(response.bodyText)")
        } else if bench.refersToEarlier(example) {
            #expect(response.status == 404, "\(response.status) \(response.bodyText)")
        }
        for (documented, real) in annas where response.bodyText.contains(real) {
            Issue.record("Bert is told what \(documented) stands for: \(response.bodyText)")
        }
        #expect(try view(of: anna) == before)
    }

    @Test func `the view that is compared holds what the person has`() throws {
        _ = try fill(for: ContractBench.route("listWatches"))
        let view = try view(of: try #require(bench.session))
        #expect(view["listWatches"]?.contains("Auth refactor") == true)
        #expect(view["listDevices"]?.contains("\"state\":\"active\"") == true)
        let bert = try bench.server.register("glpat-bert")
        #expect(try self.view(of: bert) != view)
    }
}
