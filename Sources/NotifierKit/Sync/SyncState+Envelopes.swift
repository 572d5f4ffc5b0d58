/// The queue on its way: what goes into an envelope, and what an answer to one means.
extension SyncState {
    /// Changes that the server takes in one envelope at most.
    public static let envelopeCapacity = 500
    /// Bytes of an envelope: the server takes `requestBodyLimitBytes`, 256 KiB unless it was told otherwise.
    static let envelopeBytes = 192 * 1_024
    /// New items that the server looks up for one envelope.
    static let envelopeWatches = 20

    /// What is sent at once. Sent again it has the same id and, but for what was answered, the same changes.
    public struct Envelope: Sendable, Equatable {
        /// Chosen by this device.
        public var id: String
        /// In the order in which they were made.
        public var changes: [PendingChange]
        /// ``Place/revision``.
        public var baseRevision: UInt64?
        /// Whether it was made just now and nobody can have it.
        public var isNew = false
    }

    /// What to send next: first what was sent and never answered, then a new envelope, then what the server could not do before.
    ///
    /// - Parameters:
    ///   - id: that of a new envelope.
    ///   - done: envelopes that need not be sent now.
    ///   - includingDelayed: whether what the server could not do before is worth another try.
    /// - Returns: nil when nothing is left.
    public mutating func nextEnvelope(
        _ id: String,
        except done: Set<String> = [],
        includingDelayed: Bool = true
    ) -> Envelope? {
        let isOpen = { (change: PendingChange) in change.envelope.map { !done.contains($0) } ?? false }
        if let unanswered = pending.first(where: { isOpen($0) && $0.delays == 0 }) { return envelope(of: unanswered) }
        if seal(id) {
            var envelope = envelope(of: pending.first { $0.envelope == id })
            envelope?.isNew = true
            return envelope
        }
        guard includingDelayed else { return nil }
        // Who was refused most often comes last, so that one item which GitLab cannot show keeps no other back.
        return envelope(of: pending.filter(isOpen).min { ($0.delays, $0.number) < ($1.delays, $1.number) })
    }

    private func envelope(of change: PendingChange?) -> Envelope? {
        guard let id = change?.envelope else { return nil }
        return Envelope(id: id, changes: pending.filter { $0.envelope == id }, baseRevision: place.revision)
    }

    /// Puts what is in no envelope yet, as much as one holds, into that of an id; false when there is nothing.
    private mutating func seal(_ id: String) -> Bool {
        var (count, bytes, watches) = (0, NotifierClient.envelopeOverhead, 0)
        for index in pending.indices where pending[index].envelope == nil {
            let change = pending[index]
            count += 1
            bytes += NotifierClient.size(of: change.change)
            if case .watch(let item) = change.wanted, copy.watches[item] == nil { watches += 1 }
            let isFull =
                count > counters.envelopeLimit || bytes > Self.envelopeBytes || watches > Self.envelopeWatches
            // One that is too large by itself is for the server to refuse.
            guard !isFull || count == 1 else { break }
            pending[index].envelope = id
        }
        return count > 0
    }

    /// The server has answered an envelope: what it took waits no more, what it will not have is taken back, and what it cannot do now stays.
    ///
    /// - Returns: why something stays; nil when nothing does.
    public mutating func settle(_ receipt: SyncReceipt, of id: String) -> NotifierError? {
        let held = receipt.held
        let applied = Dictionary(receipt.applied.map { ($0.id, $0.changedAt) }, uniquingKeysWith: { first, _ in first })
        let refused = Dictionary(receipt.refused.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        // Beyond it this device has been told already, perhaps of something later.
        let isNews = receipt.revision > place.revision ?? 0
        var delay: NotifierError?
        pending = pending.compactMap { change in
            guard change.envelope == id else { return change }
            if let value = held[change.id] {
                if isNews { copy.take(value, after: change) }
                if let told = applied[change.id], let date = told { noteTaken(change, as: date) }
                return nil
            }
            let reason = refused[change.id].map { NotifierError(refused: $0) } ?? .unanswered
            guard reason.isTemporary else {
                note(SyncReversal(change: change, reason: reason))
                return nil
            }
            delay = delay ?? reason
            var change = change
            change.delays += 1
            return change
        }
        counters.envelopeLimit = min(counters.envelopeLimit * 2, Self.envelopeCapacity)
        return delay
    }

    /// A new envelope was certainly not sent: later choices may take the place of what is in it, and go along.
    public mutating func open(_ envelope: Envelope) {
        guard envelope.isNew else { return }
        for index in pending.indices where pending[index].envelope == envelope.id { pending[index].envelope = nil }
    }

    /// The server has refused an envelope as a whole, for something that is the same the next time. Its changes go in smaller ones, so that
    /// only what is refused by itself is taken back.
    public mutating func refuse(_ envelope: Envelope, _ reason: NotifierError) {
        guard envelope.changes.count > 1 else {
            pending.removeAll { $0.envelope == envelope.id }
            for change in envelope.changes { note(SyncReversal(change: change, reason: reason)) }
            return
        }
        counters.envelopeLimit = max(envelope.changes.count / 2, 1)
        for index in pending.indices where pending[index].envelope == envelope.id { pending[index].envelope = nil }
    }

    private mutating func note(_ reversal: SyncReversal) {
        reversals.append(reversal)
        if reversals.count > Self.reversalCapacity { reversals.removeFirst(reversals.count - Self.reversalCapacity) }
    }
}

extension NotifierError {
    /// Why a change of an envelope was refused. What GitLab cannot show now, it may show later.
    fileprivate init(refused: SyncReceipt.Refused) {
        let row = ErrorCatalogue.row(code: refused.code, status: 0)
        let isTemporary = [.gitlabUnavailable, .gitlabRateLimited].contains(row) || refused.code == SyncReceipt.later
        self.init(
            isTemporary ? .unavailable : .refused,
            code: refused.code,
            row?.message ?? refused.message,
            hint: refused.hint
        )
    }

    /// A change that the server was sent and says nothing of.
    fileprivate static let unanswered = NotifierError.unreadable("The answer leaves out what was sent.")
}
