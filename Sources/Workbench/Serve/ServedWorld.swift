import Crypto
import FakeAPNs
import FakeGitLab
import HTTP
import Harness
import JSON
import Platform
import Scenarios
import Simulation

/// A scenario's world as other programs meet it: the simulated one, whose services are asked by requests that come from outside. Its
/// notifier is a process of its own, or whatever a client of the world runs.
///
/// Unchecked: simulation thread: all it holds is used there.
final class ServedWorld: @unchecked Sendable {
    /// The services of a world.
    enum Service: Int, Sendable {
        case production, sandbox, gitlab
    }

    /// What has happened, as entries of a timeline.
    struct Past: Sendable {
        /// Actions only, in order, each with its time.
        var entries: [String] = []
        /// A time behind all of them, in whole milliseconds, and not before the present.
        var next = Duration.zero
    }

    /// A reply on its way.
    struct OutgoingResponse: Sendable {
        var reply: SentResponse
        var exchange: Int64
        /// What GitLab's clock showed, for clients that live by another.
        var gitlabTime: WallTime?
    }

    let simulated: SimulatedWorld
    /// False when the notifier is none of this program's business.
    let hasNotifier: Bool
    /// Whether GitLab's own hook goes somewhere.
    let sendsWebhooks: Bool
    /// Takes each line of the trace, without its newline.
    var onTrace: ((String) -> Void)?
    private let gitlab: ObservedGitLab
    private let apns: [ObservedAPNs]
    /// Requests that GitLab has answered.
    private(set) var gitlabRequests: Int64 = 0
    private var entries: [String] = []
    private var lastEntry = Duration.zero
    private let observeBefore: ((TraceRecord) -> Void)?

    /// A world with the notifier of `parts`.
    ///
    /// - Throws: `RunError`.
    convenience init(_ plan: ResolvedScenario, _ options: RunOptions, parts: WorldParts) throws {
        try self.init(plan, options, parts, hasNotifier: true)
    }

    /// A world without a notifier, whose story begins at once. `hooks` carries webhooks, of the instance to `hook` if there is one;
    /// without it they are not sent.
    ///
    /// - Throws: `RunError`.
    convenience init(_ plan: ResolvedScenario, hook: Webhook? = nil, hooks: (any HookCourier)? = nil) throws {
        var (plan, parts) = (plan, WorldParts())
        plan.scenario.world.gitlab.sendsWebhooks = hook != nil
        if let hook { parts.hook = hook }
        parts.hookCourier = hooks
        parts.apnsLedgerLimit = nil
        try self.init(plan, RunOptions(), parts, hasNotifier: false)
    }

    private init(_ plan: ResolvedScenario, _ options: RunOptions, _ parts: WorldParts, hasNotifier: Bool) throws {
        simulated = try SimulatedWorld(plan, options, parts)
        self.hasNotifier = hasNotifier
        sendsWebhooks = plan.scenario.world.gitlab.sendsWebhooks
        gitlab = ObservedGitLab(simulated.gitlab, recorder: simulated.recorder)
        apns = simulated.apns.map { [recorder = simulated.recorder] in ObservedAPNs($0, recorder: recorder) }
        observeBefore = simulated.simulation.trace.observer
        simulated.simulation.trace.observer = { [unowned self] record in
            observeBefore?(record)
            onTrace?(TraceFile.line(record))
        }
        guard !hasNotifier else { return }
        simulated.people.forEach { $0.hasServer = false }
        for step in plan.steps {
            simulated.simulation.schedule(after: step.offset) { [unowned self] in happen(step.event) }
        }
    }

    /// Time since the start.
    var now: Duration { simulated.recorder.now }

    // MARK: Time

    /// Lets time pass up to that instant since the start.
    func advance(to instant: Duration) {
        simulated.simulation.run(until: MonotonicInstant(nanoseconds: instant.wholeNanoseconds))
    }

    /// When something is to happen next, since the start; nil for never.
    var nextInstant: Duration? {
        simulated.simulation.nextInstant.map { .nanoseconds($0.nanoseconds) }
    }

    /// Sets APNs' clock: clients date their provider tokens by their own, which is not that of a world whose time runs fast.
    func setServiceClock(to time: WallTime) {
        simulated.apnsClock.step(by: simulated.apnsClock.wallNow.duration(to: time))
    }

    /// Lets both of APNs' services allow so many streams, bear so many bad answers, half as many for tokens that are none, and answer
    /// without the time that real ones take.
    func setUpAPNs(_ arguments: ServeArguments) {
        for service in simulated.apns {
            service.setStreamLimit(arguments.streamLimit)
            if let count = arguments.badAnswers {
                service.setTolerance(badAnswers: count, badDeviceTokens: (count + 1) / 2)
            }
            if arguments.isInstant { service.answerAtOnce() }
        }
    }

    // MARK: Requests

    /// Answers a request at the present instant.
    func respond(_ service: Service, _ request: HTTPRequest, _ peer: HTTPPeer) -> OutgoingResponse {
        if service == .gitlab { gitlabRequests += 1 }
        let (trace, exchange) = (simulated.simulation.trace, simulated.simulation.network.nextExchange())
        let link = service == .gitlab ? Link.gitlab : Link.apns
        trace.record(
            .requestSent(
                exchange: exchange,
                link: link.rawValue,
                method: request.method.rawValue,
                target: request.target,
                bodyBytes: request.body.count
            )
        )
        let passage = hasNotifier ? simulated.simulation.network.passage(over: link.rawValue) : nil
        let reply = travel(passage) {
            service == .gitlab
                ? gitlab.respond(to: request, from: peer) : apns[service.rawValue].respond(to: request, from: peer)
        }
        trace.record(
            .replySent(
                exchange: exchange,
                status: reply.travel == .whole ? reply.response.status : 0,
                bodyBytes: reply.response.body.count,
                fault: reply.faultID
            )
        )
        let gitlabTime = service == .gitlab && !hasNotifier ? simulated.gitlabClock.wallNow : nil
        return OutgoingResponse(reply: reply, exchange: exchange, gitlabTime: gitlabTime)
    }

