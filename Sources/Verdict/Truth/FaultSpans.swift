import Platform
import Scenarios

/// Which injected faults made a service unusable, told from the plan. One that hits single routes of GitLab counts as one that hits all,
/// once one of them was asked; one that hits fewer than nine of ten requests, or makes them slow, takes no blame for a whole span.
struct FaultSpans {
    private(set) var gitlabDown: [Span] = []
    /// When GitLab answered nothing at all.
    private(set) var gitlabSilent: [Span] = []
    /// When GitLab's answers, or some of them, took a second and more. It counts as up, and is asked for less than otherwise.
    private var gitlabSlow: [Span] = []
    private(set) var apnsDown: [Span] = []
    /// When GitLab's limiter could refuse at all, with the longest wait it may ask for.
    private(set) var rateLimited: [(span: Span, longestWait: Duration)] = []
    private(set) var stalled: [Span] = []
    /// When APNs called a person's tokens wrong, or had enough pushes to their devices: that says nothing of anybody else.
    private var refused: [(span: Span, person: Username)] = []
    /// The faults that make it say so, which a person's other devices do not hear of.
    private var aimed: [(span: Span, target: PushAim, person: Username)] = []
    /// When some or all reads came from a replica, and how far behind it was.
    private var lags: [(span: Span, lag: Duration)] = []
    /// When what APNs took came late to devices, and by how much.
    private var deliveryDelays: [(span: Span, delay: Duration)] = []

    /// Bytes in a list of ten comments (GitLab's own take about one kilobyte each): a link on which they take longer than the notifier
    /// waits carries no news.
    private static let smallList = 10_000
    /// APNs gets ten seconds for a new connection and an answer on it, which takes four ways at least, and GitLab for the connection alone.
    private static let longestWay = Duration.milliseconds(2_500)
    /// Nobody waits for longer; what answers within it is slow, not down.
    private static let longest = Duration.seconds(30)

    /// Between two looks for something that seems to be gone.
    private static let secondLook = Duration.minutes(1)

    private var effects: [EntryID: FaultEffect] = [:]
    /// How long the notifier waits for an answer of GitLab.
    private let requestTimeout: Duration
    /// Half of all ways to GitLab take so long and longer without any fault.
    private let ownWay: Duration
    /// When connections to GitLab may have ended, so that the next request needs a new one.
    private let disconnections: [Span]
    /// How many people there are to poll for.
    private let people: Int
    /// A disk on which each of them has a piece of work done takes no longer for that, if all is to be polled in time.
    private let longestRound: Duration

    init(_ record: RunRecord) {
        people = Set(record.registrations.map(\.person)).count
        longestRound = PollCadence(overrides: record.resolved.scenario.notifier).interval(watchedItems: 0) / 4
        requestTimeout = record.resolved.scenario.notifier.requestTimeout
        ownWay = Self.median(of: record.resolved.scenario.world.gitlab.latency)
        disconnections = record.downtimes + record.faults.filter { Self.disconnecting.contains($0.kind) }.map(\.span)
        for step in record.resolved.steps {
            if case .fault(let fault) = step.event { effects[fault.id] = fault.effect }
        }
        for fault in record.faults { add(fault, effect: effects[fault.id]) }
        addRefused(record)
        addClocksApart(record)
        if let limit = record.resolved.scenario.world.gitlab.authenticatedLimit {
            rateLimited.append((Span(from: .zero, until: record.simulated), limit.period))
        }
    }

    /// What the fault of that name does; nil for one that the plan does not have.
    func effect(of id: String) -> FaultEffect? { EntryID(id).flatMap { effects[$0] } }

    private mutating func add(_ fault: FaultRecord, effect: FaultEffect?) {
        switch fault.kind {
        case .gitlabUpgrade:
            gitlabDown.append(fault.span)
            gitlabSilent.append(fault.span)
        case .gitlabOutage where Self.hitsAll(effect):
            gitlabDown.append(fault.span)
            if Self.silences(effect) { gitlabSilent.append(fault.span) }
        case .gitlabRateLimit: addRateLimit(fault, effect: effect)
        case .replicaLag: if case .replicaLag(let lag, _) = effect { lags.append((fault.span, lag)) }
        // One whose routes nobody has asked keeps nothing from anybody.
        case .gitlabRouteMissing, .gitlabRouteOutage, .gitlabRowsChanged:
            if fault.strikes != 0, Self.hitsAll(effect) { gitlabDown.append(fault.span) }
        case .gitlabSlow where isEndless(effect): gitlabDown.append(fault.span)
        case .gitlabSlow: gitlabSlow.append(fault.span)
        case .apnsOutage, .apnsReason, .apnsLostAnswer, .apnsNeverAnswers, .apnsShutdown, .apnsSticky500,
            .apnsSticky503, .apnsAcceptsWithoutAnswer, .apnsKeyRevoked:
            if Self.hitsAll(effect) { addAPNs(fault.span, effect) }
        case .apnsDeliveryDelay, .apnsReordering: addDeliveryDelay(fault.span, effect)
        case let kind where kind.keepsFromStoring: if !isSlight(effect) { stalled.append(fault.span) }
        case .refuse, .resetBefore, .resetAfter, .truncate, .stallBeforeFirstByte, .stallInBody, .slowBody, .latency:
            addLink(fault, effect: effect)
        default: return
        }
    }

