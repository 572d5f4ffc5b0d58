import Platform

/// What happens to items that exist, with what stands in its way and what others find changed afterwards.
extension ActionForm {
    static let onItems = comments + [quickActions] + onMergeRequests + states + people + fields

    private static let comments: [ActionForm] = [
        .onItem(
            .comment,
            .comment,
            "Comments on an item.",
            [.body, .mention],
            rules: ItemRules(comments: { _ in 1 }, then: { $0.addComments(by: try $1.person) })
        ) { .comment(try $0.comment) },
        .onItem(
            .reply,
            .reply,
            "Answers the newest thread of an item.",
            [.body, .mention],
            rules: ItemRules(
                unless: { $0.commenters.isEmpty && !$0.hasOldNotes ? "\($0) has no comment to reply to" : nil },
                comments: { _ in 1 },
                then: { $0.addComments(by: try $1.person) }
            )
        ) { .reply(try $0.comment) },
        .onItem(
            .diffComment,
            .diffComment,
            "Comments on a line of a merge request.",
            on: [.mergeRequest],
            [.body, .mention],
            rules: ItemRules(
                isPlausibleBy: { $0.author != $1 },
                comments: { _ in 1 },
                then: { $0.addComments(by: try $1.person, threads: 1) }
            )
        ) { .diffComment(try $0.comment) },
        .onItem(
            .editComment,
            .editedComment,
            "Gives a new text to the person's newest comment on the item.",
            [.body, .mention],
            rules: ItemRules(unlessBy: { item, person, _ in item.withoutComment(by: person) })
        ) { .editComment(try $0.comment) },
        .onItem(
            .deleteComment,
            .deletedComment,
            "Deletes the person's newest comment on the item.",
            isMixable: false,
            rules: ItemRules(
                unlessBy: { item, person, _ in item.withoutComment(by: person) },
                then: { $0.removeComment(by: try $1.person) }
            )
        ) { _ in .deleteComment },
        .onItem(
            .react,
            .reaction,
            "Puts an emoji on the newest comment of the item.",
            [Field("emoji", .notation(.text), "Name of the emoji; thumbsup by default.")]
        ) { .react(emoji: try $0.text) },
        .onItem(
            .publishReview,
            .reviewComment,
            "Publishes several draft comments at once.",
            on: [.mergeRequest],
            least: .developer,
            [.comments],
            rules: ItemRules(
                isPlausibleBy: { $0.author != $1 },
                comments: { try $0.count },
                then: { $0.addComments(try $1.count, by: try $1.person, threads: try $1.count) }
            )
        ) { .publishReview(count: try $0.count) },
        .onItem(
            .resolveThread,
            .threadResolved,
            "Resolves the oldest open thread.",
            least: .developer,
            rules: ItemRules(
                unless: { $0.openThreads == 0 ? "\($0) has no open thread" : nil },
                then: { item, _ in item.openThreads -= 1 }
            )
        ) { _ in .resolveThread },
        .onItem(
            .importBurst,
            .imported,
            "Comments appear at once that claim to be old.",
            least: .developer,
            isMixable: false,
            [
                .comments,
                Field("backdated", .length, isRequired: true, "How long ago they claim to have been written."),
            ],
            rules: ItemRules(comments: { try $0.count }, then: { item, _ in item.hasOldNotes = true })
        ) { .importBurst(count: try $0.count, backdated: try $0.length) },
    ]

    /// What opens and closes an item, and what takes it away.
    private static let states: [ActionForm] = [
        .onItem(
            .close,
            .closed,
            "Closes an item.",
            least: .reporter,
            rules: ItemRules(
                unless: \.notOpened,
                then: { item, _ in (item.state, item.isAutoMerge) = (.closed, false) }
            )
        ) { _ in .close },
        .onItem(
            .reopen,
            .reopened,
            "Opens a closed item again.",
            least: .reporter,
            rules: ItemRules(
                unless: { $0.state == .closed ? nil : "\($0) is \($0.state.rawValue)" },
                isPlausible: { _ in true },
                then: { item, _ in item.state = .opened }
            )
        ) { _ in .reopen },
        .onItem(
            .moveIssue,
            .moved,
            "Moves an issue to another project.",
            on: [.issue],
            least: .reporter,
            isMixable: false,
            [.destination],
            rules: ItemRules(unless: \.notOpened, then: { item, _ in item.isThere = false })
        ) { .moveIssue(to: try $0.project, number: $0.template.number) },
        .onItem(
            .deleteItem,
            .deleted,
            "Deletes an item for good.",
            isMixable: false,
            rules: ItemRules(
                unlessBy: { item, _, role in
                    role < .owner ? "only an owner of \(item.reference.project) may delete \(item)" : nil
                },
                then: { item, _ in item.isThere = false }
            )
        ) { _ in .deleteItem },
    ]

