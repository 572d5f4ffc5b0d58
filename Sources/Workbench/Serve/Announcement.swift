import Crypto
import FakeGitLab
import Harness
import JSON
import Live
import Platform
import Scenarios

/// The first line that `simctl serve` prints: where everything is and what opens it.
struct Announcement {
    var plan: ResolvedScenario
    var servers: ServedSockets
    var speed: Int64
    /// Where GitLab's own hook goes.
    var webhook: Webhook?
    var authorityFile: String
    var keyFile: String

    /// - Throws: `FakeGitLabError` for a world that lacks what its scenario names.
    func json(of world: ServedWorld) throws -> JSONValue {
        .object([
            JSONMember("scenario", .string(plan.scenario.name)), JSONMember("seed", .integer(Int64(plan.seed))),
            JSONMember("speed", .integer(speed)), JSONMember("caFile", .string(authorityFile)),
            JSONMember("gitlab", try gitlab(world.simulated)), JSONMember("apns", try apns(world.simulated)),
            JSONMember("devices", ServedLedgers.devices(world.simulated)),
        ])
    }

    private func gitlab(_ world: SimulatedWorld) throws -> JSONValue {
        let tokens = world.people.map { JSONMember($0.username.text, .string($0.gitlabToken)) }
        let projects = try plan.scenario.world.projects.map { project in
            JSONMember(project.path.text, .integer(try world.gitlab.id(ofProject: project.path.text)))
        }
        return .object([
            JSONMember("url", .string(servers.gitlabURL)), JSONMember("tokens", .object(tokens)),
            JSONMember("projects", .object(projects)), JSONMember("webhook", hook),
        ])
    }

    private var hook: JSONValue {
        guard let webhook else { return .null }
        return .object([
            JSONMember("url", .string("\(webhook.origin)\(webhook.target)")),
            JSONMember("secret", .string(webhook.secret ?? "")),
        ])
    }

    private func apns(_ world: SimulatedWorld) throws -> JSONValue {
        .object([
            JSONMember("url", .string("https://localhost:\(servers.apns[0].port)")),
            JSONMember("sandboxURL", .string("https://localhost:\(servers.apns[1].port)")),
            JSONMember("keyID", .string(WorldSecrets.apnsKeyID)),
            JSONMember("teamID", .string(WorldSecrets.apnsTeamID)),
            JSONMember("bundleID", .string(WorldBuilder.topic)), JSONMember("keyFile", .string(keyFile)),
            JSONMember("keyPEM", .string(try world.secrets.apnsKey.pem.exposedText)),
        ])
    }
}
