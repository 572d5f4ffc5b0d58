import Platform

/// Makes one fact of what several sources tell, and leaves out what has been told (GitLab facts §18, traps 11, 12).
///
/// A comment that mentions the person shows up as a note and as a to-do, in either order and perhaps polls apart. The note's
/// key stands for the comment; a key of its own stands for the mention, since an edit can add one later.
struct FactMerge: Sendable {
    /// A key to record, with the time that the fact has.
    struct Record: Hashable, Sendable {
        var key: FactKey
        var occurredAt: WallTime
    }

    /// To tell, in the order of the candidates.
    private(set) var facts: [Fact] = []
    /// To record in the same transaction, told or not.
    private(set) var records: [Record] = []
    private(set) var mergedCount = 0
    /// How many of them another source had told without a common number.
    var correlatedCount: Int { correlated.count }
    /// Their keys.
    private(set) var correlated: Set<FactKey> = []
    private(set) var suppressed: [Candidate.SuppressionReason: [FactKey]] = [:]
    /// To-dos that are behind their notes, which named nobody when they were read: each is found once.
    private(set) var lateMentions: [Fact] = []

    /// With what these rows added.
    private(set) var correlator: EventCorrelator

    /// A to-do made so much later than its note was not caused by writing the note, but by an edit that added the mention. Only
    /// for mentions of groups, which the note's text does not show to be the person's.
    static let editMargin = Duration.seconds(60)

    private var recorded: [FactKey: WallTime] = [:]

    /// Decides about rows that are new to their sources; the notes among them come before the to-dos.
    ///
    /// - Parameters:
    ///   - candidates: the rows.
    ///   - correlator: what sources without common numbers have told of the items.
    ///   - notified: when a fact happened that has been recorded earlier; nil for one that has not.
    init(
        _ candidates: [Candidate],
        correlator: EventCorrelator = EventCorrelator(),
        notified: (FactKey) throws -> WallTime?
    ) rethrows {
        self.correlator = correlator
        self.correlator.prepare(for: try Self.awaited(candidates, notified))
        for candidate in candidates {
            if candidate.fact.source == .todo, candidate.mention != nil {
                try takeNoteTodo(candidate, notified: notified)
            } else {
                try take(candidate, notified: notified)
            }
        }
    }

    /// The rows that are new and to be matched, where more than one of a source may tell of the same; in their order.
    private static func awaited(
        _ candidates: [Candidate],
        _ notified: (FactKey) throws -> WallTime?
    ) rethrows -> [EventPairing.Row] {
        var rows: [(group: EventReport, key: FactKey, row: EventPairing.Row)] = []
        var counts: [EventReport: Int] = [:]
        var seen: Set<FactKey> = []
        for candidate in candidates where candidate.suppression != .switchedOff {
            guard let report = candidate.report, seen.insert(candidate.fact.key).inserted else { continue }
            let row = EventPairing.Row(report: report, occurredAt: candidate.fact.occurredAt)
            let group = EventReport(key: report.key, source: report.source)
            counts[group, default: 0] += 1
            rows.append((group: group, key: candidate.fact.key, row: row))
        }
        var awaited: [EventPairing.Row] = []
        for entry in rows where counts[entry.group, default: 0] > 1 {
            if try notified(entry.key) == nil { awaited.append(entry.row) }
        }
        return awaited
    }

    private mutating func take(_ candidate: Candidate, notified: (FactKey) throws -> WallTime?) rethrows {
        if candidate.suppression == .switchedOff {
            suppressed[.switchedOff, default: []].append(candidate.fact.key)
            return
        }
        if try time(of: candidate.fact.key, notified) != nil {
            mergedCount += 1
            return
        }
        if isCorrelated(candidate) {
            mergedCount += 1
            correlated.insert(candidate.fact.key)
            return record(candidate.fact.key, candidate)
        }
        // The item's own lists have told it, or will: nothing of it is kept that could silence them.
        if candidate.suppression == .covered {
            suppressed[.covered, default: []].append(candidate.fact.key)
            return
        }
        if candidate.suppression == nil, let mention = candidate.mention { record(mention, candidate) }
        tell(candidate)
    }

    /// Whether another source has told of it.
    private mutating func isCorrelated(_ candidate: Candidate) -> Bool {
        guard let report = candidate.report else { return false }
        // That somebody reviewed is left out beside their comments, and leaves out nothing.
        guard candidate.suppression == .covered || report.key.kind == .reviewed else {
            return !correlator.take(report, at: candidate.fact.occurredAt)
        }
        return correlator.match(report, at: candidate.fact.occurredAt)
    }

    /// A to-do that a note caused.
    private mutating func takeNoteTodo(_ candidate: Candidate, notified: (FactKey) throws -> WallTime?) rethrows {
        guard let mention = candidate.mention else { return }
        let noteTime = try time(of: candidate.fact.key, notified)
        let isMentionNotified = try time(of: mention, notified) != nil
        if candidate.suppression == nil { record(mention, candidate) }
        if isMentionNotified {
            mergedCount += 1
        } else if let index = facts.firstIndex(where: { $0.key == candidate.fact.key }) {
            // The note is told by this very notification; the to-do knows better what it means to the person.
            facts[index].action = candidate.fact.action
            mergedCount += 1
        } else if let noteTime {
            // The note named nobody when it was read, or the mention would have been told with it.
            let isEdit = candidate.isNamed || noteTime.duration(to: candidate.fact.occurredAt) > Self.editMargin
            guard isEdit else {
                mergedCount += 1
                if candidate.suppression == nil { lateMentions.append(candidate.fact) }
                return
            }
            var added = candidate
            added.fact.key = mention
            tell(added)
        } else {
            tell(candidate)
        }
    }

    private mutating func tell(_ candidate: Candidate) {
        record(candidate.fact.key, candidate)
        if let suppression = candidate.suppression {
            suppressed[suppression, default: []].append(candidate.fact.key)
        } else {
            facts.append(candidate.fact)
            if let review = candidate.review { correlator.remember(review, at: candidate.fact.occurredAt) }
        }
    }

    private mutating func record(_ key: FactKey, _ candidate: Candidate) {
        guard recorded.updateValue(candidate.fact.occurredAt, forKey: key) == nil else { return }
        records.append(Record(key: key, occurredAt: candidate.fact.occurredAt))
    }

    private func time(of key: FactKey, _ notified: (FactKey) throws -> WallTime?) rethrows -> WallTime? {
        if let time = recorded[key] { return time }
        return try notified(key)
    }
}