    private mutating func addDeliveryDelay(_ span: Span, _ effect: FaultEffect?) {
        switch effect {
        // What APNs takes afterwards waits behind what is still on its way.
        case .apnsDeliveryDelay(let delay, _):
            deliveryDelays.append((Span(from: span.from, until: span.until + delay), delay))
        case .apnsReordering(let delay, _): deliveryDelays.append((span, delay))
        default: return
        }
    }

    private mutating func addAPNs(_ span: Span, _ effect: FaultEffect?) {
        if let target = Self.aim(of: effect, reasons: Self.reasonsOfDevices), let person = target.person {
            aimed.append((span, target, person))
        } else {
            apnsDown.append(span)
        }
    }

    /// Who has another device is pushed to there, from when the notifier has it until it is to be pushed to no more, but while a fault is aimed at
    /// that one, too, or APNs has ended its token.
    private mutating func addRefused(_ record: RunRecord) {
        for person in Set(aimed.map(\.person)).sorted() {
            let aims = aimed.filter { $0.person == person }
            let devices = record.deviceSpans.filter { $0.person == person }
            let ends = aims.flatMap { [$0.span.from, $0.span.until] }
            let changes = devices.flatMap { [$0.activeFrom, $0.endRequestedAt ?? $0.activeFrom] }
            let dead = Self.deadTokens(of: person, devices, in: record)
            let instants = Set(ends + changes + dead.flatMap { [$0.span.from, $0.span.until] }).sorted()
            for (from, until) in zip(instants, instants.dropFirst()) {
                let struck = aims.filter { $0.span.from <= from && until <= $0.span.until }
                let there = devices.filter { device in
                    device.activeFrom <= from && (device.endRequestedAt ?? until) >= until
                        && !dead.contains {
                            $0.device == device.device && $0.span.from <= from && until <= $0.span.until
                        }
                }
                let isStruck = there.allSatisfy { device in
                    struck.contains { $0.target.includes(device.device, of: person) }
                }
                if !struck.isEmpty, isStruck { refused.append((Span(from: from, until: until), person)) }
            }
        }
    }

    /// When APNs had ended the tokens of somebody's devices, and taken no push there since, nor the notifier another token.
    private static func deadTokens(
        of person: Username,
        _ devices: [DeviceSpanRecord],
        in record: RunRecord
    ) -> [(device: DeviceName, span: Span)] {
        let pushes = record.pushes.filter { $0.person == person }
        let changes = record.pushTokenChanges.filter { $0.person == person }
        return pushes.filter { $0.status == 410 }.compactMap { refusal in
            guard let device = refusal.device else { return nil }
            let taken = pushes.filter { $0.device == device && $0.status == 200 }.map(\.at)
            let others = changes.filter { $0.device == device }.map(\.at)
            let joined = devices.filter { $0.device == device }.map(\.activeFrom)
            let end = (taken + others + joined).filter { $0 > refusal.at }.min() ?? record.simulated
            return refusal.at < end ? (device: device, span: Span(from: refusal.at, until: end)) : nil
        }
    }

    /// Whom a fault strikes that makes APNs say one of these; nil for any other, which may hold up others as well.
    private static func aim(of effect: FaultEffect?, reasons: Set<APNsReason>) -> PushAim? {
        guard case .apnsReason(let reason, let target, _) = effect, reasons.contains(reason) else { return nil }
        return target
    }

    private static let reasonsOfTokens: Set<APNsReason> = [.badDeviceToken, .unregistered, .expiredToken]
    /// What APNs says of single devices; the last of it for a while.
    private static let reasonsOfDevices = reasonsOfTokens.union([.tooManyRequests])

    /// When APNs took nothing of what is pushed to that person.
    func apnsDown(for person: Username) -> [Span] {
        apnsDown + refused.filter { $0.person == person }.map(\.span)
    }

