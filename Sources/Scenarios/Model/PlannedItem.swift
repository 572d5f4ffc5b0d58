import Platform

/// How an item will stand in GitLab at a moment of the plan, as far as it decides which actions are possible.
struct PlannedItem: CustomStringConvertible {
    var reference: ItemReference
    var author: Username
    var state: Item.State
    var isDraft: Bool
    var isConfidential: Bool
    var title: String
    /// False once it was deleted or moved away.
    var isThere = true
    var hasOldNotes: Bool
    /// People's comments, the old ones included.
    var commentCount: Int
    /// Authors of the comments written in the story, oldest first; deleted ones are taken out.
    var commenters: [Username] = []
    var openThreads = 0
    var approvers: [Username] = []
    /// Whose approval a rule asks for.
    var requiredApprovers: [Username] = []
    var assignees: [Username]
    var reviewers: [Username]
    var labels: [String]
    var milestone: String?
    /// Its own, not its milestone's.
    var dueDate: CivilDate?
    /// How the newest pipeline stands.
    var pipeline: PipelineStatus?
    /// To be merged once the pipeline succeeds.
    var isAutoMerge = false
    var hasConflicts = false

    var kind: ItemKind { reference.kind }
    var description: String { "\(reference)" }

    /// People's comments that GitLab takes on one item (GitLab facts §8.1).
    static let commentLimit = 5_000
    /// Characters of a title that GitLab takes.
    static let titleLimit = 255
}

extension PlannedItem {
    init(_ item: Item, _ reference: ItemReference) {
        self.init(
            reference: reference,
            author: item.author,
            state: item.state,
            isDraft: item.isDraft,
            isConfidential: item.isConfidential,
            title: item.isDraft && !Self.isMarked(item.title) ? Self.mark + item.title : item.title,
            hasOldNotes: item.oldNotes > 0,
            commentCount: item.oldNotes,
            assignees: item.assignees,
            reviewers: item.reviewers,
            labels: item.labels
        )
    }

    init(_ item: NewItem, author: Username) {
        self.init(
            reference: item.reference,
            author: author,
            state: .opened,
            isDraft: false,
            isConfidential: false,
            title: item.title,
            hasOldNotes: false,
            commentCount: 0,
            assignees: item.assignees,
            reviewers: item.reviewers,
            labels: []
        )
    }

    // MARK: Drafts

    /// What a draft's title begins with, where GitLab writes it.
    static let mark = "Draft: "
    /// A title that begins so makes a draft (supplement §2).
    private static let draftMarks = ["draft:", "[draft]", "(draft)", "draft - "]

    private static func isMarked(_ text: String) -> Bool { draftMarks.contains(where: text.lowercased().hasPrefix) }

    /// What becomes of a title that somebody writes: a draft keeps its mark.
    func newTitle(_ text: String) -> String { isDraft && !Self.isMarked(text) ? Self.mark + text : text }

    /// Takes a title that somebody writes.
    mutating func rename(to text: String) {
        title = newTitle(text)
        if kind == .mergeRequest, Self.isMarked(text) { isDraft = true }
    }

    mutating func markDraft() {
        isDraft = true
        title = Self.mark + title
    }

    mutating func markReady() {
        isDraft = false
        if title.hasPrefix(Self.mark) { title.removeFirst(Self.mark.count) }
        mergeAutomatically()
    }

    // MARK: Pipelines

    mutating func runPipeline(to status: PipelineStatus) {
        pipeline = status
        mergeAutomatically()
    }

    private mutating func mergeAutomatically() {
        guard isAutoMerge, state == .opened, !isDraft, !hasConflicts, pipeline == .success else { return }
        state = .merged
    }

    // MARK: Comments

    /// Takes that many comments of a person; each of a review and on a line begins a thread.
    mutating func addComments(_ count: Int = 1, by person: Username, threads: Int = 0) {
        commenters.append(contentsOf: repeatElement(person, count: count))
        openThreads += threads
    }

    /// Takes the person's newest comment away.
    mutating func removeComment(by person: Username) {
        guard let index = commenters.lastIndex(of: person) else { return }
        commenters.remove(at: index)
        commentCount -= 1
    }
}
