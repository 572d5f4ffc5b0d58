/// Something that may not be in a world whose faults have ended and which has come to rest.
package struct Flaw: Sendable, Hashable {
    /// What kind of thing is wrong.
    package enum Kind: String, Sendable, CaseIterable {
        case crash, missed, duplicate, unexpected
        case invariant
        case notDrained = "not-drained"
        case internalError = "internal-error"
        /// Later than in the same run without a crash; or, in a drawn world, than its settings allow where nothing was in the way.
        case late
        /// A world and a twin of it did not tell the same.
        case toldDifferently = "told-differently"
        /// Of a twin, and not of the world itself.
        case twin
    }

    package let kind: Kind
    /// The cause of a miss, the invariant that broke, the kind of crash; empty where there is nothing more to say.
    package let cause: String
    /// Whom and what it is about, in words; empty where its kind tells everything.
    package let detail: String

    package init(_ kind: Kind, _ cause: String = "", detail: String = "") {
        (self.kind, self.cause, self.detail) = (kind, cause, detail)
    }

    /// What findings are grouped by, such as `missed: not-detected`.
    package var signature: String { cause.isEmpty ? kind.rawValue : "\(kind.rawValue): \(cause)" }
}

extension SeedResult {
    /// What is wrong with the run of a world that came to rest; each flaw once, in the order of the kinds.
    package var flaws: [Flaw] {
        var flaws: [Flaw] = []
        for cause in causes where cause.count > 0 && Excuse.reasons[cause.code] == nil {
            flaws.append(Flaw(.missed, cause.code))
        }
        if whole.reminders.missed > 0 { flaws.append(Flaw(.missed, "reminder")) }
        if whole.duplicates > 0 { flaws.append(Flaw(.duplicate)) }
        if whole.unexpected > 0 { flaws.append(Flaw(.unexpected)) }
        if whole.reminders.unexpected > 0 { flaws.append(Flaw(.unexpected, "reminder")) }
        if whole.wrongUnreadNumbers > 0 { flaws.append(Flaw(.unexpected, "unread")) }
        for invariant in ViolationRecord.Invariant.allCases
        where violations.contains(where: { $0.invariant == invariant }) {
            flaws.append(Flaw(.invariant, invariant.rawValue))
        }
        // More are counted than kept.
        if violationsInAll > 0 && violations.isEmpty { flaws.append(Flaw(.invariant)) }
        // What was excused never arrives, so that only a run without a miss can say whether everything else did.
        if whole.missed == 0 && drainedAfterMilliseconds == nil { flaws.append(Flaw(.notDrained)) }
        return flaws
    }
}
