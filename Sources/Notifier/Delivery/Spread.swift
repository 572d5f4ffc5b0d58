import Platform

extension Duration {
    /// The pause made longer or shorter: anything from the first to the second of `percents`, evenly by `draw`, which is one of
    /// 0…999. So those who wait for the same do not come back in step.
    func spread(over percents: ClosedRange<Int64>, by draw: Int64) -> Duration {
        let width = percents.upperBound - percents.lowerBound
        return .microseconds(wholeMicroseconds / (100_000 / width) * (percents.lowerBound * 1_000 / width + draw))
    }
}
