import Platform

/// What a team writes when a scenario leaves the words to chance.
enum PlausibleText {
    /// A comment for an item of that kind.
    static func comment(on kind: ItemKind, from random: inout RandomStream) -> String {
        random.pick(kind == .mergeRequest ? reviewComments + generalComments : issueComments + generalComments) ?? ""
    }

    /// A comment that addresses somebody.
    static func comment(mentioning person: Username, from random: inout RandomStream) -> String {
        let question = random.pick(questions) ?? ""
        guard random.chance(1, in: 3) else { return "\(person) \(question)" }
        return "\(question.prefix(1).uppercased())\(question.dropFirst()) cc \(person)"
    }

    /// The title of the nth generated item of that kind, from 0; numbered from the second round on.
    static func title(_ index: Int, of kind: ItemKind) -> String {
        let titles = kind == .mergeRequest ? mergeRequestTitles : issueTitles
        let round = index / titles.count
        return round == 0 ? titles[index % titles.count] : "\(titles[index % titles.count]) (\(round + 1))"
    }

    /// A title of an item that is called `title`, which another revision of it may follow.
    static func revision(of title: String) -> String {
        let suffix = " (revised)"
        if title.count + suffix.count <= PlannedItem.titleLimit { return title + suffix }
        guard title.hasSuffix(suffix) else { return title.prefix(PlannedItem.titleLimit - suffix.count) + suffix }
        var first = title
        while first.hasSuffix(suffix) { first.removeLast(suffix.count) }
        return first
    }

    static let labels = [
        "backend", "frontend", "needs docs", "performance", "security", "tech debt", "ux", "wontfix later",
    ]
    static let milestones = ["Spring release", "Summer release", "Stabilisation", "Backlog"]
    static let emoji = ["thumbsup", "tada", "eyes", "heart", "rocket"]

    private static let generalComments = [
        "Agreed, let us do it that way.",
        "I can pick this up tomorrow morning.",
        "Thanks, that clears it up.",
        "I pushed the discussion to our next sync.",
        "Could we get a second opinion on this?",
        "This is blocked until the staging database is back.",
        "Good point, I had not thought of daylight saving time.",
        "Let me check with the people who run it in production.",
        "I measured it: about 40 ms faster on the large data set.",
        "Is there anything left to do here?",
        "Works on my machine with the latest main.",
        "I would rather keep this small and follow up later.",
    ]
    private static let reviewComments = [
        "Looks good apart from the naming of the second parameter.",
        "Why do we swallow the error in this branch?",
        "Can you add a test for the empty list?",
        "This loop reads the file twice; once would do.",
        "Nice, this is much easier to follow than before.",
        "The retry needs an upper bound.",
        "Shall we move this check into the constructor?",
        "The migration has to run before the workers start.",
        "I rebased it, the conflict was only in the change log.",
        "Please split the rename from the change of behaviour.",
        "This comment describes the old version.",
        "What happens when the token expires half-way?",
    ]
    private static let issueComments = [
        "I can reproduce it with the attached file.",
        "It only happens when two people save at the same time.",
        "The log shows a timeout shortly before.",
        "Could this be related to the upgrade last week?",
        "Raising the priority, three customers have reported it.",
        "A workaround is to reload the page twice.",
        "I narrowed it down to the import job.",
        "We should say in the documentation that this is not supported.",
        "It is gone in the nightly build.",
        "Which browser do you use?",
        "I added the steps to the description.",
        "Let us close this if nobody objects by Friday.",
    ]
    private static let questions = [
        "can you have a look at this?",
        "what do you think?",
        "do you remember why we did it this way?",
        "is this still needed?",
        "could you review the second half?",
        "when would you have time for this?",
        "does this fix the problem for you?",
        "please check whether the figures are right.",
    ]
    private static let mergeRequestTitles = [
        "Retry uploads after a lost connection",
        "Show the build number in the footer",
        "Cache the list of time zones",
        "Fix rounding in the invoice total",
        "Let admins export the audit log",
        "Drop the legacy session table",
        "Speed up the search for long names",
        "Validate phone numbers on input",
        "Make the sidebar usable by keyboard",
        "Limit the size of attachments",
        "Move mail delivery to a worker",
        "Translate the onboarding screens",
        "Record who changed a price",
        "Close idle database connections",
        "Explain failed payments to the customer",
        "Replace the home-grown date picker",
        "Add an index for open orders",
        "Remember the last used filter",
        "Sign release archives",
        "Warn before a calendar is deleted",
    ]
    private static let issueTitles = [
        "Search finds nothing for names with an apostrophe",
        "Reports take minutes at the end of the month",
        "Calendar shows the wrong week in January",
        "Uploads fail behind the company proxy",
        "Dark mode hides the save button",
        "Two confirmation mails for one order",
        "Avatar is upside down on some phones",
        "Password reset link expires too early",
        "Export lacks the last row",
        "Dashboard is empty for new teams",
        "Sorting by date ignores the year",
        "Tooltip covers the field it explains",
    ]
}