    /// How much later than it would something may come to its device that APNs takes at that instant.
    func deliveryDelay(at instant: Duration) -> Duration {
        deliveryDelays.filter { $0.span.from <= instant && instant <= $0.span.until }.map(\.delay).max() ?? .zero
    }

    /// Whether that is so at any time.
    var hasDeliveryDelays: Bool { !deliveryDelays.isEmpty }

    /// Whether a fault may keep pushes to that device back. What is to be tried again, though elsewhere, may be in their way.
    func mayHold(_ fault: FaultRecord, pushesTo device: DeviceName, of person: Username) -> Bool {
        guard !fault.kind.isBehindAPNs else { return false }
        return Self.aim(of: effects[fault.id], reasons: Self.reasonsOfTokens)?.includes(device, of: person) ?? true
    }

    /// A provider token lives for an hour by APNs' clock and may be made anew after twenty minutes (APNs facts §7): where that clock is further
    /// from the notifier's than what is between, a token that was just made may be refused.
    private static let farthestClock = Duration.minutes(40)

    private mutating func addClocksApart(_ record: RunRecord) {
        var steps: [(at: Duration, jump: Duration)] = []
        for fault in record.faults {
            switch effects[fault.id] {
            case .clockStep(let node, let jump) where node != .gitlab:
                steps.append((fault.span.from, node == .apns ? jump : .zero - jump))
            case .clockOffset(let node, let offset) where node != .gitlab:
                let ahead = node == .apns ? offset : .zero - offset
                steps += [(fault.span.from, ahead), (fault.span.until, .zero - ahead)]
            default: continue
            }
        }
        var ahead = Duration.zero
        var since: Duration?
        for step in steps.sorted(by: { $0.at < $1.at }) {
            ahead += step.jump
            let isFar = ahead >= Self.farthestClock || ahead <= .zero - Self.farthestClock
            if isFar { since = since ?? step.at }
            guard !isFar, let start = since else { continue }
            apnsDown.append(Span(from: start, until: step.at))
            since = nil
        }
        if let since { apnsDown.append(Span(from: since, until: record.simulated)) }
    }

    /// A refusal in the last moment of the fault asks for a wait that ends after it.
    private mutating func addRateLimit(_ fault: FaultRecord, effect: FaultEffect?) {
        var period = Duration.seconds(60)
        if case .gitlabRateLimit(_, let limit) = effect { period = limit.period }
        rateLimited.append((Span(from: fault.span.from, until: fault.span.until + period), period))
    }

    /// Whether the notifier's wall clock was right all the time.
    var isNotifierTimed: Bool {
        !effects.values.contains { effect in
            switch effect {
            case .clockStep(.notifier, _), .clockOffset(.notifier, _), .clockDrift(.notifier, _): true
            default: false
            }
        }
    }

    /// How far what is read at that instant may lie behind.
    func lag(at instant: Duration) -> Duration {
        lags.filter { $0.span.from <= instant && instant < $0.span.until }.map(\.lag).max() ?? .zero
    }

    /// From when on a row that could be read at `instant` may be missing again for a minute and longer, since replicas are behind it: who asks
    /// twice, a minute apart, takes it for gone (GitLab facts, trap 36). Nil when it never is.
    func hidden(_ instant: Duration) -> Duration? {
        lags.compactMap { span, lag in
            let from = max(span.from, instant)
            return min(span.until, instant + lag) - from >= Self.secondLook ? from : nil
        }.min()
    }

    /// The parts of a wait that GitLab really asked for: begun while its limiter was on, and no longer than it asks.
    func excused(_ wait: Span) -> [Span] {
        rateLimited.compactMap { limited in
            guard limited.span.from <= wait.from, wait.from < limited.span.until else { return nil }
            let until = min(wait.until, wait.from + limited.longestWait)
            return wait.from < until ? Span(from: wait.from, until: until) : nil
        }
    }

    /// When GitLab was no longer slow, where it was at some time between two instants; nil where it was not.
    func gitlabIsFast(after from: Duration, until: Duration) -> Duration? {
        gitlabSlow.filter { $0.from < until && from < $0.until }.map(\.until).max()
    }

