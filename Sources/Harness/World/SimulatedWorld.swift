package import FakeAPNs
package import FakeGitLab
import HTTP
import Platform
package import Scenarios
import SimulatedStorage
package import Simulation

/// Everything that takes part in one run, built from a plan.
///
/// Unchecked: simulation thread: all it holds is used there.
package final class SimulatedWorld: @unchecked Sendable {
    let plan: ResolvedScenario
    let options: RunOptions
    package let simulation: Simulation
    package let gitlab: FakeGitLab
    package let gitlabClock: NodeClock
    package let apnsClock: NodeClock
    package let fleet: DeviceFleet
    package let secrets: WorldSecrets
    /// Production first, sandbox second.
    package let apns: [FakeAPNs]
    package let recorder: Recorder
    package let notifier: any NotifierHost
    let webhooks: WebhookSender
    package let people: [PersonApp]
    /// Nil when nobody asks for the metrics.
    let scraper: MetricsScraper?
    let readiness: ReadinessWatch
    /// The first step that could not be carried out.
    package var failure: RunError?
    let steps: DurableStepMonitor
    var stepCounts: [DurableStep: Int] = [:]
    /// What had been counted each time the process was started again.
    var stepsBeforeStarts: [[DurableStep: Int]] = []
    /// Crashes that wait for another start of the process.
    var stepCrashes: [StepCrash] = []
    /// Whether the notifier's process is not there, and until when.
    var isDown = false
    var downUntil = Duration.zero
    /// Whether its last start was in vain, and nothing excuses it.
    var refusesToStart = false
    /// Late commits in force; nil while there are none.
    var lateCommit: LateCommits?
    /// How to end the faults that are running; see `end(_:)`.
    var faultEndings: [EntryID: [FaultEnding]] = [:]
    var duplicates = FaultsInForce<Ratio>()
    var forgeries = FaultsInForce<Ratio>()
    var diskFaults = FaultsInForce<DiskFault>()
    var diskDelays = FaultsInForce<Duration>()
    /// From which the notifier is to be started next.
    var backupToRestore: String?
    /// The backup from before a block of the database was spoilt, and when it is brought back if the notifier refuses the database.
    var damage: (backup: String, restoredAt: Duration)?
    var drifts: [ClockNode: FaultsInForce<Int64>] = [:]
    /// How many faults are running in which Apple does not know the notifier's key.
    var keyRevocations = 0
    /// For faults that strike a share of what happens.
    var faultRandom: RandomStream
    var knownLabels: Set<String>
    var knownMilestones: Set<String> = []
    /// How often somebody was mentioned on a commit.
    var commitMentions = 0

    /// - Throws: `RunError` when a fake or the notifier refuses what the scenario asks for.
    package init(_ plan: ResolvedScenario, _ options: RunOptions, _ parts: WorldParts = WorldParts()) throws {
        let scenario = plan.scenario
        let simulation = Simulation(
            seed: plan.seed,
            start: scenario.start,
            retention: options.trace,
            exploresSchedules: options.exploresSchedules
        )
        simulation.trace.sink = options.onTraceLine.map { take in { take(TraceFile.line($0)) } }
        let recorder = Recorder(plan, simulation: simulation)
        let gitlabNode = simulation.makeNode("gitlab")
        let gitlabClock = gitlabNode.clock
        let apnsNode = simulation.makeNode("apns")
        let secrets = try WorldSecrets(scenario, seed: plan.seed)
        let (gitlab, numbers) = try WorldBuilder.makeGitLab(
            scenario,
            seed: plan.seed,
            clock: gitlabClock,
            recorder: recorder,
            hook: parts.hook
        )
        recorder.learn(numbers)
        let limit = parts.apnsLedgerLimit
        let fleet = WorldBuilder.makeFleet(scenario, plan.seed, limit, clock: apnsNode.clock, scheduler: simulation)
        let apns = WorldBuilder.makeAPNs(secrets, seed: plan.seed, limit, clock: apnsNode.clock, fleet: fleet)
        let notifier = try parts.makeNotifier(Self.site(scenario, options, secrets, simulation, recorder))
        WorldBuilder.connect(gitlab, apns, to: simulation, scenario.world, recorder)
        let appNode = simulation.makeNode("devices")
        people = scenario.world.people.compactMap { person in
            PersonApp(
                person,
                node: appNode,
                simulation: simulation,
                fleet: fleet,
                gitlab: gitlab,
                gitlabAddress: parts.gitlabOrigin.description,
                recorder: recorder,
                numbers: numbers,
                struckDevices: plan.struckDevices(of: person.username)
            )
        }
        faultRandom = simulation.randomStream("faults")
        knownLabels = Set(scenario.world.projects.flatMap { $0.items.flatMap(\.labels) })
        self.plan = plan
        self.options = options
        self.simulation = simulation
        self.gitlab = gitlab
        self.gitlabClock = gitlabClock
        self.apnsClock = apnsNode.clock
        self.fleet = fleet
        self.secrets = secrets
        self.apns = apns
        self.recorder = recorder
        self.notifier = notifier
        steps = DurableStepMonitor(notifier, recorder, simulation)
        webhooks = WebhookSender(
            gitlab,
            node: gitlabNode,
            simulation: simulation,
            courier: parts.hookCourier,
            recorder: recorder
        )
        scraper = MetricsScraper(notifier, simulation, plan, options)
        readiness = ReadinessWatch(notifier, recorder, length: plan.scenario.duration + options.tail)
        observe(scenario.world, sendsWebhooks: scenario.world.gitlab.sendsWebhooks || parts.hookCourier != nil)
    }

    private static func site(
        _ scenario: Scenario,
        _ options: RunOptions,
        _ secrets: WorldSecrets,
        _ simulation: Simulation,
        _ recorder: Recorder
    ) -> NotifierSite {
        NotifierSite(
            overrides: scenario.notifier,
            secrets: secrets,
            simulation: simulation,
            apiLatency: scenario.world.apiLatency,
            recorder: recorder,
            keepsIncident: options.exportsIncident || options.looksThroughIncident
        )
    }

    /// Lets everyone who wants to know hear what happens.
    private func observe(_ world: World, sendsWebhooks: Bool) {
        if sendsWebhooks {
            recorder.onLedgerGrown = { [webhooks] in webhooks.sendNew() }
        }
        recorder.people = { [people] username in people.first { $0.username == username } }
        recorder.onGrantRefused = { [people] username in
            people.first { $0.username == username }?.openTokenDeath()
        }
        let owners = DeviceOwners(people)
        let receipts = ReceiptReporter(
            world.receipts,
            owners: owners,
            recorder: recorder,
            random: simulation.randomStream("receipts")
        )
        fleet.observe { [recorder] event in
            let present: @Sendable () -> Void = {
                recorder.observe(event)
                receipts.observe(event)
            }
            let isSilent = event.kind == .delivered && event.push.isBackground
            guard isSilent || event.kind == .displayed,
                let person = owners.owner(of: event.device)
            else { return present() }
            if isSilent { person.woken(event) } else { person.arrived(event, present: present) }
        }
        simulation.trace.observer = { [recorder] in recorder.observe($0) }
        simulation.network.onArrival = { [recorder] in recorder.observe(arrived: $0) }
    }

    /// Plays every step and lets what is under way arrive.
    ///
    /// - Throws: `RunError` for a step that a fake refused.
    func play() throws {
        try begin()
        let end = simulation.now.advanced(by: length)
        simulation.run(until: end) { self.failure != nil }
        if let failure { throw failure }
    }

    /// How long the story and what it leads to take.
    package var length: Duration { plan.scenario.duration + options.tail }

    /// Starts the notifier, and prepares all that is to happen.
    ///
    /// - Throws: `RunError.notifierRefused`.
    package func begin() throws {
        try notifier.start()
        scraper?.start()
        readiness.start()
        let registered = plan.scenario.registeredFromStart.map(\.username)
        for person in people where registered.contains(person.username) { person.register() }
        for duty in plan.scenario.world.duties {
            let members = duty.members.compactMap { name in people.first { $0.username == name } }
            members.first?.setUp(duty, with: members.dropFirst())
        }
        if let until = options.countsStepsUntil {
            simulation.schedule(after: .zero) { [self] in countSteps(until: until) }
        }
        for step in plan.steps {
            simulation.schedule(after: step.offset) { [self] in carryOut(step) }
        }
        simulation.schedule(after: length - .minutes(1)) { [notifier, recorder] in
            notifier.scrapeMetrics { recorder.hasNothingToDeliver = MetricsPage($0).hasNothingToDeliver }
        }
    }

    /// What the run leaves behind. Ends the world: nothing runs in it afterwards.
    package func outcome() -> RunOutcome {
        for person in people { person.judgeWaiting() }
        let record = recorder.finish()
        simulation.trace.endKeeping()
        let lines = simulation.trace.records.map(TraceFile.line)
        let metrics = scraper?.finish() ?? []
        // What still runs is asked to end, so that its memory is given back; none of it belongs to the record.
        simulation.trace.observer = nil
        simulation.network.onArrival = nil
        fleet.observe { _ in }
        notifier.stop()
        for person in people { person.stopApps() }
        people.first?.node.stop()
        steps.end()
        recorder.onLedgerGrown = nil
        recorder.onGrantRefused = nil
        recorder.people = nil
        webhooks.stop()
        simulation.run(for: .minutes(2))
        notifier.crash()
        simulation.discard()
        notifier.discardDisk()
        for person in people { person.discardDisks() }
        var outcome = RunOutcome(record: record, traceLines: lines, metricsLines: metrics)
        outcome.durableSteps = stepCounts
        outcome.stepsBeforeStarts = stepsBeforeStarts
        return outcome
    }

    /// The same, with what the notifier's operator would send of it, where that was asked for.
    ///
    /// - Throws: `SQLiteError` or `RunError` when the notifier cannot tell.
    package func outcomeWithIncident() throws -> RunOutcome {
        let lines = options.exportsIncident ? try notifier.exportIncident() : []
        if options.looksThroughIncident {
            do { recorder.lookThrough(incident: try notifier.exportIncident(), of: plan.scenario.world) } catch {
                // A disk that fails at the end, or a database that is damaged, has nothing to send.
                guard recorder.hasSeenFault(at: [.disk, .database]) else { throw error }
            }
        }
        var outcome = outcome()
        outcome.incidentLines = lines
        return outcome
    }

    private func carryOut(_ step: Step) {
        guard failure == nil else { return }
        do {
            try carryOut(step.event)
        } catch {
            failure = .worldRefused(step: step.sequence, "\(error)")
        }
    }

    /// Lets it happen now.
    ///
    /// - Throws: `FakeGitLabError` or `RunError` when a service refuses.
    package func carryOut(_ event: Step.Event) throws {
        switch event {
        case .action(let resolved): try withLateCommit { try perform(resolved.action) }
        case .fault(let fault): try begin(fault)
        }
        recorder.readLedger(of: gitlab)
    }

    /// The app of that person. Traps when they do not use the notifier: the checker refuses such scenarios.
    func person(_ username: Username) -> PersonApp {
        guard let person = people.first(where: { $0.username == username }) else {
            preconditionFailure("an action on a device names a person who uses the notifier")
        }
        return person
    }
}
