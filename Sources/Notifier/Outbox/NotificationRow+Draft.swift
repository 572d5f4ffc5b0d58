import Crypto
import FoundationEssentials
import Platform

/// Makes a row of what is to be told.
extension NotificationRow {
    /// What the history keeps of a text; a comment can be a megabyte long.
    private static let bodyLimitBytes = 8_192
    private static let titleLimitBytes = 1_024
    private static let actionTypeLimitBytes = 64

    /// - Throws: what the encoder throws.
    init(
        _ draft: NotificationDraft,
        publicID: String,
        isNewMention: Bool,
        badge: Int? = nil,
        at now: WallTime,
        expiresAt: WallTime
    ) throws {
        let text = NotificationText(draft.subject, at: now)
        let facts = draft.subject.facts
        let newest = facts.last
        self.publicID = publicID
        account = draft.account
        kind = draft.subject.kind
        category = draft.subject.ask != nil ? .ask : isNewMention ? .newMention : .activity
        item = newest?.item ?? draft.subject.reminder?.item ?? draft.subject.due?.item
        source = newest?.source
        sourceID = newest.flatMap { $0.source.hasRows ? $0.sourceID : nil }
        actionType = newest.map { JSONText.prefix($0.action.code, encodedLimit: Self.actionTypeLimitBytes) }
        subtitle = text.subtitle.map { JSONText.prefix($0, encodedLimit: Self.titleLimitBytes) }
        title = JSONText.prefix(text.title, encodedLimit: Self.titleLimitBytes)
        body = JSONText.prefix(text.body, encodedLimit: Self.bodyLimitBytes)
        // Reading starts at the first new event.
        webURL = draft.subject.webURL
        factKeys = draft.subject.factKeys
        threadID = draft.subject.threadID
        collapseID = draft.subject.reminder?.collapseID ?? newest?.duty?.collapseID ?? publicID
        createdAt = now
        self.expiresAt = expiresAt
        payload = []
        payload = try PayloadComposer.encode(push(text, draft.subject, isNewMention: isNewMention, badge: badge))
    }

    private func push(
        _ text: NotificationText,
        _ subject: NotificationDraft.Subject,
        isNewMention: Bool,
        badge: Int?
    ) -> PushPayload {
        let newest = subject.facts.last
        return PushPayload(
            aps: PushPayload.Apple(
                alert: PushPayload.Alert(title: text.title, subtitle: text.subtitle, body: text.body),
                badge: badge,
                sound: subject.interruptionLevel == .passive ? nil : "default",
                category: category,
                threadID: threadID,
                interruptionLevel: subject.interruptionLevel
            ),
            data: PushPayload.Content(
                notificationId: publicID,
                type: kind,
                source: source?.rawValue,
                sourceId: sourceID,
                actionType: actionType,
                itemType: item?.kind.rawValue,
                itemId: item?.iid,
                projectId: item?.project.rawValue,
                projectPath: newest?.gitlabProject ?? subject.reminder?.projectPath ?? subject.due?.projectPath,
                webUrl: webURL,
                actor: newest.flatMap(PushPayload.Person.init),
                isNewMention: isNewMention,
                batchCount: max(1, factKeys.count),
                facts: subject.reminder.map { [$0.factKey] } ?? factKeys,
                askId: subject.ask,
                step: subject.reminder?.step ?? subject.due?.step.rawValue,
                dueOn: subject.due?.day.text,
                program: newest?.signal == nil ? nil : newest?.actor.name,
                signalId: newest?.signal?.id,
                runId: newest?.signal?.run,
                dutyId: newest?.duty?.duty,
                occurrenceId: newest?.duty?.occurrence,
                assignee: newest?.duty?.assignee,
                dueAt: (newest?.duty?.dueAt).map(ISO8601.text)
            )
        )
    }
}

extension NotificationDraft.Subject {
    /// What the notification covers; empty for news about the service.
    var facts: [Fact] {
        guard case .activity(let facts) = self else { return [] }
        return facts
    }

    /// What a reminder says; nil for everything else.
    var reminder: ReminderText? {
        guard case .reminder(let text) = self else { return nil }
        return text
    }

    /// What the reminder of a due date says; nil for everything else.
    var due: DueText? {
        guard case .due(let text) = self else { return nil }
        return text
    }

