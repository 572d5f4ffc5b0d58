import Duties
import FakeAPNs
import FakeGitLab
import HTTP
import JSON
import Platform
import Scenarios
import Simulation
package import Verdict

/// Writes down what a run shows to the outside, for the verdict.
///
/// Unchecked: simulation thread.
package final class Recorder: @unchecked Sendable {
    let simulation: Simulation
    var record: RunRecord
    /// The configured budget, for the invariant on requests.
    package var requestsPerHour = Int.max

    /// Whether the notifier said in the end that it had nothing left to deliver; false when it did not answer.
    var hasNothingToDeliver = false
    var pushWatch = PushObserver()
    private var silentPushes = SilentPushWatch()

    /// What was read of the fake GitLab's ledger.
    var ledgerSequence = 0
    /// Where each to-do stands in the record: positions of its activity and within it.
    var todoPlaces: [Int64: (activity: Int, todo: Int)] = [:]
    var resolvedThreads: Set<Int64> = []
    private var traffic: TrafficObserver
    private var itemRequests = ItemRequestObserver()
    private var repetitions: RepetitionObserver
    /// How long after a fault the notifier may still have to do with it.
    private static let aftermath = Duration.minutes(10)
    /// How long a request that was under way when somebody left may take: the most that `requestTimeout` may be.
    static let longestRequest = Duration.minutes(5)
    /// Requests of apps that are on their way to the notifier, and those that it is dealing with, whoever's.
    private var sentByApps: Set<Int64> = []
    private var askedByApps: Set<Int64> = []
    /// When the last of these was answered, or given up.
    private(set) var appsAskedUntil = Duration.zero
    /// Processes that have died, as the trace counts them: what still comes home to them nobody hears.
    private var crashed: Set<UInt32> = []
    private static let unheard = "unheard"
    private var probeTable = ProbeTable()
    private var probeCounts: [Probe: ProbeRecord] = [:]

    /// Whose words, as apps list them, the record has.
    var listedIDs: Set<String> = []
    /// How many envelopes of choices have left devices.
    var envelopes = 0
    /// Which choice of each person about an item holds.
    var lastChoices = LastChoices()
    /// How things go in the API, as far as programs of people have read it.
    var namesInAPI = NamesInAPI()
    /// Whose settings a request is changing that has no answer yet.
    var savesUnderWay: Set<Username> = []
    /// What apps and programs were given that nobody else may see.
    private var issued = IssuedSecrets()
    /// When the notifier had forgotten somebody, at their wish.
    private var departures: [Username: Duration] = [:]

    /// Called with each event of the trace, for faults that strike at a step; see `DurableStepMonitor`.
    var onTraceEvent: ((TraceRecord) -> Void)?

    /// How many tokens and refusals of GitLab's OAuth server were read.
    private var issuedTokens = 0
    private var refusedRefreshes = 0

    /// Called with whose grant GitLab has refused to renew.
    var onGrantRefused: ((Username) -> Void)?
    /// The app of a person.
    var people: ((Username) -> PersonApp?)?
    /// Called when something has happened on GitLab.
    var onLedgerGrown: (() -> Void)?

    init(_ plan: ResolvedScenario, simulation: Simulation) {
        self.simulation = simulation
        record = RunRecord(resolved: plan, simulated: .zero)
        let reconcileEvery = plan.scenario.notifier.duration("reconcileEvery")
        repetitions = RepetitionObserver(reconcileEvery: reconcileEvery ?? .hours(1))
        for duty in plan.scenario.world.duties {
            for index in 0..<RunLimits.dutyPlaces {
                let id = duty.id.named(String(index).utf8).description
                record.dutyPlaces[id] = DutyPlace(duty: duty.name, index: index)
            }
        }
        traffic = TrafficObserver(people: plan.scenario.world.people.filter { $0.notified != nil }.map(\.username))
    }

    /// Time since the start.
    package var now: Duration { .nanoseconds(simulation.now.nanoseconds) }

    /// By which numbers GitLab knows its projects.
    func learn(_ numbers: GitLabNumbers) {
        itemRequests.projects = Dictionary(numbers.projects.map { ($1, $0) }) { first, _ in first }
    }

    /// A secret that from now on stands for that person in requests to GitLab.
    func learn(gitlabToken: String, of person: Username) {
        traffic.learn(gitlabToken, of: person)
        repetitions.forget(person)
    }

    /// Learns whose the access tokens are that GitLab has issued since, and whose renewals it refused.
    func readGrants(of gitlab: FakeGitLab) {
        for token in gitlab.issuedTokens(after: issuedTokens) {
            issuedTokens += 1
            if let person = Username(token.person) { learn(gitlabToken: token.secret, of: person) }
        }
        for person in gitlab.refusedRefreshes(after: refusedRefreshes) {
            refusedRefreshes += 1
            if let person = Username(person) { onGrantRefused?(person) }
        }
    }

    /// The notifier has forgotten somebody who leaves.
    func departed(_ person: Username) {
        reach(.personLeft)
        departures[person] = now
    }

    func reach(_ probe: Probe) {
        probeCounts[probe, default: ProbeRecord(probe: probe, count: 0, firstAt: now)].count += 1
    }

    func violate(_ invariant: ViolationRecord.Invariant, _ detail: String) {
        guard record.violations.count(where: { $0.invariant == invariant }) < RunLimits.violations else { return }
        record.violations.append(ViolationRecord(invariant: invariant, at: now, detail: detail))
    }

    /// The record, complete.
    func finish() -> RunRecord {
        record.simulated = now
        record.gitlabRequests = traffic.gitlabRequests
        record.gitlabPerMinute = traffic.gitlabPerMinute
        record.readings = traffic.readings
        record.itemRequests = itemRequests.requests
        record.requestsPerHour = requestsPerHour
        record.apnsRequestsPerHour = traffic.apnsPerHour
        for count in record.gitlabRequests where (count.perHour.max() ?? 0) > requestsPerHour {
            let most = count.perHour.max() ?? 0
            violate(.budgetExceeded, "\(most) requests for \(count.person) in one hour, allowed are \(requestsPerHour)")
        }
        record.idleSince = idleSince
        record.probes = Probe.allCases.compactMap { probeCounts[$0] }
        record.digest = simulation.trace.digestText
        record.behaviour = simulation.trace.behaviourText
        record.steps = simulation.stepCount
        return record
    }

    private var idleSince: Duration? {
        guard hasNothingToDeliver else { return nil }
        let last = [record.pushes.last?.at, record.deviceEvents.last?.at, record.catchUps.last?.at]
        return last.compactMap { $0 }.max() ?? .zero
    }

    // MARK: What the services see

    func observe(gitlabRequest request: HTTPRequest, _ reply: SentResponse) {
        let violation = traffic.noteGitLab(request, reply, isForPerson: !askedByApps.isEmpty, at: now)
        // What arrives now may have left before GitLab said so.
        if let violation, !record.faults.mayDelay(from: now - Self.longestRequest, until: now) {
            violate(.retryAfterIgnored, violation)
        }
        if let fault = reply.faultID { record.faults.noteStrike(of: fault) }
        if reply.response.status == 304 { reach(.notModified) }
        let person = traffic.person(of: request)
        if let person, let departed = departures[person], now > departed + Self.longestRequest,
            !record.faults.mayDelay(from: departed, until: now)
        {
            violate(.askedAfterLeaving, "GitLab was asked for \(person) \(now - departed) after they had left")
        }
        if askedByApps.isEmpty, let person {
            itemRequests.note(request, reply, of: person, at: now, isForApp: mayBeForApp)
            if let found = repetitions.note(request, reply, of: person, at: now),
                !wasTroubled(since: found.since, aftermath: found.aftermath)
            {
                violate(found.invariant, found.detail)
            }
            if reply.response.status < 400, reply.faultID == nil { people?(person)?.notifierWasLetIn() }
        }
    }

    /// Whether anything may have kept the notifier from reading GitLab or from keeping what it read, from shortly before that instant on.
    func wasTroubled(since start: Duration, aftermath: Duration = aftermath) -> Bool {
        record.faults.contains { fault in
            ![.apns, .webhooks].contains(fault.kind.place) && start < fault.passedAt + aftermath
        }
    }

    func observe(push request: HTTPRequest, _ reply: SentResponse) {
        traffic.noteAPNs(at: now)
        if request.body.count > 4_096 {
            violate(.payloadTooLarge, "a push of \(request.body.count) bytes was sent")
        }
        if request.body.withUnsafeBufferPointer(Self.holdsSecret(in:)) {
            violate(.secretLeaked, "a push holds a secret")
        } else if let kind = issued.kind(in: request.body) {
            violate(.secretLeaked, "a push holds \(kind)")
        }
        if let violation = pushWatch.violation(against: request, at: now, record.faults) {
            violate(.removedDeviceUsed, violation)
        }
        guard !SilentPushWatch.isSilent(request) else { return observe(silent: request, reply) }
        if let violation = pushWatch.note(request, reply, at: now, in: &record) {
            violate(.deadTokenUsed, violation)
        }
    }

    private func observe(silent request: HTTPRequest, _ reply: SentResponse) {
        pushWatch.note(silent: request, reply, at: now, in: &record)
        let violation = silentPushes.note(
            request,
            at: now,
            isToOnlyDevice: pushWatch.deviceCount(behind: request) < 2 && isOnlySession(behind: request),
            isTimed: !record.faults.contains { $0.kind.place == .clock }
        )
        if let violation { violate(.silentPushMisused, violation) }
    }

    /// Whether all that the person chose was chosen by sessions of the device that has that push token: whoever signs in where the app was deleted,
    /// or where they want no pushes, has a session that is none of the device.
    private func isOnlySession(behind request: HTTPRequest) -> Bool {
        guard let person = pushWatch.person(behind: request), let app = people?(person) else { return true }
        return app.devices.contains { $0.token.hex == request.deviceToken && $0.hasApp && !$0.hadSessionApart }
    }

    /// Another process takes the place of the former one.
    func notifierStarts() {
        askedByApps = []
        traffic.forgetPauses()
        repetitions.forget()
    }

    /// The notifier has forgotten what it learned since a backup.
    func restoredBackup() {
        reach(.backupRestored)
        lastChoices.forgetAll()
        pushWatch.forgetTokens()
    }

    func observe(unknown request: UnknownRequest) {
        let address = "\(request.method) \(request.target)"
        guard request.ignoredParameters.isEmpty else {
            let names = request.ignoredParameters.joined(separator: ", ")
            let detail = "\(request.nearestRoute) ignores \(names): \(address)"
            simulation.trace.record(.world(kind: "gitlab.ignored-parameter", subject: 0, detail: detail))
            return violate(.ignoredParameter, detail)
        }
        simulation.trace.record(.world(kind: "gitlab.unknown-route", subject: 0, detail: address))
        guard record.unknownRoutes.count < 100 else { return }
        record.unknownRoutes.append("\(address), nearest is \(request.nearestRoute)")
        violate(.unknownRoute, "GitLab has no such route: \(address), nearest is \(request.nearestRoute)")
    }

    func observe(_ event: DeviceEvent) {
        pushWatch.note(event, at: now, in: &record)
    }

    // MARK: What the notifier answers

    /// An app or a program has an answer: what that gives is a secret from now on, and what another gave must not stand in it.
    func heard(_ body: [UInt8], to method: String, _ target: String) {
        let path = target.prefix { $0 != "?" }
        let given = IssuedSecrets.given(in: body, to: method, path)
        if let kind = issued.kind(in: body, except: given) {
            violate(.secretLeaked, "the answer to \(method) \(path) holds \(kind) that another had given")
        } else if body.withUnsafeBufferPointer({ Self.contains($0, WorldSecrets.markers[0]) }) {
            violate(.secretLeaked, "the answer to \(method) \(path) holds a secret")
        }
        for secret in given { learn(secret) }
    }

    /// Whether a fault has struck one of those places.
    func hasSeenFault(at places: [FaultPlace]) -> Bool { record.faults.contains { places.contains($0.kind.place) } }

    /// What the operator would send of the run.
    func lookThrough(incident lines: [String], of world: World) {
        let secret = issued.kind(in: Array(lines.joined(separator: "\n").utf8))
        guard let found = secret ?? IncidentCheck(world).complaint(about: lines) else { return }
        violate(.secretLeaked, "the incident report holds \(found)")
    }

    /// Nobody but who was given it may see it.
    func learn(_ secret: IssuedSecrets.Secret) {
        guard let message = issued.learn(secret) else { return }
        violate(.secretLeaked, "the log entry \(message) holds \(secret.kind)")
    }

    /// What a push tells; nil where its payload cannot be read.
    func content(of push: Push) -> PushContent? {
        pushWatch.content(under: push.apnsID, of: push.payload, in: record)
    }

    // MARK: What the simulation and the notifier tell

    func observe(_ event: TraceRecord) {
        switch event.event {
        case .requestSent(let exchange, Link.api.rawValue, let method, _, _):
            sentByApps.insert(exchange)
            // What somebody ends to watch and begins again is read from the beginning, as often as they like.
            if method != HTTPMethod.get.rawValue { repetitions.forget() }
        case .requestSent(let exchange, Link.apns.rawValue, _, _, _): pushWatch.sent(in: exchange, at: now)
        case .requestArrived(let exchange):
            if sentByApps.remove(exchange) != nil { askedByApps.insert(exchange) }
        case .replySent(let exchange, _, _, _):
            if askedByApps.remove(exchange) != nil { appsAskedUntil = now }
            traffic.lastAnswer(travelsIn: exchange)
            repetitions.lastAnswer(travelsIn: exchange)
            if let violation = pushWatch.delayedViolation(in: exchange) { violate(.removedDeviceUsed, violation) }
            pushWatch.lastPush(travelsIn: exchange, in: &record)
        case .nodeCrashed: crashed.insert(event.node)
        case .exchangeEnded(let exchange, _, let failure):
            let loss = failure ?? (crashed.contains(event.node) ? Self.unheard : nil)
            sentByApps.remove(exchange)
            traffic.exchangeEnded(exchange, failure: loss, at: now)
            repetitions.exchangeEnded(exchange, failure: loss)
            pushWatch.exchangeEnded(exchange, failure: loss, at: now, in: &record)
        default: break
        }
        onTraceEvent?(event)
    }

    /// A request is at the notifier: what devices tell of themselves counts from then on.
    func observe(arrived request: HTTPRequest) {
        guard request.method == .post, request.target == "/devices", request.origin == WorldBuilder.notifierOrigin,
            let token = JSONValue(reading: request.body)?["apnsToken"]?.text
        else { return }
        pushWatch.arrived(token: token, at: now)
    }

    func observe(_ entry: LogEntry, node: UInt32) {
        simulation.trace.record(.log(entry), node: node)
        lookThrough(entry)
        note(LogRecord(at: now, entry: entry))
    }

    /// No entry may hold a secret, be it kept or not.
    func lookThrough(_ entry: LogEntry) {
        for case (_, .text(let text)) in entry.fields { search(text, of: "\(entry.message)") }
    }

    /// Whether the notifier is asked for each step that it takes, as by an operator who looks for a fault. Of a crowd that would be too much.
    var readsEachStep: Bool {
        record.resolved.seed % 4 == 1 && record.resolved.scenario.world.people.count <= Self.fewPeople
    }

    private static let fewPeople = 20

    /// One line of the log of a process; `text` is the line itself.
    package func observe(_ line: LogLine, text: String, node: UInt32) {
        simulation.trace.record(.world(kind: "log.line", subject: 0, detail: text), node: node)
        search(text, of: line.message)
        note(LogRecord(at: now, line: line))
    }

    private func search(_ text: String, of message: String) {
        let known = issued.kind(inLog: text, of: message)
        guard let kind = Self.holdsSecret(text) ? "a secret" : known else { return }
        violate(.secretLeaked, "the log entry \(message) holds \(kind)")
    }

    private func note(_ logged: LogRecord) {
        if let probe = probeTable.probe(of: logged) { reach(probe) }
        guard logged.isRead, record.log.count < RunLimits.logEntries else { return }
        record.log.append(logged.kept(in: &record.pool))
    }

    /// The notifier's process ended, and nobody had asked it to.
    package func notifierEnded(_ reason: String) {
        violate(.outboxLost, "the notifier ended by itself: \(reason)")
    }

    private static func holdsSecret(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(holdsSecret(in:))
    }

    private static func holdsSecret(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        WorldSecrets.markers.contains { contains(bytes, $0) }
    }

    /// Whether `needle` stands in `bytes`.
    static func contains(_ bytes: UnsafeBufferPointer<UInt8>, _ needle: [UInt8]) -> Bool {
        guard let first = needle.first, bytes.count >= needle.count else { return false }
        for start in 0...bytes.count - needle.count where bytes[start] == first {
            if needle.indices.allSatisfy({ bytes[start + $0] == needle[$0] }) { return true }
        }
        return false
    }
}
