import Platform

/// What an outside program, such as an agent's run or a job of CI, tells a person or asks them.
struct Signal: Hashable, Sendable {
    /// What it says. The codes never change meaning.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The program goes on only with the person's consent: an ask, of which they are reminded.
        case approvalNeeded = "approval_needed"
        case runCompleted = "run_completed"
        case runFailed = "run_failed"
        /// Nobody waits any more for what was asked under the same id.
        case settled
    }

    /// The program's own name for it; whoever says the same of it again repeats themselves.
    var id: String
    var kind: Kind
    /// What it is about; empty for ``Kind/settled``.
    var title: String
    /// What the program works on, as it calls it.
    var project: String?
    var body: String?
    /// Where the person can see or decide it.
    var webURL: String?
    /// The run that it belongs to, which groups notifications; what was asked in it is over when it ends.
    var run: String?
}

extension Signal.Kind {
    /// What it tells; nil for what only ends something.
    var action: Action? {
        switch self {
        case .approvalNeeded: .approvalNeeded
        case .runCompleted: .runCompleted
        case .runFailed: .runFailed
        case .settled: nil
        }
    }
}

extension Signal.Kind {
    /// Whether a run is over, so that it waits for nobody any more.
    var endsRun: Bool { self == .runCompleted || self == .runFailed }
}

extension SignalTokenID {
    /// See ``SignalToken/subject``.
    var subject: String { "signal/\(rawValue)" }
}

/// The part of a fact that only what a program said has.
struct SignalReference: Hashable, Sendable {
    /// The program's own name for it.
    var id: String
    var run: String?
    /// The ask that it raises, by the id that clients will know; nil where nobody is reminded, and for what asks nothing.
    var ask: String?
}

/// A program's right to say something to one person, and nothing else. The token itself is not kept.
struct SignalToken: Equatable, Sendable {
    var id: SignalTokenID
    /// The id that clients know.
    var publicID: String
    var account: AccountID
    /// What the person calls the program.
    var name: String
    var createdAt: WallTime
    /// When something new was said with it last.
    var lastUsedAt: WallTime?
    /// Until when nothing that the program says is told; may have passed.
    var mutedUntil: WallTime?

    /// What its notifications are about, and how the keys of its facts begin.
    var subject: String { id.subject }

    /// The program as who does something: see ``Actor/id``.
    var actorID: Int64 { -id.rawValue }
}