    /// The ask that its buttons are about, by the id that clients know: what is reminded of, or what a program or a duty asks.
    var ask: String? { reminder?.ask ?? facts.last?.signal?.ask ?? facts.last?.duty?.ask }

    /// Whether it makes the number of what is unread greater: news about activity does, and what a program asks, but not how a run ended
    /// or that a day or a turn is near.
    var countsAsUnread: Bool {
        guard !factKeys.isEmpty, due == nil else { return false }
        return facts.isEmpty || facts.contains { $0.action.isUnread }
    }

    /// The stored keys of what it covers, oldest first.
    var factKeys: [String] {
        if case .digest(let digest) = self { return digest.facts.map(\.key) }
        if let due { return [due.key.text] }
        return facts.map(\.key.text)
    }

    /// Where a tap leads.
    var webURL: String? {
        if case .digest(let digest) = self { return digest.webURL }
        if let reminder { return reminder.webURL }
        if let due { return due.webURL }
        return facts.lazy.compactMap(\.webURL).first
    }

    /// The stored kind and the payload's `type`.
    var kind: String {
        switch self {
        case .activity(let facts): facts.last.flatMap { $0.source.hasRows ? nil : $0.source.rawValue } ?? "activity"
        case .digest: "digest"
        case .authExpired: "auth_expired"
        case .tokenExpiring: "token_expiring"
        case .serviceTrouble: "service_trouble"
        case .serviceRecovered: "service_recovered"
        case .watchListFull: "watch_list_full"
        case .reminder: "reminder"
        case .test: "test"
        case .announcement: "announcement"
        case .due: "due"
        }
    }

    /// Groups pushes on the device: one group per item, and per run of a program that names it.
    var threadID: String {
        if case .digest = self { return "digest" }
        if let reminder { return reminder.subject }
        if let due { return Self.thread(due.item) }
        guard let newest = facts.last else { return "service" }
        if case .signal(let token, _, _) = newest.key {
            return (newest.signal?.run.map { "\(token.subject)/\($0)" } ?? token.subject).prefixText(64)
        }
        if let duty = newest.duty { return DutyReference.subject(of: duty.duty) }
        if let item = newest.item { return Self.thread(item) }
        guard let project = newest.projectPath else { return Self.thread(newest.subject) }
        return "project/\(project)".prefixText(64)
    }

    /// What is in no project, such as an epic or a key, goes by itself: one that is read says nothing of another.
    private static func thread(_ subject: FactSubject) -> String {
        switch subject {
        case .item(let item): thread(item)
        case .duty(let duty): DutyReference.subject(of: duty)
        case .address(let text), .fact(let text): "address/" + hash(text)
        }
    }

    /// The same for the same text, whenever and wherever: sixteen hexadecimal digits.
    private static func hash(_ text: String) -> String {
        SHA256.digest(Array(text.utf8)).prefix(8)
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            .joined()
    }

    private static func thread(_ item: ItemReference) -> String {
        "\(item.project.rawValue)/\(item.kind.rawValue)/\(item.iid)"
    }

    /// Time-sensitive when the person is asked to act, passive for good news about the service.
    var interruptionLevel: PushPayload.InterruptionLevel {
        switch self {
        case .activity(let facts): facts.contains { $0.action.wantsAttention } ? .timeSensitive : .active
        case .authExpired, .reminder: .timeSensitive
        case .tokenExpiring, .digest, .serviceTrouble, .watchListFull, .test, .announcement, .due: .active
        case .serviceRecovered: .passive
        }
    }
}

extension String {
    /// At most `count` encoded bytes of the text.
    fileprivate func prefixText(_ count: Int) -> String { JSONText.prefix(self, encodedLimit: count) }
}

extension Fact {
    /// Where in GitLab it happened; a program may call its project whatever it likes.
    fileprivate var gitlabProject: String? { source.hasRows ? projectPath : nil }
}

extension PushPayload.Person {
    /// Who caused it; nil where that was no person.
    fileprivate init?(_ fact: Fact) {
        guard fact.source.hasRows, !fact.action.isNobodys || fact.actor.id != 0 else { return nil }
        self.init(name: fact.actor.name, username: fact.actor.username, avatarUrl: fact.actor.avatarURL)
    }
}

extension FactSource {
    /// Whether it is a list of GitLab's; what programs say, and what becomes of duties, is in none.
    fileprivate var hasRows: Bool { self != .signal && self != .duty }
}