    /// What an answer becomes on its way: the time it takes, and the fault of the link as far as a socket can show it.
    private func travel(_ passage: LinkPassage?, _ answer: () -> SentResponse) -> SentResponse {
        guard let passage else { return answer() }
        switch passage.fault?.kind {
        case .refuse, .resetBeforeServer:
            return SentResponse(HTTPResponse(status: 503), travel: .reset, faultID: passage.fault?.id)
        default: break
        }
        var reply = answer()
        reply.serviceTime += passage.latency
        guard let fault = passage.fault, reply.travel == .whole else { return reply }
        reply.faultID = reply.faultID ?? fault.id
        switch fault.kind {
        case .stallBeforeFirstByte(let stall), .stallInBody(let stall): reply.serviceTime += stall
        case .slowBody(let rate): reply.serviceTime += .seconds(reply.response.body.count) / Int(max(1, rate))
        case .resetAfterServer: reply.travel = .reset
        case .truncateBody: reply.travel = .truncated(afterBytes: reply.response.body.count / 2)
        case .latency, .refuse, .resetBeforeServer: break
        }
        return reply
    }

    /// An answer has left, as far as it does.
    func answerLeft(_ answer: OutgoingResponse) {
        guard hasNotifier else { return }
        let isWhole = answer.reply.travel == .whole
        simulated.simulation.trace.record(
            .exchangeEnded(
                exchange: answer.exchange,
                status: isWhole ? answer.reply.response.status : -1,
                failure: isWhole ? nil : HTTPFailure.connectionReset.rawValue
            )
        )
    }

    // MARK: What happens

    /// Why something cannot happen in this world; nil when it can.
    func obstacle(to event: Step.Event) -> String? {
        Self.obstacle(to: event, sendsWebhooks: sendsWebhooks)
    }

    /// Why something cannot happen in a world without a notifier; nil when it can.
    static func obstacle(to event: Step.Event, sendsWebhooks: Bool = false) -> String? {
        switch event {
        case .action(let resolved): obstacle(to: resolved.action)
        case .fault(let fault): obstacle(to: fault, sendsWebhooks: sendsWebhooks)
        }
    }

    private static func obstacle(to action: Action) -> String? {
        let app = "The app does that through the notifier, and this world has none of its own: let yours do it."
        switch action {
        case .register, .watch, .unwatch, .app, .program, .duty: return app
        case .announcement: return "The notifier's operator does that, and this world has none: announce it by yours."
        case .device(let action, _, _): return action == .pair || action == .remove ? app : nil
        case .onItem, .open, .mentionOnCommit, .moveMilestone, .todo, .access, .token: return nil
        }
    }

    private static func obstacle(to fault: Scenarios.Fault, sendsWebhooks: Bool) -> String? {
        switch fault.kind.place {
        case .process, .database, .disk:
            return "It strikes the notifier's process, and this world has none of its own."
        case .clock:
            return fault.effect.clock == .notifier
                ? "It strikes the notifier's clock, and this world has no notifier of its own." : nil
        case .device: return "It strikes the app on a device, which keeps nothing here: let it strike yours."
        case .link: return "It strikes a simulated link; for frames and connections of APNs there is /apns/faults."
        case .webhooks: return sendsWebhooks ? nil : "This world's webhooks go nowhere: say where to with --webhooks."
        case .gitlab, .apns: return nil
        }
    }

    /// Everything that has happened.
    var past: Past {
        Past(entries: entries, next: max(.milliseconds(now.wholeMilliseconds), lastEntry) + .milliseconds(1))
    }

    /// Lets it happen now.
    ///
    /// - Throws: `FakeGitLabError` or `RunError` when a service refuses.
    func carryOut(_ event: Step.Event) throws {
        try simulated.carryOut(event)
        guard case .action = event else { return }
        lastEntry = past.next
        let step = Step(sequence: entries.count, offset: lastEntry, event: event)
        entries.append(ScenarioEncoder.entry(step.asEntry).text(indented: false))
    }

    /// A step of the story: what cannot happen is told in the trace, and the story goes on.
    private func happen(_ event: Step.Event) {
        if let obstacle = obstacle(to: event) { return leaveOut(obstacle) }
        do {
            try carryOut(event)
        } catch {
            leaveOut("\(error)")
        }
    }

    /// What became of a webhook that has left.
    func note(_ hook: HookDelivery, _ outcome: HTTPOutcome) {
        let result =
            switch outcome {
            case .response(let response): "\(response.status)"
            case .notSent(let failure), .unknown(let failure): failure.rawValue
            }
        let detail = "\(hook.event) to \(hook.request.origin)\(hook.request.target): \(result)"
        simulated.simulation.trace.record(
            .world(kind: "webhook.answered", subject: Int64(hook.activity), detail: detail)
        )
    }

    private func leaveOut(_ reason: String) {
        simulated.simulation.trace.record(.world(kind: "step.left-out", subject: 0, detail: reason))
    }

    /// What only the simulated world's own clock and people would still do; afterwards nothing happens any more.
    func end() {
        onTrace = nil
        simulated.simulation.discard()
        simulated.notifier.discardDisk()
    }
}
