import Platform
import Scenarios

/// Whether the notifier said that it was ready when it was, and that it was not when it could keep nothing or push nothing.
struct ReadinessChecks {
    /// After which it must know that its disk takes nothing: without anything else to write it tries once a minute.
    private static let notice = Duration.minutes(2)
    /// After which it must know that all is well again.
    private static let calm = Duration.minutes(10)
    /// Failures in a row after which APNs must be known to be down.
    private static let failures = 3
    /// What APNs says where it does not know the key.
    private static let badKey = APNsReason.invalidProviderToken.rawValue
    /// What it says where nothing is wrong.
    private static let sound = "ok"

    private let record: RunRecord
    private let spans: FaultSpans

    init(_ record: RunRecord) {
        self.record = record
        spans = FaultSpans(record)
    }

    func violations() -> [ViolationRecord] { record.readiness.compactMap(complaint) }

    private func complaint(_ answer: ReadinessRecord) -> ViolationRecord? {
        guard let what = answer.status == 200 ? unfounded(answer) : groundless(answer) else { return nil }
        return ViolationRecord(invariant: .serviceNewsWrong, at: answer.askedAt, detail: what)
    }

    // MARK: Ready, and is not

    private func unfounded(_ answer: ReadinessRecord) -> String? {
        let inForce = record.faults.filter { fault in
            fault.span.from + Self.notice <= answer.askedAt && answer.answeredAt < fault.span.until
                && !isInterrupted(fault, until: answer.answeredAt)
        }
        let said = "The notifier said that it was ready"
        if inForce.contains(where: \.takesTheDisk) { return "\(said), and its disk took nothing." }
        let isDown = inForce.contains { isWholeOutage($0) && isKnown($0, to: answer) }
        return isDown ? "\(said), and APNs took nothing." : nil
    }

    /// Whether the process was not there all the time, or something else struck its machine or its clock.
    private func isInterrupted(_ fault: FaultRecord, until end: Duration) -> Bool {
        let start = fault.span.from - Self.calm
        return record.downtimes.contains { $0.from <= end && start < $0.until }
            || record.faults.contains { other in
                other.id != fault.id && other.kind.isOfMachineOrClock && other.span.from <= end
                    && start < other.span.until
            }
    }

    private func isWholeOutage(_ fault: FaultRecord) -> Bool {
        if fault.kind == .apnsKeyRevoked { return true }
        guard fault.kind == .apnsOutage else { return false }
        guard case .apnsOutage(_, let ratio) = spans.effect(of: fault.id.text) else { return true }
        return ratio.numerator >= ratio.denominator
    }

    /// Whether so many pushes in a row were refused that nothing else can be thought. What left just before the outage may be answered in it.
    private func isKnown(_ fault: FaultRecord, to answer: ReadinessRecord) -> Bool {
        guard hasOneEnvironment else { return false }
        let start = fault.span.from + Self.notice
        let pushes = record.pushes.filter { start <= $0.at && $0.at + Self.notice <= answer.askedAt }
        return pushes.count >= Self.failures
            && pushes.allSatisfy { push in
                let isRefused = fault.kind == .apnsKeyRevoked ? push.reason == Self.badKey : push.status >= 500
                return isRefused && !push.answerLost
            }
    }

    /// Apple has two services; a push does not say to which it went.
    private var hasOneEnvironment: Bool {
        let isChanged = record.resolved.steps.contains { step in
            guard case .device(.changePushToken(let environment), _, _) = step.action else { return false }
            return environment != nil
        }
        guard !isChanged else { return false }
        let devices = record.resolved.scenario.world.people.flatMap { $0.notified?.devices ?? [] }
        return devices.allSatisfy { $0.environment == devices.first?.environment }
    }

    // MARK: Not ready, and is

    private func groundless(_ answer: ReadinessRecord) -> String? {
        let start = answer.askedAt - Self.calm
        let isTroubled =
            record.faults.contains { $0.span.from <= answer.answeredAt && start < $0.span.until }
            || record.downtimes.contains { $0.from <= answer.answeredAt && start < $0.until } || start < .zero
        guard !isTroubled else { return nil }
        if answer.database != Self.sound, !mayBeDamaged(by: answer.answeredAt) {
            return "The notifier said that its database was \(answer.database), and nothing was wrong with it."
        }
        guard answer.apns != Self.sound, isTaking(at: answer.askedAt) else { return nil }
        return "The notifier said that APNs was \(answer.apns), and it took pushes."
    }

    /// A database that was found damaged stays so until the next start.
    private func mayBeDamaged(by end: Duration) -> Bool {
        record.faults.contains { fault in
            [.diskDamaged, .diskError, .blockDamage].contains(fault.kind) && fault.span.from <= end
        }
    }

    /// Whether every push since all faults was accepted, and the notifier knows of one. A service may refuse a token without any fault. Where
    /// clocks were set it may have had no token to push with.
    private func isTaking(at instant: Duration) -> Bool {
        guard hasOneEnvironment, !record.faults.contains(where: { $0.kind.place == .clock }) else { return false }
        let start = record.faults.filter { $0.span.from <= instant }.map(\.span.until).max() ?? .zero
        let pushes = record.pushes.filter { start <= $0.at && $0.at <= instant }
        return pushes.contains { $0.at + Self.notice <= instant }
            && pushes.allSatisfy { $0.status == 200 && !$0.answerLost }
    }
}

extension FaultRecord {
    /// Whether nothing at all is written while it lasts.
    fileprivate var takesTheDisk: Bool { kind == .diskFull || kind == .diskDamaged }
}

extension FaultKind {
    fileprivate var isOfMachineOrClock: Bool { [.process, .database, .disk, .clock].contains(place) }
}
