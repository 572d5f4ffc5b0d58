import Platform

/// Reads are answered from a replica that lags behind, drawn for each request (GitLab facts §16).
struct ReplicaLag: Sendable {
    let faultID: String
    let lag: QuantileTable
    let from: WallTime
    let until: WallTime
}

extension InstanceState {
    /// How far the state that this reader is shown lies back; nil for the primary's, to which writers stick for a while.
    mutating func drawLag(for person: Int, at now: WallTime) -> Duration? {
        guard let lag, lag.from <= now, now < lag.until else { return nil }
        guard
            people[person].lastWrite.microseconds == .min
                || people[person].lastWrite.duration(to: now) >= configuration.primaryStickiness
        else { return nil }
        return min(lag.lag.draw(from: &lagRandom), Row<Int>.replicaHorizon)
    }
}
