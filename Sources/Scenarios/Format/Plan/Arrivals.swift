import Platform

/// When the occurrences of one entry take place.
struct Arrivals {
    var scenario: Scenario

    /// Offsets in milliseconds, rising, at most `limit + 1` of them.
    func offsets(of occurrence: Occurrence, random: inout RandomStream, limit: Int) -> [Int64] {
        switch occurrence {
        case .at(let offset):
            return [offset.wholeMilliseconds]
        case .random(let span):
            let (from, until) = (span.from.wholeMilliseconds, span.until.wholeMilliseconds)
            return [from + Int64(random.next(below: UInt64(max(1, until - from))))]
        case .every(let interval, let span, let hours):
            var offsets: [Int64] = []
            var offset = span.from.wholeMilliseconds
            while offset < span.until.wholeMilliseconds && offsets.count <= limit {
                if isInside(hours, offset) { offsets.append(offset) }
                offset += max(1, interval.wholeMilliseconds)
            }
            return offsets
        case .rate(let rate, let span, let hours):
            var offsets: [Int64] = []
            var offset = span.from.wholeMilliseconds + ExponentialTable.wait(rate, from: &random)
            while offset < span.until.wholeMilliseconds && offsets.count <= limit {
                if isInside(hours, offset) { offsets.append(offset) }
                offset += ExponentialTable.wait(rate, from: &random)
            }
            return offsets
        }
    }

    private func isInside(_ hours: WorkingHours, _ offset: Int64) -> Bool {
        if hours == .always { return true }
        let zone = Int(scenario.world.gitlab.timeZoneOffset.components.seconds)
        return hours.contains(CivilDate(scenario.start.advanced(by: .milliseconds(offset)), offsetSeconds: zone))
    }
}
