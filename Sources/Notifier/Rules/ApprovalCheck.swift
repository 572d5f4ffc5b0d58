import Platform

/// A person whose approval of a merge request the list has shown.
struct KnownApproval: Hashable, Sendable {
    var person: Int64
    /// Whether the list shows it now. It may vanish without anybody's doing, by a push that resets approvals (trap 15).
    var isListed: Bool
    /// How often it has appeared.
    var times: Int64
}

/// What a system note says of one approval.
struct ToldApproval: Hashable, Sendable {
    var person: Int64
    /// False when it was taken back.
    var isGiven: Bool

    init(person: Int64, isGiven: Bool) {
        self.person = person
        self.isGiven = isGiven
    }

    /// Nil for a note that says nothing of that.
    init?(_ note: NoteRow) {
        guard note.isSystem, let person = note.author?.id else { return nil }
        switch SystemNote(body: note.body) {
        case .approved: self.init(person: person, isGiven: true)
        case .unapproved: self.init(person: person, isGiven: false)
        default: return nil
        }
    }
}

/// When a list of approvals was read, by the two clocks that matter to it.
struct ApprovalsLook: Hashable, Sendable {
    var at: MonotonicInstant
    /// By the clock that also stamps the system notes.
    var gitlabTime: WallTime

    /// The earliest time, by GitLab's clock, at which an approval can have been given that this look is the first to show: the look
    /// before, or a day where there was none. A clock that was set ahead in between makes the span longer, one that was set back
    /// must not make it shorter.
    func earliestNews(after before: ApprovalsLook?) -> WallTime {
        guard let before else { return gitlabTime.advanced(by: .zero - Self.longestSpan) }
        let elapsed = min(Self.longestSpan, before.at.duration(to: at))
        return min(before.gitlabTime, gitlabTime.advanced(by: .zero - elapsed))
    }

    private static let longestSpan = Duration.hours(24)
}

/// Compares the list of approvals with what it was. The list has no ids and mostly no times, so that only an appearance is
/// news, and only when no system note tells of it (GitLab facts §11.1, trap 15).
struct ApprovalCheck: Hashable, Sendable {
    let known: [KnownApproval]
    /// False until the list was read once: what it shows then is known.
    let isRead: Bool

    /// What the list has come to.
    struct Result: Hashable, Sendable {
        /// Who appeared, and for which time.
        var appeared: [Appearance]
        var known: [KnownApproval]
    }

    struct Appearance: Hashable, Sendable {
        var entry: ApprovalsResponse.Entry
        var times: Int64
    }

    init(known: [KnownApproval] = [], isRead: Bool = false) {
        self.known = known
        self.isRead = isRead
    }

    /// What is known where the list shows `approvers`, and `told` was known before, of whom nobody counts as listed.
    static func beginning(with approvers: [Int64], after told: [KnownApproval]) -> [KnownApproval] {
        var known = told
        for person in approvers {
            if let place = known.firstIndex(where: { $0.person == person }) {
                known[place].isListed = true
            } else {
                known.append(KnownApproval(person: person, isListed: true, times: 1))
            }
        }
        return known
    }

    /// The same for all who see the same approvals.
    var validator: String {
        known.filter(\.isListed).map(\.person).sorted().map(String.init).joined(separator: ",")
    }

    /// Who approves by what notes have told since the list was read, in their order: what it is to show when nothing else has happened.
    func taking(_ told: [ToldApproval]) -> ApprovalCheck {
        var known = known
        for note in told {
            if let place = known.firstIndex(where: { $0.person == note.person }) {
                if note.isGiven, !known[place].isListed { known[place].times += 1 }
                known[place].isListed = note.isGiven
            } else if note.isGiven {
                known.append(KnownApproval(person: note.person, isListed: true, times: 1))
            }
        }
        return ApprovalCheck(known: known, isRead: isRead)
    }

    func read(_ answer: ApprovalsResponse) -> Result {
        var appeared: [Appearance] = []
        var after = known.map { before in
            var person = before
            person.isListed = answer.entries.contains { $0.user.id == before.person }
            return person
        }
        for entry in answer.entries where !known.contains(where: { $0.person == entry.user.id && $0.isListed }) {
            let times: Int64
            if let place = after.firstIndex(where: { $0.person == entry.user.id }) {
                after[place].times += 1
                times = after[place].times
            } else {
                after.append(KnownApproval(person: entry.user.id, isListed: true, times: 1))
                times = 1
            }
            if isRead { appeared.append(Appearance(entry: entry, times: times)) }
        }
        return Result(appeared: appeared, known: after)
    }
}
