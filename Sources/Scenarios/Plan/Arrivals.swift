import Platform

/// When the occurrences of one entry take place.
struct Arrivals {
    var scenario: Scenario

    /// Offsets in milliseconds, rising; nil when there are more than `limit`.
    func offsets(of occurrence: Occurrence, random: inout RandomStream, limit: Int) -> [Int64]? {
        let offsets = draw(occurrence, random: &random, limit: limit)
        return offsets.count <= limit ? offsets : nil
    }

    /// Stops one beyond the limit.
    private func draw(_ occurrence: Occurrence, random: inout RandomStream, limit: Int) -> [Int64] {
        switch occurrence {
        case .at(let offset):
            return [offset.wholeMilliseconds]
        case .once(let span):
            let (from, until) = (span.from.wholeMilliseconds, span.until.wholeMilliseconds)
            return [from + Int64(random.next(below: UInt64(max(1, until - from))))]
        case .every(let interval, let span, let hours):
            var offset = span.from.wholeMilliseconds - interval.wholeMilliseconds
            return collect(until: span, hours, limit) {
                offset += interval.wholeMilliseconds
                return offset
            }
        case .rate(let rate, let span, let hours):
            var offset = span.from.wholeMilliseconds
            return collect(until: span, hours, limit) {
                offset += ExponentialTable.wait(rate, from: &random)
                return offset
            }
        }
    }

    /// The offsets `next` gives, in rising order, that lie before the end of the span and within the hours.
    private func collect(
        until span: TimeSpan,
        _ hours: WorkingHours,
        _ limit: Int,
        next: () -> Int64
    ) -> [Int64] {
        var offsets: [Int64] = []
        let end = span.until.wholeMilliseconds
        var offset = next()
        while offset < end && offsets.count <= limit {
            if isInside(hours, offset) { offsets.append(offset) }
            offset = next()
        }
        return offsets
    }

    private func isInside(_ hours: WorkingHours, _ offset: Int64) -> Bool {
        if hours == .always { return true }
        let zone = Int(scenario.world.gitlab.timeZoneOffset.components.seconds)
        return hours.contains(CivilDate(scenario.start.advanced(by: .milliseconds(offset)), offsetSeconds: zone))
    }
}
