import FakeAPNs
import FakeGitLab
import Platform
import Scenarios
import Simulation

/// Faults of the services themselves.
extension SimulatedWorld {
    /// Traps for a fault that nothing plays.
    ///
    /// - Throws: `FakeGitLabError` when the fake refuses.
    func beginInService(_ fault: Fault) throws {
        if !beginAPNs(fault) { try beginGitLab(fault) }
    }

    // MARK: GitLab

    private func beginGitLab(_ fault: Fault) throws {
        let id = fault.id.text
        switch fault.effect {
        case .gitlabOutage(let mode, let ratio): beginOutage(mode.inGitLab, ratio, fault)
        case .gitlabRouteOutage(let mode, let route, let ratio):
            beginOutage(mode.inGitLab, ratio, fault, routes: try RoutePattern(route))
        case .gitlabRouteMissing(let route, let ratio):
            beginOutage(.routeMissing, ratio, fault, routes: try RoutePattern(route))
        case .gitlabRowsChanged(let change, let route, let ratio):
            let routes = try RoutePattern(route)
            let draw = faultRandom.next()
            gitlab.changeRows(change.inGitLab, on: routes, perMille: ratio.perMille, draw: draw, faultID: id)
            endInGitLab(fault)
        case .gitlabUpgrade(let version):
            beginOutage(.workhorseBadGateway, .one, fault)
            after(fault) { [gitlab] in
                if let version = GitLabVersion(version.rawValue) { gitlab.upgrade(to: version) }
            }
        case .gitlabSlow(let table, let ratio): beginOutage(.slow(table), ratio, fault)
        case .gitlabRateLimit(.a, let limit):
            gitlab.setRequestLimit(FakeGitLab.RequestLimit(requests: limit.requests, period: limit.period), faultID: id)
            after(fault) { [gitlab] in gitlab.setRequestLimit(nil) }
        case .gitlabRateLimit(.b, let limit):
            gitlab.setNoteLimit(limit.requests, faultID: id)
            after(fault) { [gitlab] in gitlab.setNoteLimit(nil) }
        case .approvalNoteLost:
            gitlab.loseApprovalNotes(faultID: id)
            endInGitLab(fault)
        case .replicaLag(let lag, let ratio): beginLag(lag, ratio, fault)
        case .lateCommit(let hold, let ratio):
            lateCommit = LateCommits(faultID: id, hold: hold, ratio: ratio)
            after(fault) { [self] in lateCommit = nil }
        case .pageDrift(let ratio): armDrift(ratio, fault, until: recorder.now + fault.length)
        default: preconditionFailure("nothing plays \(fault.kind.rawValue)")
        }
    }

    private func beginOutage(
        _ mode: FakeGitLab::OutageMode,
        _ ratio: Ratio,
        _ fault: Fault,
        routes: RoutePattern = .all
    ) {
        let from = gitlabClock.wallNow
        gitlab.addOutage(
            Outage(faultID: fault.id.text, mode: mode, routes: routes, from: from, perMille: ratio.perMille)
        )
        endInGitLab(fault)
    }

    /// A share of the requests is answered from replicas that lag: the table has the primary for the rest.
    private func beginLag(_ lag: Duration, _ ratio: Ratio, _ fault: Fault) {
        let upToDate = Int64(1_000 - min(1_000, ratio.perMille))
        var points = [QuantileTable.Point(perMille: 0, value: upToDate == 0 ? lag : .zero)]
        if upToDate > 0, upToDate < 999 {
            points.append(QuantileTable.Point(perMille: upToDate, value: .zero))
            points.append(QuantileTable.Point(perMille: upToDate + 1, value: lag))
        }
        points.append(QuantileTable.Point(perMille: 1_000, value: upToDate == 1_000 ? .zero : lag))
        gitlab.beginReplicaLag(QuantileTable(points), faultID: fault.id.text)
        endInGitLab(fault)
    }

    private func endInGitLab(_ fault: Fault) {
        after(fault) { [gitlab] in
            // A fault that struck nothing is gone already when it ends; there is nothing to do then.
            try? gitlab.endFault(fault.id.text)
        }
    }

    /// Once a minute, somebody may comment between two pages of a list of notes.
    private func armDrift(_ ratio: Ratio, _ fault: Fault, until end: Duration) {
        guard recorder.now < end else { return endInGitLab(fault) }
        if faultRandom.chance(ratio.numerator, in: ratio.denominator), let person = onlooker {
            let change = PageDriftChange.commentInserted(by: person, body: Phrases.remarks(1)[0])
            if let routes = try? RoutePattern("GET /projects/*/*/*/notes") {
                gitlab.driftPages(change, on: routes, faultID: fault.id.text)
            }
        }
        simulation.schedule(after: .minutes(1)) { [self] in armDrift(ratio, fault, until: end) }
    }

