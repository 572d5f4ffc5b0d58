import Configuration
import Platform

/// Whether somebody is told again that they are waited for: once after a quarter of an hour, a last time after an hour, never when it was
/// dealt with.
struct ReminderPolicy: Sendable {
    /// From when the first device had the first notification; a notification that waits reminds nobody.
    let delays: [Duration]

    /// How long "Later" is.
    static let later: Duration = .hours(1)
    /// A to-do item that a complete reading leaves out twice, so far apart, is done (trap 36).
    static let absence: Duration = .minutes(1)
    /// What was due longer ago, because the process was down, is left to the next one.
    static let longestDelay: Duration = .minutes(30)
    /// Nobody wants to hear of it again so long after the last one was due.
    static let longestLastDelay: Duration = .days(1)
    /// While GitLab cannot be read nobody knows whether it was dealt with; a stale reminder is worse than a late one, up to here.
    static let patience: Duration = .minutes(5)
    /// How often it is looked meanwhile whether GitLab can be read again.
    static let look: Duration = .seconds(15)

    init(_ configuration: NotifierConfiguration) {
        delays = configuration.reminderDelays
    }

    /// What is known when a reminder is due.
    struct Circumstances: Equatable, Sendable {
        /// Whether the person wants to be told again at all.
        var areWanted = true
        /// When the person's quiet hours end, if it is quiet.
        var quietUntil: WallTime?
        /// Whether this process has read the person's to-do items to the end, and can read GitLab.
        var isInformed = true
    }

    /// What is to be done about one ask. `skipped` are steps that are left out.
    enum Decision: Equatable, Sendable {
        /// Nothing is due before that.
        case wait(until: WallTime)
        /// Everything due is put off to the end of the quiet hours.
        case postpone(until: WallTime)
        /// Everything due is put off, because nobody knows whether it was dealt with.
        case hold(until: WallTime)
        case send(step: Int, skipped: [Int])
        case skip([Int])
        /// No reminder waits.
        case done
    }

    /// What is to be done about an ask now.
    ///
    /// - Parameters:
    ///   - ask: one that is open.
    ///   - waiting: its reminders that wait, in the order of their steps.
    ///   - circumstances: what is known.
    ///   - now: the time.
    /// - Returns: one thing; what is due is so no more once that is done.
    static func decide(_ ask: Ask, _ waiting: [Reminder], _ circumstances: Circumstances, at now: WallTime) -> Decision
    {
        guard let next = waiting.map(\.dueAt).min() else { return .done }
        let due = waiting.filter { $0.dueAt <= now }
        guard let last = due.last else { return .wait(until: next) }
        // Who wants them again later hears of what falls due then.
        guard circumstances.areWanted else { return .skip(due.map(\.step)) }
        if let end = circumstances.quietUntil { return .postpone(until: end) }
        // What is held had been due in time; that it was, a day later nobody wants to hear either.
        let held = due.compactMap(\.heldSince).min()
        let limit = held != nil || last.step == waiting.last?.step ? longestLastDelay : longestDelay
        guard last.dueAt.duration(to: now) <= limit else { return .skip(due.map(\.step)) }
        // What one reading has left out is done, or only hidden: the next one knows.
        if !circumstances.isInformed || ask.missingSince != nil {
            let end = (held ?? now).advanced(by: patience)
            if now < end { return .hold(until: min(end, now.advanced(by: look))) }
        }
        // Quiet hours may have put off an earlier one for longer.
        return .send(step: last.step, skipped: waiting.map(\.step).filter { $0 < last.step })
    }
}
