/// Whether what a program says is news.
enum SignalPolicy {
    /// Approvals that programs may wait for at a time, for one person.
    static let openAskLimit = 100
    /// Programs that one person may let in at a time.
    static let tokenLimit = 20

    /// What is known when a signal arrives.
    struct Circumstances: Equatable, Sendable {
        /// Whether the same was said before: an answer was lost, or the program repeats itself.
        var isRepeated = false
        /// Whether what it asks for was settled before it was asked: the requests overtook each other.
        var isSettled = false
        /// Approvals that programs wait for.
        var openAsks = 0
    }

    enum Decision: Equatable, Sendable {
        /// It goes the way of all facts.
        case tell
        /// What was asked under the same id is over.
        case settle
        /// It is kept in mind and told nobody.
        case keep
        /// It was dealt with.
        case ignore
        /// Too much is asked of the person already; the program may try again once some of it is settled.
        case refuse
    }

    static func decide(_ kind: Signal.Kind, _ circumstances: Circumstances) -> Decision {
        guard !circumstances.isRepeated else { return .ignore }
        switch kind {
        case .settled: return .settle
        case .runCompleted, .runFailed: return .tell
        case .approvalNeeded:
            if circumstances.isSettled { return .keep }
            return circumstances.openAsks < openAskLimit ? .tell : .refuse
        }
    }
}
