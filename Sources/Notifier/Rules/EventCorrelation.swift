import Platform

/// What a row tells in words that every source of it shares. Sources that number their rows apart from one another (a state
/// event and its event of the feed, a system note and a to-do) are known by this to tell of one event.
struct EventKey: Hashable, Sendable {
    /// What happened, as far as two sources may tell of it. Stored: codes never change meaning.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case closed, reopened, merged, approved, pushed, assigned
        /// Comments of a review, of which its to-do says nothing else.
        case reviewed
        case reviewRequested = "review_requested"
        case pipelineFailed = "pipeline_failed"

        /// How far apart two sources' times of one event may lie. Closing writes both rows in one go; what background jobs
        /// write (GitLab facts §7.1, §12.1) may be late. A note and a to-do item of who has to do something now are written one after the other by
        /// whatever writes them; who is asked again a minute later has to hear of it.
        var tolerance: Duration {
            switch self {
            case .assigned, .reviewRequested: .seconds(15)
            case .closed, .reopened, .merged, .reviewed: .minutes(1)
            case .approved, .pushed, .pipelineFailed: .minutes(5)
            }
        }

        /// Whether a source may tell of it long before it is over: the to-do item comes with the first job that fails, and the others of the
        /// pipeline go on (GitLab facts §6.1).
        var mayBeToldEarly: Bool { self == .pipelineFailed }
    }

    var item: ItemReference
    var kind: Kind
    /// Who did it; 0 where the sources name different people.
    var actor: Int64
}

/// Where a report comes from. Two rows of one source are two events, of different sources perhaps one.
enum EventSource: Int64, Hashable, Sendable, CaseIterable {
    /// The item's own lists: system notes, resource events, pipelines.
    case item = 1
    /// The project's activity feed.
    case feed = 2
    case todo = 4
    /// The approvals of a merge request.
    case approvals = 8
}

/// One source's word for an event.
struct EventReport: Hashable, Sendable {
    var key: EventKey
    var source: EventSource
    /// The earliest time at which it can have happened, for a source that does not know exactly.
    var since: WallTime?
}

/// An event that was dealt with, and who has told of it.
struct CorrelatedEvent: Hashable, Sendable {
    /// Nil until it is stored.
    var id: Int64?
    var key: EventKey
    /// The earliest and latest time at which it can have happened.
    var since: WallTime
    var occurredAt: WallTime
    /// Sum of the sources' raw values.
    var sources: Int64
}

/// Decides whether a row tells of something another source has told already. Each row of one source is matched with at
/// most one row of another, the nearest in time, so that closing, reopening and closing again stays three.
struct EventCorrelator: Sendable {
    /// All that is known, with what this reading added.
    private(set) var known: [CorrelatedEvent]
    /// Positions in `known` that the store must learn of.
    private(set) var changed: [Int] = []
    /// Rows of this reading that are yet to be taken.
    private var awaited: [EventPairing.Row] = []

    init(known: [CorrelatedEvent] = []) {
        self.known = known
    }

    /// Learns which rows are yet to be taken, so that none is matched with what another of its source lies nearer to.
    mutating func prepare(for rows: [EventPairing.Row]) { awaited = rows }

    /// Takes a row's word; true when it is the first to tell of it.
    mutating func take(_ report: EventReport, at occurredAt: WallTime) -> Bool {
        if match(report, at: occurredAt) { return false }
        add(report, at: occurredAt)
        return true
    }

    /// Remembers that such a thing was told about that time, once for however many rows tell of it.
    mutating func remember(_ report: EventReport, at occurredAt: WallTime) {
        let since = Self.since(report, occurredAt)
        let isKnown = known.contains { entry in
            entry.key == report.key && Self.distance(since, occurredAt, entry) <= report.key.kind.tolerance
        }
        if !isKnown { add(report, at: occurredAt) }
    }

    private mutating func add(_ report: EventReport, at occurredAt: WallTime) {
        changed.append(known.count)
        known.append(
            CorrelatedEvent(
                key: report.key,
                since: Self.since(report, occurredAt),
                occurredAt: occurredAt,
                sources: report.source.rawValue
            )
        )
    }

    /// Takes a row's word if another source has told of it; false when none has, and then nothing is known of it afterwards either.
    mutating func match(_ report: EventReport, at occurredAt: WallTime) -> Bool {
        let row = EventPairing.Row(report: report, occurredAt: occurredAt)
        if let place = awaited.firstIndex(of: row) { awaited.remove(at: place) }
        guard let place = place(of: row) else { return false }
        known[place].sources |= report.source.rawValue
        if !changed.contains(place) { changed.append(place) }
        return true
    }

    /// What a row tells of: the nearest, unless others are to come that lie nearer.
    private func place(of row: EventPairing.Row) -> Int? {
        let (key, source) = (row.report.key, row.report.source)
        let tolerance = key.kind.tolerance
        let rows = [row] + awaited.filter { $0.report.key == key && $0.report.source == source }
        var best: (place: Int, distance: Duration)?
        var near: [(place: Int, occurredAt: WallTime)] = []
        for (place, entry) in known.enumerated() where entry.key == key {
            guard entry.sources & source.rawValue == 0 else { continue }
            if rows.contains(where: { Self.distance($0, entry) <= tolerance }) {
                near.append((place: place, occurredAt: entry.occurredAt))
            }
            let distance = Self.distance(row, entry)
            guard distance <= tolerance else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (place, distance) }
        }
        guard rows.count > 1, best != nil else { return best?.place }
        return EventPairing.place(ofFirst: rows, among: near, tolerance: tolerance) { Self.distance($0, known[$1]) }
    }

    private static func distance(_ row: EventPairing.Row, _ entry: CorrelatedEvent) -> Duration {
        distance(since(row.report, row.occurredAt), row.occurredAt, entry)
    }

    private static func since(_ report: EventReport, _ occurredAt: WallTime) -> WallTime {
        min(report.since ?? occurredAt, occurredAt)
    }

    /// How far apart two spans of time lie; nothing when they overlap. A span of some length ends when it was read, and what is known
    /// by then lies before: a time behind it is of a clock that was ahead and has been set back.
    private static func distance(_ since: WallTime, _ until: WallTime, _ entry: CorrelatedEvent) -> Duration {
        guard !entry.key.kind.mayBeToldEarly else { return distanceOfEnds(since, until, entry) }
        let isReading = since < until
        let ahead = isReading ? .zero : until.duration(to: entry.since)
        return max(.zero, max(entry.occurredAt.duration(to: since), ahead))
    }

    /// How far apart two ends lie, and no farther than may be where one of them lies within the other's span. So what ended next to what
    /// another source tells is taken for that.
    private static func distanceOfEnds(_ since: WallTime, _ until: WallTime, _ entry: CorrelatedEvent) -> Duration {
        let apart = max(entry.occurredAt.duration(to: until), until.duration(to: entry.occurredAt))
        let isBefore = since < entry.occurredAt && entry.occurredAt <= until
        let isBehind = entry.since < until && until <= entry.occurredAt
        return isBefore || isBehind ? min(apart, entry.key.kind.tolerance) : apart
    }
}
