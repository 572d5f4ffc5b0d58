import FakeGitLab
import Platform
import Scenarios
import Simulation
import Verdict

/// What people write.
extension SimulatedWorld {
    func write(_ action: ItemAction, on reference: ItemReference, by person: String) throws {
        let item = reference.inGitLab
        switch action {
        case .comment(let text): try gitlab.comment(by: person, on: item, body: text.body)
        case .quickActions(let actions, let text):
            for case .addLabel(let label) in actions where knownLabels.insert(label).inserted {
                try gitlab.addLabel(label)
            }
            let quickActions = actions.compactMap(\.quickAction)
            try gitlab.comment(by: person, on: item, body: text?.body, quickActions: quickActions)
        case .addTodo: try gitlab.comment(by: person, on: item, body: nil, quickActions: [.todo])
        case .reply(let text): try reply(text, on: reference, by: person)
        case .diffComment(let text):
            let place = DiffPosition(path: "Sources/Service.swift", line: 42)
            try gitlab.diffNote(by: person, on: item, body: text.body, position: place)
        case .editComment(let text):
            guard let note = newestNote(on: reference, by: person) else { return }
            try gitlab.editNote(by: person, on: item, note: note, body: text.body)
        case .deleteComment:
            guard let note = newestNote(on: reference, by: person) else { return }
            try gitlab.deleteNote(by: person, on: item, note: note)
        case .react: try gitlab.react(by: person, on: item, note: newestNote(on: reference, by: nil))
        case .publishReview(let count):
            try gitlab.publishReview(by: person, on: item, bodies: Phrases.remarks(count))
        case .resolveThread:
            guard let note = recorder.oldestOpenThread(on: reference) else { return }
            try gitlab.resolveThread(by: person, on: item, of: note)
            recorder.resolvedThreads.insert(note)
        case .importBurst(let count, let backdated):
            let start = gitlabClock.wallNow.advanced(by: .zero - backdated)
            let bodies = Phrases.remarks(count)
            try gitlab.importNotes(by: person, on: item, bodies: bodies, firstAt: start, every: .seconds(1))
        default: preconditionFailure("only what people write comes here")
        }
    }

    private func reply(_ text: CommentText, on reference: ItemReference, by person: String) throws {
        let item = reference.inGitLab
        guard let note = newestNote(on: reference, by: nil) else {
            try gitlab.comment(by: person, on: item, body: text.body)
            return
        }
        try gitlab.reply(by: person, on: item, to: note, body: text.body)
    }

    /// The newest comment that still stands on the item, of that person or of anyone.
    private func newestNote(on item: ItemReference, by person: String?) -> Int64? {
        recorder.record.activities.last { activity in
            activity.item == item && activity.kind.isComment && activity.goneAt == nil && activity.noteID != nil
                && (person == nil || activity.actor.text == person)
        }?.noteID
    }
}

extension ItemAction {
    /// As a line of a comment asks for it; nil for what none can.
    fileprivate var quickAction: QuickAction? {
        switch self {
        case .approve: .approve
        case .unapprove: .unapprove
        case .close: .close
        case .reopen: .reopen
        case .addTodo: .todo
        case .assign(let user): .assign([user.text])
        case .unassign(let user): .unassign([user.text])
        case .requestReview(let user): .requestReview([user.text])
        case .removeReviewRequest(let user): .removeReviewRequest([user.text])
        case .addLabel(let label): .label(label)
        case .setDueDate(let day): .dueDate(day)
        case .markDraft: .draft(true)
        case .markReady: .draft(false)
        default: nil
        }
    }
}

extension ActivityKind {
    /// True for what someone wrote as a new note.
    var isComment: Bool {
        switch self {
        case .comment, .reply, .diffComment, .reviewComment: true
        default: false
        }
    }
}

/// Texts for what is written many at a time.
enum Phrases {
    private static let observations = [
        "This name says too little", "The error is swallowed here", "Could this be a constant", "Nice simplification",
        "Missing a test for the empty case", "This allocates on every call", "The comment is out of date",
        "Please keep the order of the cases",
    ]

    /// That many remarks, each with its number.
    static func remarks(_ count: Int) -> [String] {
        (0..<count).map { "\(observations[$0 % observations.count]) (\($0 + 1))." }
    }

    /// That many commit titles, each with its number.
    static func commits(_ count: Int) -> [String] {
        (0..<count).map { "Work on the review, part \($0 + 1)" }
    }
}
