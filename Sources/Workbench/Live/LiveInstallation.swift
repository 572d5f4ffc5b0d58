import Crypto
import HTTP
import Harness
import JSON
import Live
import Notifier
import Platform
import Scenarios

/// Everything `notifierd` needs to run in a live world: a folder with settings, keys and the database.
struct LiveInstallation {
    /// Where the services listen.
    struct Services {
        var gitlab: String
        var production: String
        var sandbox: String
    }

    /// The program itself.
    let program: String
    let folder: String
    let clock: LiveFastClock
    private let inherited: InheritedEnvironment

    /// - Throws: `ProgramError` or `SystemFailure` when a file cannot be written.
    init(
        _ program: String,
        in folder: String,
        clock: LiveFastClock,
        services: Services,
        authority: String,
        site: NotifierSite,
        inherited: InheritedEnvironment
    ) throws {
        self.program = program
        self.folder = folder
        self.clock = clock
        self.inherited = inherited
        variables = Self.variables(site.secrets, folder: folder)
        try LivePrivateFile.write(authority, to: "\(folder)/authority.pem")
        try LivePrivateFile.write(site.secrets.apnsKey.pem.exposedText, to: Self.keyFile(in: folder))
        let settings = Self.settings(services, site.overrides, folder: folder)
        try LivePrivateFile.write(settings.text(indented: true) + "\n", to: "\(folder)/notifierd.json")
    }

    private let variables: [String]

    /// How to start the program.
    ///
    /// - Throws: `ProgramError` when the library of its clock is missing.
    func launch() throws(ProgramError) -> ProcessLaunch {
        // Whatever ends this program ends the other.
        ProcessLaunch(
            executable: "/usr/bin/setpriv",
            arguments: ["--pdeathsig", "KILL", program, "run", "--config", "\(folder)/notifierd.json"],
            environment: WorkerEnvironment.fixed(inherited) + variables + (try clock.environment())
        )
    }

    /// How to let it tell what an incident report needs.
    ///
    /// - Throws: `ProgramError` when the library of its clock is missing.
    func exportIncident(to file: String) throws(ProgramError) -> ProcessLaunch {
        ProcessLaunch(
            executable: program,
            arguments: ["export-incident", "--config", "\(folder)/notifierd.json", "--to", file],
            environment: WorkerEnvironment.fixed(inherited) + variables + (try clock.environment())
        )
    }

    private static func keyFile(in folder: String) -> String { "\(folder)/AuthKey_\(WorldSecrets.apnsKeyID).p8" }

    private static func variables(_ secrets: WorldSecrets, folder: String) -> [String] {
        let key = secrets.notifier.encryptionKeys.first?.key.hexadecimal ?? ""
        var variables = [
            "APNS_KEY_PATH=\(keyFile(in: folder))", "APNS_KEY_ID=\(WorldSecrets.apnsKeyID)",
            "APNS_TEAM_ID=\(WorldSecrets.apnsTeamID)", "ENCRYPTION_KEY_CURRENT=\(key)",
            "SESSION_KEY=\(secrets.notifier.sessionKey.exposedText)", "OAUTH_SECRET=\(WorldSecrets.oauthClient)",
        ]
        if let secret = secrets.notifier.webhookSecret { variables.append("WEBHOOK_SECRET=\(secret.exposedText)") }
        return variables
    }

    private static func settings(_ services: Services, _ overrides: NotifierOverrides, folder: String) -> JSONValue {
        let places = [
            JSONMember("productionAPNs", .string(services.production)),
            JSONMember("sandboxAPNs", .string(services.sandbox)),
        ]
        let chosen = overrides.values.filter { member in !places.contains { $0.key == member.key } }
        return .object([
            JSONMember(
                "listen",
                .object([
                    JSONMember("address", .string("127.0.0.1")), JSONMember("port", .integer(0)),
                    JSONMember("trustsForwardedFor", .bool(true)),
                ])
            ),
            JSONMember("database", .string("\(folder)/notifier.db")),
            JSONMember("authorities", .string("\(folder)/authority.pem")),
            JSONMember("gitlabs", .array([.string(services.gitlab)])),
            JSONMember(
                "oauth",
                .array([
                    .object([
                        JSONMember("gitlab", .string(services.gitlab)),
                        JSONMember("clientId", .string(WorldSecrets.oauthClientID)),
                        JSONMember("redirectUri", .string(WorldSecrets.oauthRedirectURI)),
                        JSONMember("secretVariable", .string("OAUTH_SECRET")),
                    ])
                ])
            ),
            JSONMember("notifier", .object(chosen + places)),
        ])
    }
}

extension Secret {
    /// Its bytes as pairs of digits.
    fileprivate var hexadecimal: String {
        exposedBytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
