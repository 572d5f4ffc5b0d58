import Platform

/// What a row tells in words that every source of it shares. Sources that number their rows apart from one another (a state
/// event and its event of the feed, a system note and a to-do) are known by this to tell of one happening.
struct Happening: Hashable, Sendable {
    /// What happened, as far as two sources may tell of it. Stored: codes never change meaning.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case closed, reopened, merged, approved, pushed, assigned
        case reviewRequested = "review_requested"
        case pipelineFailed = "pipeline_failed"

        /// How far apart two sources' times of one happening may lie. Closing writes both rows in one go; what background jobs
        /// write (GitLab facts §7.1, §12.1) may be late.
        var tolerance: Duration {
            switch self {
            case .closed, .reopened, .merged: .minutes(1)
            case .approved, .pushed, .assigned, .reviewRequested, .pipelineFailed: .minutes(5)
            }
        }
    }

    var item: ItemReference
    var kind: Kind
    /// Who did it; 0 where the sources name different people.
    var actor: Int64
}

/// Where a testimony comes from. Two rows of one witness are two happenings, of different witnesses perhaps one.
enum Witness: Int64, Hashable, Sendable, CaseIterable {
    /// The item's own lists: system notes, resource events, pipelines.
    case item = 1
    /// The project's activity feed.
    case feed = 2
    case todo = 4
    /// The approvals of a merge request.
    case approvals = 8
}

/// One source's word for a happening.
struct Testimony: Hashable, Sendable {
    var happening: Happening
    var witness: Witness
    /// The earliest time at which it can have happened, for a witness that does not know exactly.
    var since: WallTime?
}

/// A happening that was dealt with, and who has told of it.
struct WitnessedHappening: Hashable, Sendable {
    /// Nil until it is stored.
    var id: Int64?
    var happening: Happening
    /// The earliest and latest time at which it can have happened.
    var since: WallTime
    var occurredAt: WallTime
    /// Sum of the witnesses' raw values.
    var witnesses: Int64
}

/// Decides whether a row tells of something another source has told already. Each row of one witness is matched with at
/// most one row of another, the nearest in time first, so that closing, reopening and closing again stays three.
struct HappeningLedger: Sendable {
    /// All that is known, with what this reading added.
    private(set) var known: [WitnessedHappening]
    /// Positions in `known` that the store must learn of.
    private(set) var changed: [Int] = []

    init(known: [WitnessedHappening] = []) {
        self.known = known
    }

    /// Takes a row's word; true when it is the first to tell of it.
    mutating func take(_ testimony: Testimony, at occurredAt: WallTime) -> Bool {
        let since = min(testimony.since ?? occurredAt, occurredAt)
        var best: (place: Int, distance: Duration)?
        for (place, entry) in known.enumerated() where entry.happening == testimony.happening {
            guard entry.witnesses & testimony.witness.rawValue == 0 else { continue }
            let distance = Self.distance(since, occurredAt, entry)
            guard distance <= testimony.happening.kind.tolerance else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (place, distance) }
        }
        guard let best else {
            changed.append(known.count)
            known.append(
                WitnessedHappening(
                    happening: testimony.happening,
                    since: since,
                    occurredAt: occurredAt,
                    witnesses: testimony.witness.rawValue
                )
            )
            return true
        }
        known[best.place].witnesses |= testimony.witness.rawValue
        if !changed.contains(best.place) { changed.append(best.place) }
        return false
    }

    /// How far apart two spans of time lie; nothing when they overlap. A span of some length ends when it was read, and what is known
    /// by then lies before: a time behind it is of a clock that was ahead and has been set back.
    private static func distance(_ since: WallTime, _ until: WallTime, _ entry: WitnessedHappening) -> Duration {
        let isReading = since < until
        let ahead = isReading ? .zero : until.duration(to: entry.since)
        return max(.zero, max(entry.occurredAt.duration(to: since), ahead))
    }
}
