import Platform

/// The ids of a source that were read and dealt with, and how far down a late row may still turn up.
///
/// New is what is not in here: never what is larger than a mark, since rows become visible out of order (GitLab facts
/// §16, trap 4).
struct SeenIDs: Sendable {
    /// One id and when it was first seen.
    struct Sighting: Hashable, Sendable {
        var id: Int64
        var at: WallTime
    }

    private(set) var ids: IDSet
    /// The largest id that was first seen longer than the overlap ago: below it a late row is not expected any more, and the
    /// slow reconciliation finds it all the same.
    private(set) var floor: Int64?
    /// Ids not yet old enough for the floor, in the order in which they were seen.
    private var recent: [(id: Int64, at: MonotonicInstant)]

    /// Nothing seen yet.
    init() {
        ids = IDSet()
        recent = []
    }

    /// Takes over what is stored. A wall clock may have stepped meanwhile, so an age counts only within the overlap.
    ///
    /// With `bound` every id up to it counts as seen, and below it no late row is expected. What was seen after `completeAt`, where one is given,
    /// may be the newest part of a list of which the rest was not read: however old, it is no floor yet.
    init(
        _ sightings: [Sighting],
        andUpTo bound: Int64? = nil,
        completeAt: WallTime? = nil,
        wallNow: WallTime,
        now: MonotonicInstant,
        overlap: Duration
    ) {
        ids = IDSet(sightings.lazy.map(\.id), andUpTo: bound)
        floor = bound
        recent = []
        for sighting in sightings {
            let age = min(max(sighting.at.duration(to: wallNow), .zero), overlap)
            if age >= overlap, completeAt.map({ sighting.at <= $0 }) ?? true {
                floor = max(floor ?? sighting.id, sighting.id)
            } else {
                recent.append((sighting.id, now.advanced(by: .zero - age)))
            }
        }
        recent.sort { $0.at < $1.at }
    }

    /// Adds ids that have been committed.
    mutating func insert(_ newIDs: [Int64], at now: MonotonicInstant) {
        for id in newIDs where ids.insert(id) {
            recent.append((id, now))
        }
    }

    /// Raises the floor to what has grown older than `overlap`.
    mutating func raiseFloor(at now: MonotonicInstant, overlap: Duration) {
        guard let first = recent.first, first.at.duration(to: now) >= overlap else { return }
        let count = recent.prefix { $0.at.duration(to: now) >= overlap }.count
        let largest = recent.prefix(count).map(\.id).max()
        recent.removeFirst(count)
        if let largest { floor = max(floor ?? largest, largest) }
    }
}
