import FoundationEssentials
import HTTP
import JSON
import Live
import Platform
import Scenarios
import Simulation
import Synchronization

@testable import Workbench

extension FuzzTarget {
    /// Requests to the control API of a served world, with `---` between them, in a world of their own.
    static let controlAPI = FuzzTarget("control-api") { bytes in
        let origin = HTTPOrigin(scheme: "http", host: "127.0.0.1")
        let requests = MessageText.sequence(bytes, limit: 6).compactMap { $0.request(to: origin) }
        guard !requests.isEmpty else { return }
        do {
            let last = HTTPRequest(method: .get, origin: origin, target: "/time")
            let answers = try ControlledWorld().answers(to: requests + [last])
            for (request, answer) in zip(requests, answers) { judge(answer, to: request) }
            promise(answers.last?.status == 200, "the world goes on behind it")
        } catch {
            promise(false, "a world can be served: \(error)")
        }
    }

    private struct Refusal: Decodable {
        var code: String?
        var message: String?
        var problems: [AnyJSON]?
    }

    private static func judge(_ answer: HTTPResponse, to request: HTTPRequest) {
        let name = "\(request.method.rawValue) \(request.target)"
        promise([200, 400, 404, 409, 422].contains(answer.status), "\(name) is not answered by \(answer.status)")
        guard let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(answer.body)) else {
            return promise((try? JSONDecoder().decode(AnyJSON.self, from: Data(answer.body))) != nil, "\(name): JSON")
        }
        guard answer.status != 200 else { return }
        let saysWhy = refusal.code?.isEmpty == false && refusal.message?.isEmpty == false
        promise(saysWhy || refusal.problems?.isEmpty == false, "\(name): a refusal says why")
    }
}

/// A served world without sockets for GitLab: the thread that asks is the world's.
private struct ControlledWorld {
    private static let certificates = Result { try ServedCertificates(name: "fuzz") }
    private static let servers = Result {
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try certificates.get().valid
        return try (0..<2).map { _ in
            try HTTP2Server(configuration) { _, _ in SentResponse(HTTPResponse(status: 200)) }
        }
    }
    private static let plan = Result {
        let scenario = try FuzzTarget.servedScenario.get()
        return try scenario.plan(seed: scenario.seed)
    }

    private let driver: LiveWorldDriver
    private let world: ServedWorld
    private let api: ControlAPI

    init() throws {
        let plan = try Self.plan.get()
        driver = try LiveWorldDriver(speed: 1)
        world = try ServedWorld(plan)
        api = ControlAPI(
            driver: driver,
            announcement: .object([]),
            actions: PostedEntries(plan.scenario),
            apnsServers: try Self.servers.get(),
            apnsFaults: ConnectionFaults(certificates: try Self.certificates.get())
        )
    }

    func answers(to requests: [HTTPRequest]) throws -> [HTTPResponse] {
        let (api, driver) = (api, driver)
        let heard = Heard()
        // Nobody cancels it: it ends with the last request.
        Task {
            for request in requests {
                let answer = await api.handle(request, from: HTTPPeer(address: "127.0.0.1", connection: 1))
                driver.post { _ in
                    heard.answers.withLock { $0.append(answer) }
                    // So that the world looks at once whether that was the last.
                    driver.post { _ in }
                }
            }
        }
        driver.run(world, until: try LiveSignals(), while: { heard.answers.withLock(\.count) < requests.count }) {}
        world.end()
        return heard.answers.withLock(\.self)
    }

    private final class Heard: Sendable {
        let answers = Mutex<[HTTPResponse]>([])
    }
}
