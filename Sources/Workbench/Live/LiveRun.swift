import Crypto
import HTTP
import Harness
import Live
import Platform
import Scenarios
import Simulation
import Verdict

/// Plays one plan on sockets, in the machine's time, against `notifierd` in a process of its own.
struct LiveRun {
    /// How long `notifierd` may take until it serves, and the servers to end.
    private static let startLimit = Duration.seconds(20)
    private static let drainTime = Duration.seconds(1)

    /// What came of it, and how late the machine let it happen.
    struct Outcome {
        var run: RunOutcome
        var lateness: Lateness
    }

    /// The program.
    var notifierd: String
    /// How many seconds pass in one of the machine's.
    var speed: Int64
    var signals: LiveSignals
    var inherited: InheritedEnvironment
    var options = RunOptions(trace: .notable)

    /// Blocks the calling thread, which becomes the world's, for as long as the story lasts.
    ///
    /// - Throws: `RunError`, `ProgramError` (also when a signal came), `HTTPServerError` or `SystemFailure`.
    func perform(_ plan: ResolvedScenario) throws -> Outcome {
        let folder = try LiveTemporaryFolder()
        defer { folder.remove() }
        let driver = try LiveWorldDriver(speed: speed)
        let start = plan.scenario.start
        let certificates = try ServedCertificates(
            name: "simctl run --live",
            validity: start.advanced(by: .days(-366))...start.advanced(by: .days(366))
        )
        let servers = try ServedSockets(ServeArguments(file: ""), certificates: certificates, driver: driver)
        var plan = plan
        plan.scenario.world.gitlab.externalURL = servers.gitlabURL
        var made: LiveNotifier?
        let parts = WorldParts(gitlabOrigin: servers.gitlabOrigin) { site in
            let notifier = try makeNotifier(
                site,
                servers,
                folder.path,
                authority: certificates.authorityPEM,
                start: plan.scenario.start,
                driver: driver
            )
            made = notifier
            return notifier
        }
        let world = try ServedWorld(plan, options, parts: parts)
        let running = LiveServing(servers)
        defer { running.end(within: Self.drainTime) }
        guard let notifier = made else { preconditionFailure("a world makes its notifier") }
        return try play(world, notifier, driver)
    }

    private func play(_ world: ServedWorld, _ notifier: LiveNotifier, _ driver: LiveWorldDriver) throws -> Outcome {
        defer { notifier.discardDisk() }
        let simulated = world.simulated
        try simulated.begin()
        try notifier.waitUntilReady(within: Self.startLimit)
        let now = LiveClock.now
        driver.begin(at: now)
        notifier.setClock(at: now)
        let lateness = driver.run(world, until: signals) {
            world.now < simulated.length && simulated.failure == nil
        } afterEachTurn: {
            notifier.keepClock()
        }
        if let failure = simulated.failure { throw failure }
        guard world.now >= simulated.length else { throw WorkerPool.interrupted }
        return Outcome(run: try simulated.outcomeWithIncident(), lateness: lateness)
    }

    private func makeNotifier(
        _ site: NotifierSite,
        _ servers: ServedSockets,
        _ folder: String,
        authority: String,
        start: WallTime,
        driver: LiveWorldDriver
    ) throws -> LiveNotifier {
        let installation = try LiveInstallation(
            notifierd,
            in: folder,
            clock: LiveFastClock("\(folder)/clock", speed: speed, wall: start),
            services: LiveInstallation.Services(
                gitlab: servers.gitlabURL,
                production: "https://localhost:\(servers.apns[0].port)",
                sandbox: "https://localhost:\(servers.apns[1].port)"
            ),
            authority: authority,
            site: site,
            inherited: inherited
        )
        return try LiveNotifier(site, installation, driver: driver)
    }
}
