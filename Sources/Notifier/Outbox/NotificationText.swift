import Platform

/// What a person reads: not yet shortened to what a push can carry.
struct NotificationText: Equatable {
    var title: String
    /// The item's title.
    var subtitle: String?
    /// Empty when the title says it all.
    var body: String

    /// How many facts of a batch are told one by one.
    private static let lineLimit = 4
    /// What of a text stands in a line of a batch, so that the lines behind it have room, too: a paragraph of Markdown is one line.
    private static let lineBytes = 300
    /// What of a name stands in titles and lines, so that what was done, and where, stands behind it.
    private static let nameBytes = 120

    init(title: String, subtitle: String? = nil, body: String) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    init(_ subject: NotificationDraft.Subject, at now: WallTime) {
        switch subject {
        case .activity(let facts) where facts.count == 1 && facts[0].source == .signal: self.init(signal: facts[0])
        case .activity(let facts) where facts.count == 1: self.init(single: facts[0])
        case .activity(let facts): self.init(batch: facts)
        case .digest(let digest): self.init(title: digest.title, body: digest.body)
        case .authExpired:
            self.init(
                title: "GitLab connection expired",
                body: "GitLab session expired. Please reconnect your account."
            )
        case .tokenExpiring(let date):
            self.init(
                title: "GitLab token expires \(Self.daysLeft(date, now))",
                body: "Your GitLab token is valid until \(date). Make a new one and reconnect your account before that."
            )
        case .serviceTrouble(let since):
            self.init(
                title: "Notification service experiencing issues",
                body: "GitLab has been unavailable for \(Self.span(since, now)). We'll keep trying."
            )
        case .serviceRecovered(let since):
            self.init(
                title: "Notifications are back",
                body: "GitLab answers again after \(Self.span(since, now)). Nothing was lost."
            )
        case .watchListFull(let limit):
            self.init(
                title: "Your watch list is full",
                body: """
                    A new item is not watched: you watch \(limit), and none that came by itself is closed or merged. \
                    Unwatch what you need no more.
                    """
            )
        case .reminder(let reminder):
            // The last one says so: nothing comes after it.
            self.init(
                title: (reminder.step == 1 ? "Still waiting: " : "Reminder: ") + reminder.title,
                subtitle: reminder.itemTitle.isEmpty ? nil : reminder.itemTitle,
                body: ""
            )
        case .due(let due): self.init(due: due)
        case .announcement(let announcement): self.init(title: announcement.title, body: announcement.body)
        case .test:
            self.init(title: "Test notification", body: "Push notifications from this server reach you.")
        }
    }

    /// A day that is near is named by how far off it is, as seen from the day on which that is read; any other by its date.
    private init(due: DueText) {
        let when =
            switch due.day.days(since: due.today) {
            case 0: "is due today"
            case 1: "is due tomorrow"
            case -1: "was due yesterday"
            case ..<0: "was due on \(due.day.text)"
            case let days: "is due in \(days) days"
            }
        let place = due.item.titleText
        title = "\(place.prefix(1).uppercased())\(place.dropFirst()) \(when)"
        subtitle = due.itemTitle.isEmpty ? nil : due.itemTitle
        body = due.step == .overdue ? "It is still open. Due date: \(due.day.text)" : "Due date: \(due.day.text)"
    }

    private init(single fact: Fact) {
        title = fact.action.title(actor: Self.name(fact), item: Self.place(fact))
        subtitle = fact.itemTitle.isEmpty || fact.duty != nil ? nil : fact.itemTitle
        body = fact.body ?? ""
    }

    /// The program's own title is the first line of the text; on the device its name stands above it.
    private init(signal fact: Fact) {
        title = fact.action.title(actor: fact.actor.name, item: "")
        subtitle = fact.actor.name
        body = [fact.itemTitle, fact.body ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private init(batch facts: [Fact]) {
        title = Self.batchTitle(facts)
        subtitle = facts.last.flatMap { $0.itemTitle.isEmpty || $0.duty != nil ? nil : $0.itemTitle }
        let told = facts.suffix(Self.lineLimit)
        var lines = told.map { Self.line(of: $0, saying: $0.body) }
        if facts.count > told.count { lines.insert("\(facts.count - told.count) earlier", at: 0) }
        body = lines.joined(separator: "\n")
    }

    /// `3 new comments on MR !847`, or `MR !847: 2 comments, 1 approval, merged`, kinds in the order in which they came.
    private static func batchTitle(_ facts: [Fact]) -> String {
        let kinds = Action.tally(facts.map(\.action))
        let place = facts.first.map(place) ?? ""
        if kinds.count == 1, kinds[0].action == .commented { return "\(facts.count) new comments on \(place)" }
        let named = kinds.prefix(4).map { $0.action.counted($0.count) }
        let rest = kinds.dropFirst(4).reduce(0) { $0 + $1.count }
        return "\(place): " + (named + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
    }

    /// The item, or the project for what cannot be watched.
    private static func place(_ fact: Fact) -> String {
        if let place = fact.item?.titleText ?? fact.projectPath { return place }
        if fact.duty != nil { return fact.itemTitle }
        // Only of groups GitLab names no project.
        return fact.action == .accessRequested ? "a group" : "GitLab"
    }

    /// Who did it, and what, or what they wrote. What nobody did begins with the verb.
    private static func line(of fact: Fact, saying body: String?) -> String {
        let verb = fact.action.verb
        if fact.action.isNobodys { return "\(verb.prefix(1).uppercased())\(verb.dropFirst())" }
        let text = firstLine(body) ?? verb
        return "\(name(fact)): \(JSONText.prefix(text, encodedLimit: lineBytes))"
    }

    private static func name(_ fact: Fact) -> String { JSONText.prefix(fact.actor.name, encodedLimit: nameBytes) }

    private static func firstLine(_ text: String?) -> String? {
        let line = text?.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
        return line.map(String.init)
    }

    /// How long the token still lives, in whole days begun: `in 7 days`, `within a day`.
    private static func daysLeft(_ date: String, _ now: WallTime) -> String {
        guard let end = TokenExpiry.deadFrom(date) else { return "soon" }
        let seconds = now.duration(to: end).components.seconds
        return seconds <= 86_400 ? "within a day" : "in \((seconds + 86_399) / 86_400) days"
    }

    /// A length of time in minutes, such as `1h5m`.
    private static func span(_ since: WallTime, _ now: WallTime) -> String {
        let minutes = max(1, since.duration(to: now).components.seconds / 60)
        return DurationNotation.text(.seconds(minutes * 60))
    }
}
