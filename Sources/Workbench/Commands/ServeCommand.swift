import Crypto
import HTTP
import Harness
import JSON
import Live
import Platform
import Scenarios
import Verdict

/// `simctl serve`: a scenario's services on sockets of this machine, in its time, until a signal ends it.
struct ServeCommand {
    private static let authorityFile = "authority.pem"
    private static let keyFile = "AuthKey_\(WorldSecrets.apnsKeyID).p8"
    private static let drainTime = Duration.seconds(2)

    var arguments: ServeArguments
    var console: LiveConsole

    /// - Throws: `ProgramError` when the scenario is invalid, a port is taken or a file cannot be written.
    func run() throws(ProgramError) -> ExitCode {
        let checked = try ScenarioFiles.read([arguments.file])
        guard let scenario = checked.first?.scenario else { return .internalError }
        let folder = try makeFolder()
        defer { folder.temporary?.remove() }
        do {
            return try serve(scenario, folder: folder.path)
        } catch let error as ProgramError {
            throw error
        } catch let error as HTTPServerError {
            throw ProgramError(.system, "\(error)", hint: "without a port any free one is taken")
        } catch let error as SystemFailure {
            throw error.programError
        } catch {
            throw ProgramError(.system, "the world cannot be served: \(error)")
        }
    }

    private func serve(_ scenario: Scenario, folder: String) throws -> ExitCode {
        let signals = try LiveSignals()
        let driver = try LiveWorldDriver(speed: arguments.speed)
        let certificates = try ServedCertificates(name: "simctl serve")
        let servers = try ServedSockets(arguments, certificates: certificates, driver: driver)
        let plan = try Self.plan(scenario, gitlab: servers.gitlabURL)
        let world = try ServedWorld(plan, hook: arguments.webhook, hooks: LiveHookCourier(driver))
        world.setUpAPNs(arguments)
        let announcement = try Announcement(
            plan: plan,
            servers: servers,
            speed: arguments.speed,
            webhook: arguments.webhook,
            authorityFile: "\(folder)/\(Self.authorityFile)",
            keyFile: "\(folder)/\(Self.keyFile)"
        ).json(of: world)
        let control = try servers.addControl(
            on: arguments.controlPort,
            announcement: announcement,
            actions: PostedEntries(plan.scenario)
        )
        // Once all ports are had: a second server that is refused one takes nothing from the first, whose folder it may have named.
        try writePrivate(certificates.authorityPEM, to: "\(folder)/\(Self.authorityFile)")
        try writePrivate(world.simulated.secrets.apnsKey.pem.exposedText, to: "\(folder)/\(Self.keyFile)")
        console.print(announcement.with("control", .string("http://127.0.0.1:\(control)")))
        var lines = ""
        if !arguments.isQuiet { world.onTrace = { lines += $0 + "\n" } }
        let running = LiveServing(servers)
        driver.run(world, until: signals) {
            guard !lines.isEmpty else { return }
            console.print(lines)
            lines = ""
        }
        running.end(within: Self.drainTime)
        world.end()
        return .met
    }

    /// The plan of a story that begins now and whose GitLab believes to be where it is.
    private static func plan(_ scenario: Scenario, gitlab url: String) throws -> ResolvedScenario {
        var scenario = scenario
        scenario.start = LiveTime().wallNow
        scenario.world.gitlab.externalURL = url
        return try scenario.plan(seed: scenario.seed)
    }

    // MARK: Files

    private func makeFolder() throws(ProgramError) -> (path: String, temporary: LiveTemporaryFolder?) {
        guard let folder = arguments.folder else {
            let temporary = try LiveTemporaryFolder()
            return (temporary.path, temporary)
        }
        let path = absolutePath(folder)
        do throws(SystemFailure) {
            try LivePrivateFile.makeFolder(path)
        } catch {
            throw ProgramError(
                .outNotWritable,
                error.programError.message,
                hint: "choose another folder with --cert-dir DIR"
            )
        }
        return (path, nil)
    }

    private func writePrivate(_ text: String, to path: String) throws {
        try LivePrivateFile.write(text, to: path)
    }
}

extension JSONValue {
    /// An object with one more member.
    fileprivate func with(_ key: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members + [JSONMember(key, value)])
    }
}