    /// Somebody who may comment in every project and does not use the notifier.
    private var onlooker: String? {
        let world = plan.scenario.world
        return world.people.first { person in
            person.notified == nil && !person.isBot
                && world.projects.allSatisfy { project in
                    project.members.contains { $0.username == person.username && $0.role >= .reporter }
                }
        }?.username.text
    }

    /// Lets the commits of what `action` writes be late, for a share of the actions, while such a fault is in force.
    func withLateCommit(_ action: () throws -> Void) rethrows {
        guard let late = lateCommit, faultRandom.chance(late.ratio.numerator, in: late.ratio.denominator) else {
            return try action()
        }
        for kind in [RowKind.note, .stateEvent, .todo] {
            gitlab.holdCommits(of: kind, for: late.hold, count: nil, faultID: late.faultID)
        }
        // What was held stays held; what comes next commits in time again.
        defer { try? gitlab.endFault(late.faultID) }
        try action()
    }

    // MARK: APNs

    /// False for a fault that is none of APNs.
    private func beginAPNs(_ fault: Fault) -> Bool {
        if case .tokenUpdateLimit(let period) = fault.effect {
            for service in apns { service.setTokenUpdateWindow(period) }
            after(fault) { [apns] in
                for service in apns { service.setTokenUpdateWindow(nil) }
            }
            return true
        }
        if case .apnsKeyRevoked = fault.effect {
            revokeKey(fault)
            return true
        }
        guard let kind = Self.apnsKind(of: fault.effect) else { return false }
        let started = FakeAPNs::Fault(
            fault.id.text,
            kind,
            ratio: Self.ratio(of: fault.effect).inAPNs,
            target: target(of: fault.effect)
        )
        for service in apns { service.start(started) }
        after(fault) { [apns] in
            for service in apns { service.stopFault(fault.id.text) }
        }
        return true
    }

    /// The key is good again when the last of such faults is over.
    private func revokeKey(_ fault: Fault) {
        keyRevocations += 1
        for service in apns { service.revokeKey(WorldSecrets.apnsKeyID) }
        after(fault) { [self] in
            keyRevocations -= 1
            guard keyRevocations == 0 else { return }
            for service in apns { service.register(WorldBuilder.providerKey(of: secrets)) }
        }
    }

    /// All requests, or those for the devices that the fault is aimed at.
    private func target(of effect: FaultEffect) -> FakeAPNs::Fault.Target {
        guard let target = effect.pushTarget, let person = target.person else { return .everything }
        let devices = plan.scenario.world.person(person)?.notified?.devices.map(\.name) ?? []
        let struck = devices.filter { target.includes($0, of: person) }
        return .devices(Set(struck.map { WorldBuilder.deviceID(of: $0, person) }))
    }

    private static func apnsKind(of effect: FaultEffect) -> FakeAPNs::Fault.Kind? {
        switch effect {
        case .apnsOutage(.serviceUnavailable, _): .answer(status: 503, .reason("ServiceUnavailable"))
        case .apnsOutage(.internalServerError, _): .answer(status: 500, .reason("InternalServerError"))
        case .apnsOutage(.hang, _), .apnsNeverAnswers: .neverAnswer
        case .apnsReason(let reason, _, _): .answer(status: reason.status, .reason(reason.rawValue))
        case .apnsLostAnswer: .acceptThenReset
        case .apnsAcceptsWithoutAnswer: .acceptThenSilence
        case .apnsAcceptedAndLost: .lostAfterAcceptance
        case .apnsDeliveryDelay(let delay, _): .deliveryDelay(delay)
        case .apnsReordering(let delay, _): .reordering(delay)
        case .apnsSticky500: .stickyInternalServerError
        case .apnsSticky503: .stickyServiceUnavailable
        case .apnsSlow(let table, _): .slow(table.points[table.points.count - 1].value)
        case .apnsShutdown: .shutdown
        default: nil
        }
    }

    private static func ratio(of effect: FaultEffect) -> Ratio {
        switch effect {
        case .apnsOutage(_, let ratio), .apnsReason(_, _, let ratio), .apnsLostAnswer(_, let ratio),
            .apnsNeverAnswers(_, let ratio), .apnsSticky500(let ratio), .apnsSticky503(let ratio),
            .apnsSlow(_, let ratio), .apnsShutdown(let ratio), .apnsAcceptsWithoutAnswer(_, let ratio),
            .apnsAcceptedAndLost(_, let ratio), .apnsDeliveryDelay(_, let ratio), .apnsReordering(_, let ratio):
            ratio
        default: .one
        }
    }
}

extension Ratio {
    /// The same share as the fake APNs writes it.
    var inAPNs: FakeAPNs::Ratio { FakeAPNs::Ratio(numerator, in: denominator) }

    /// The nearest share in thousandths, from below; anything above nothing is at least one.
    var perMille: UInt64 {
        guard numerator > 0 else { return 0 }
        return max(1, numerator.multipliedFullWidth(by: 1_000).low / denominator)
    }
}

/// Late commits in force.
struct LateCommits {
    var faultID: String
    var hold: Duration
    var ratio: Ratio
}