    /// Who is assigned, and whose review is requested.
    private static let people: [ActionForm] = [
        .onItem(
            .assign,
            .assigned,
            "Assigns a person.",
            least: .reporter,
            [.user],
            rules: ItemRules(
                unlessUser: { item, user, role in
                    if let reason = item.hidden(from: user, role) { return reason }
                    return item.assignees.contains(user) ? "\(user) is assigned already" : nil
                },
                then: { $0.assignees.append(try $1.user) }
            )
        ) { .assign(try $0.user) },
        .onItem(
            .unassign,
            .unassigned,
            "Unassigns a person.",
            least: .reporter,
            [.user],
            rules: ItemRules(
                unlessUser: { item, user, _ in item.assignees.contains(user) ? nil : "\(user) is not assigned" },
                then: { item, details in
                    let user = try details.user
                    item.assignees.removeAll { $0 == user }
                }
            )
        ) { .unassign(try $0.user) },
        .onItem(
            .requestReview,
            .reviewRequested,
            "Requests a review from a person.",
            on: [.mergeRequest],
            least: .developer,
            [.user],
            rules: ItemRules(
                unless: \.notOpened,
                unlessUser: { item, user, role in
                    if let reason = item.hidden(from: user, role) { return reason }
                    return item.reviewers.contains(user) ? "\(user) is a reviewer already" : nil
                },
                then: { $0.reviewers.append(try $1.user) }
            )
        ) { .requestReview(try $0.user) },
        .onItem(
            .removeReviewRequest,
            .reviewRequestRemoved,
            "Takes a review request back.",
            on: [.mergeRequest],
            least: .developer,
            [.user],
            rules: ItemRules(
                unlessUser: { item, user, _ in item.reviewers.contains(user) ? nil : "\(user) is not a reviewer" },
                then: { item, details in
                    let user = try details.user
                    item.reviewers.removeAll { $0 == user }
                }
            )
        ) { .removeReviewRequest(try $0.user) },
    ]

    /// Labels, milestones, dates, titles, confidentiality.
    private static let fields: [ActionForm] = [
        .onItem(
            .addLabel,
            .labelled,
            "Adds a label.",
            least: .reporter,
            [Field("label", .notation(.text), isRequired: true, "The label.")],
            rules: ItemRules(then: { $0.labels.append(try $1.text) })
        ) { .addLabel(try $0.text) },
        .onItem(
            .setMilestone,
            .milestoneSet,
            "Sets the milestone.",
            least: .reporter,
            [
                Field("milestone", .notation(.text), isRequired: true, "The milestone."),
                Field("due", .notation(.date), "Its last day, which it has from the beginning; none by default."),
            ],
            rules: ItemRules(then: { $0.milestone = try $1.text })
        ) { .setMilestone(try $0.text, due: $0.optionalDue) },
        .onItem(
            .clearMilestone,
            .milestoneSet,
            "Takes the item out of its milestone.",
            least: .reporter,
            isMixable: false,
            rules: ItemRules(
                unless: { $0.milestone == nil ? "\($0) is in no milestone" : nil },
                then: { item, _ in item.milestone = nil }
            )
        ) { _ in .clearMilestone },
        .onItem(
            .setDueDate,
            .dueDateChanged,
            "Sets the day by which an issue is due.",
            on: [.issue],
            least: .reporter,
            isMixable: false,
            [Field("due", .notation(.date), isRequired: true, "The day.")],
            rules: ItemRules(then: { $0.dueDate = try $1.due })
        ) { .setDueDate(try $0.due) },
        .onItem(
            .clearDueDate,
            .dueDateChanged,
            "Takes the day away by which an issue is due.",
            on: [.issue],
            least: .reporter,
            isMixable: false,
            rules: ItemRules(
                unless: { $0.dueDate == nil ? "\($0) has no due date" : nil },
                then: { item, _ in item.dueDate = nil }
            )
        ) { _ in .setDueDate(nil) },
        .onItem(
            .changeTitle,
            .titleChanged,
            "Changes the title.",
            least: .developer,
            [Field("title", .notation(.text), isRequired: true, "The new title.")],
            rules: ItemRules(isPlausibleBy: { $0.author == $1 }, then: { $0.rename(to: try $1.text) })
        ) { .changeTitle(try $0.text) },
        .onItem(
            .markDraft,
            .markedDraft,
            "Marks a merge request as draft.",
            on: [.mergeRequest],
            least: .developer,
            rules: ItemRules(
                unless: { item in
                    if item.isDraft { return "\(item) is a draft already" }
                    let isTooLong = PlannedItem.mark.count + item.title.count > PlannedItem.titleLimit
                    return isTooLong ? "the title of \(item) is too long to be marked as a draft" : nil
                },
                isPlausibleBy: { $0.author == $1 },
                then: { item, _ in item.markDraft() }
            )
        ) { _ in .markDraft },
        .onItem(
            .markReady,
            .markedReady,
            "Marks a merge request as ready.",
            on: [.mergeRequest],
            least: .developer,
            rules: ItemRules(
                unless: { $0.isDraft ? nil : "\($0) is ready already" },
                isPlausibleBy: { $0.author == $1 },
                then: { item, _ in item.markReady() }
            )
        ) { _ in .markReady },
        .onItem(
            .confidentialOn,
            .confidentialityChanged,
            "Makes an issue confidential.",
            on: [.issue],
            least: .reporter,
            rules: ItemRules(
                unless: { $0.isConfidential ? "\($0) is confidential already" : nil },
                then: { item, _ in item.isConfidential = true }
            )
        ) { _ in .confidentialOn },
        .onItem(
            .confidentialOff,
            .confidentialityChanged,
            "Makes a confidential issue visible again.",
            on: [.issue],
            least: .reporter,
            rules: ItemRules(
                unless: { $0.isConfidential ? nil : "\($0) is not confidential" },
                then: { item, _ in item.isConfidential = false }
            )
        ) { _ in .confidentialOff },
    ]
}
