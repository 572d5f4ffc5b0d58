/// What to-do items say of notes that had been read as mere comments: that they are meant for the person (GitLab facts §18, trap 11).
/// A mention of a group, say, only the to-do item shows, and it may be read later than the note.
struct LateMentions {
    /// Still kept for the digest: judged anew, as mentions.
    private(set) var held: [Fact] = []
    /// Told as comments, and told no more; with what told of them.
    private(set) var told: [(fact: Fact, notification: NotificationID)] = []

    init(_ facts: [Fact], of account: AccountID, in store: Store) throws {
        for fact in facts {
            if try store.isHeld(fact.key, of: account) {
                held.append(fact)
            } else if let notification = try store.notification(tellingOf: fact.key, to: account) {
                told.append((fact: fact, notification: notification))
            }
        }
    }

    /// Takes the comments away whose mentions are told or held in their place. Those stay whose mentions the person has silenced: the digest
    /// judges them by the rules of its own time.
    func replace(by outcome: RuleOutcome, of account: AccountID, in store: Store) throws {
        guard !held.isEmpty else { return }
        let late = Set(held.map(\.key))
        let judged = (outcome.notified + outcome.held).map(\.key).filter(late.contains)
        try store.deleteHeldFacts(judged.map(\.text), of: account)
    }
}