    private mutating func addLink(_ fault: FaultRecord, effect: FaultEffect?) {
        guard case .link(let what, let link, let ratio) = effect, Self.hitsMost(ratio) else { return }
        var span = fault.span
        switch what {
        case .stallBeforeFirstByte(let length), .stallInBody(let length):
            guard length >= Self.longest else { return }
        case .slowBody(let rate):
            guard Duration.seconds(Self.smallList) / Int(max(1, rate)) > requestTimeout else { return }
        case .latency(let table):
            if link == .gitlab, table.points.contains(where: { $0.value >= Self.longWork }) {
                gitlabSlow.append(fault.span)
            }
            guard let from = beginning(ofWays: table, on: link, fault.span) else { return }
            span.from = from
        case .refuse, .resetBefore: if link == .gitlab, Self.isWhole(ratio) { gitlabSilent.append(fault.span) }
        default: break
        }
        switch link {
        case .gitlab: gitlabDown.append(span)
        case .apns: apnsDown.append(span)
        case .api, .webhook: return
        }
    }

    /// What ends connections, or may.
    private static let disconnecting: Set<FaultKind> = [.resetBefore, .resetAfter, .truncate, .gitlabOutage]

    /// From when on a link with such ways is as good as down; nil where it is not.
    private func beginning(ofWays table: QuantileTable, on link: Link, _ span: Span) -> Duration? {
        let shortest = table.points.first?.value ?? .zero
        guard link == .gitlab else { return shortest >= Self.longestWay ? span.from : nil }
        // Where half of all answers come too late, a cycle of several requests has little hope.
        if Self.median(of: table) + ownWay >= requestTimeout / 2 { return span.from }
        // The first answer on a new connection takes six ways.
        guard shortest + ownWay >= min(Self.longestWay, requestTimeout / 6) else { return nil }
        let met = disconnections.filter { $0.from < span.until && span.from <= $0.until }
        return met.map { max($0.from, span.from) }.min()
    }

    private static func median(of table: QuantileTable) -> Duration {
        table.points.last { $0.perMille <= 500 }?.value ?? .zero
    }

    /// A disk that takes as long for one piece of work is as good as none.
    private static let longWork = Duration.seconds(1)

    /// Whether the notifier stores all the same what it has to, if a moment or at most a poll later. Of several such faults the last begun is alone
    /// in force, so that each is judged by itself.
    private func isSlight(_ effect: FaultEffect?) -> Bool {
        switch effect {
        case .diskSlow(let delay): delay < Self.longWork && delay * people < longestRound
        case .diskError(_, let ratio): ratio.numerator * 1_000 < ratio.denominator
        default: false
        }
    }

    /// True when no request gets an answer, and when the plan does not say.
    private static func silences(_ effect: FaultEffect?) -> Bool {
        guard case .gitlabOutage(_, let ratio) = effect else { return true }
        return isWhole(ratio)
    }

    private static func isWhole(_ ratio: Ratio) -> Bool { ratio.numerator >= ratio.denominator }

    /// True when a cycle of several requests has little hope.
    private static func hitsMost(_ ratio: Ratio) -> Bool { ratio.numerator * 10 >= ratio.denominator * 9 }

    /// True when no answer comes in time.
    private func isEndless(_ effect: FaultEffect?) -> Bool {
        guard case .gitlabSlow(let latency, let ratio) = effect, Self.hitsMost(ratio) else { return false }
        return latency.points.allSatisfy { $0.value >= min(Self.longest, requestTimeout) }
    }

    /// True when every request is hit, and when the plan does not say.
    private static func hitsAll(_ effect: FaultEffect?) -> Bool {
        switch effect {
        case .gitlabOutage(let mode, let ratio), .gitlabRouteOutage(let mode, _, let ratio):
            hitsMost(ratio) && !mode.answersReads
        case .gitlabRouteMissing(_, let ratio): hitsMost(ratio)
        case .gitlabRowsChanged(let change, _, let ratio): hitsMost(ratio) && !change.isReadable
        case .apnsOutage(_, let ratio), .apnsReason(_, _, let ratio), .apnsLostAnswer(_, let ratio),
            .apnsNeverAnswers(_, let ratio), .apnsShutdown(let ratio), .apnsSticky500(let ratio),
            .apnsSticky503(let ratio), .apnsAcceptsWithoutAnswer(_, let ratio):
            hitsMost(ratio)
        default: true
        }
    }
}

extension FaultKind {
    /// Whether the notifier stores little or nothing while it lasts. What stores nothing tells nothing: as if it were not there. One commit is
    /// dozens of writes, so that it fails where few of them do.
    var keepsFromStoring: Bool { self == .stall || place == .disk }

    /// Whether it strikes only what APNs has taken, and said so: nothing waits to be sent because of it.
    fileprivate var isBehindAPNs: Bool {
        [.apnsAcceptedAndLost, .apnsDeliveryDelay, .apnsReordering].contains(self)
    }
}
