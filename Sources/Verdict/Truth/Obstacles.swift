import Platform

/// Spans of time that belong to somebody, cut so that no two overlap; where several do, the earlier owner in the given
/// order has it. All instants are nanoseconds since the start.
struct Obstacles {
    struct Segment: Equatable {
        var from: Int64
        var until: Int64
        var owner: LatencyOwner
    }

    /// No story lasts as long.
    private static let longest = Duration.days(36_500)

    /// Whether an instant that ``clear(from:ignoring:)`` gave never comes, as what stands in the way does not end.
    static func isNever(_ instant: Int64) -> Bool { instant >= longest.wholeNanoseconds }

    /// Sorted, without overlaps, none empty.
    private(set) var segments: [Segment] = []

    init(_ spans: [(owner: LatencyOwner, span: Span)], priority: [LatencyOwner]) {
        var edges: [(at: Int64, change: Int, owner: Int)] = []
        for (owner, span) in spans where span.from < span.until {
            guard let rank = priority.firstIndex(of: owner) else { continue }
            edges.append((span.from.wholeNanoseconds, 1, rank))
            // What never ends lies beyond what nanoseconds can count.
            edges.append((min(span.until, Self.longest).wholeNanoseconds, -1, rank))
        }
        edges.sort { ($0.at, $0.owner, $0.change) < ($1.at, $1.owner, $1.change) }
        var active = [Int](repeating: 0, count: priority.count)
        var previous: Int64 = 0
        for edge in edges {
            if edge.at > previous, let rank = active.firstIndex(where: { $0 > 0 }) {
                append(Segment(from: previous, until: edge.at, owner: priority[rank]))
            }
            active[edge.owner] += edge.change
            previous = edge.at
        }
    }

    private mutating func append(_ segment: Segment) {
        if let last = segments.last, last.until == segment.from, last.owner == segment.owner {
            segments[segments.count - 1].until = segment.until
        } else {
            segments.append(segment)
        }
    }

    /// The first moment from `instant` on that no owner but `ignored` has.
    func clear(from instant: Int64, ignoring ignored: Set<LatencyOwner> = []) -> Int64 {
        var instant = instant
        for segment in segments[firstIndex(endingAfter: instant)...] {
            guard segment.from <= instant else { break }
            if ignored.contains(segment.owner) { break }
            instant = segment.until
        }
        return instant
    }

    /// When so much time from `instant` on has passed that nobody but `ignored` had.
    func end(ofClear length: Int64, from instant: Int64, ignoring ignored: Set<LatencyOwner> = []) -> Int64 {
        var end = instant + length
        for segment in segments[firstIndex(endingAfter: instant)...] where !ignored.contains(segment.owner) {
            guard segment.from < end else { break }
            end += segment.until - max(segment.from, instant)
        }
        return end
    }

    /// Who has that moment; nil when nobody does.
    func owner(at instant: Int64) -> LatencyOwner? {
        let index = firstIndex(endingAfter: instant)
        guard index < segments.count, segments[index].from <= instant else { return nil }
        return segments[index].owner
    }

    /// Adds the time from `start` to `end` to `split`: what belongs to somebody to its owner, the remainder to `rest`.
    func add(from start: Int64, to end: Int64, rest: LatencyOwner, into split: inout LatencySplit) {
        guard start < end else { return }
        var free = end - start
        for segment in segments[firstIndex(endingAfter: start)...] {
            guard segment.from < end else { break }
            let length = min(segment.until, end) - max(segment.from, start)
            split[segment.owner] += length
            free -= length
        }
        split[rest] += free
    }

    private func firstIndex(endingAfter instant: Int64) -> Int {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].until > instant { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
