import Platform

/// Reads are answered from a replica that lags behind, drawn for each request (GitLab facts §16).
struct ReplicaLag: Sendable {
    let faultID: String
    let lag: QuantileTable
    let from: WallTime
    let until: WallTime
}

extension State {
    /// The instant whose state this reader is shown; writers stick to the primary for a while.
    mutating func readInstant(for person: Int, at now: WallTime) -> WallTime {
        guard let lag, lag.from <= now, now < lag.until else { return now }
        guard
            people[person].lastWrite.microseconds == .min
                || people[person].lastWrite.duration(to: now) >= configuration.primaryStickiness
        else { return now }
        let drawn = min(lag.lag.draw(from: &lagRandom), Row<Int>.replicaHorizon)
        return now.advanced(by: .zero - drawn)
    }
}
