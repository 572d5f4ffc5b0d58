import Duties
import Platform

/// Which of the two times at which somebody is told of their turn by the clock. Each is told once for each instant at which an occurrence is
/// due. Codes never change meaning.
enum DutyStep: String, Sendable, CaseIterable {
    /// So long before it is due as the duty's lead time is.
    case ahead
    /// It is due and not done, and the duty asks for it.
    case due

    /// What the notification tells of.
    var action: Action { self == .ahead ? .dutyReminder : .dutyDue }
}

/// When people are reminded of their turns, and whether at all: once ahead, and when it is due by an ask, of which ``ReminderPolicy`` reminds
/// them again.
struct DutyReminderPolicy: Sendable {
    let duty: Duty
    /// The duty's.
    let zone: TimeZone

    /// What is over its time for so long is told no more.
    static let longestDelay: Duration = .days(1)

    /// When something is to be told, and from when on it is of no use any more.
    struct Slot: Equatable, Sendable {
        var step: DutyStep
        var from: WallTime
        var until: WallTime
    }

    /// What is to be told of an occurrence while it is somebody's and not over, in the order in which it comes.
    func slots(of occurrence: Occurrence) -> [Slot] {
        let due = WallTime(secondsSinceEpoch: occurrence.dueAt)
        let end = due.advanced(by: Self.longestDelay)
        var slots: [Slot] = []
        if duty.leadSeconds > 0 {
            let from = WallTime(secondsSinceEpoch: min(duty.remindAt(occurrence.index, in: zone), occurrence.dueAt))
            // Where nothing follows it is better told late than never.
            slots.append(Slot(step: .ahead, from: from, until: duty.escalates ? due : end))
        }
        if duty.escalates { slots.append(Slot(step: .due, from: due, until: end)) }
        return slots
    }

    /// What is known when something is to be told.
    struct Circumstances: Equatable, Sendable {
        /// Whether the person wants to be reminded of what they have to have done.
        var isReminded = true
        /// What fell due, or is to be told, while the person has muted the duty.
        var muted: Set<DutyStep> = []
        /// When the person's quiet hours end, if it is quiet.
        var quietUntil: WallTime?
    }

    /// What is to be done about one occurrence. What is skipped or silenced is left out for good.
    enum Decision: Equatable, Sendable {
        /// Nil when nothing is to come.
        case wait(until: WallTime?)
        /// Everything that is due is put off to that instant.
        case postpone(until: WallTime)
        case send(DutyStep)
        case skip([DutyStep])
        case silence([DutyStep], Candidate.SuppressionReason)
    }

    /// What is to be done now about an occurrence that is somebody's, of which `told` was told to them or left out before.
    func decide(
        _ occurrence: Occurrence,
        told: Set<DutyStep>,
        _ circumstances: Circumstances,
        at now: WallTime
    ) -> Decision {
        guard !occurrence.status.isTerminal else { return .wait(until: nil) }
        let open = slots(of: occurrence).filter { slot in
            // What is ahead of something is of no use once that was told, whatever the clock shows.
            !told.contains(slot.step) && !(slot.step == .ahead && told.contains(.due))
        }
        let begun = open.filter { $0.from <= now }
        guard !begun.isEmpty else { return .wait(until: open.first?.from) }
        // Whatever falls due in that time does not come later.
        let muted = begun.map(\.step).filter(circumstances.muted.contains)
        guard muted.isEmpty else { return .silence(muted, .mutedDuty) }
        // What is over needs no remembering, and is not over where it is so by a clock far ahead.
        let current = begun.filter { now < $0.until }
        guard let last = current.last else { return .wait(until: open.first { now < $0.from }?.from) }
        // Who wants them again later hears of what comes then.
        let unwanted = current.filter { $0.step == .ahead && !circumstances.isReminded }
        guard unwanted.isEmpty else { return .skip(unwanted.map(\.step)) }
        if let end = circumstances.quietUntil { return .postpone(until: end) }
        // What is ahead of something is over once that has come, so there is one.
        return .send(last.step)
    }
}
