/// What seeds of one side alone prove, with nothing on the other side that their worlds cancel out against (statistics §5).
///
/// It is about more than half of all seeds like these and no more: that one in ten is much slower shows in no seed of ten every third
/// time, and no method bounds what was not seen. Nothing is assumed of how seeds spread, so that it holds with few of them.
enum SeedMajority {
    /// Whether chance, at most at that risk, would let so many of the seeds keep a bound that no more than half of all keep.
    static func isProven(keeping: Int, of seeds: Int, risk: Double) -> Bool {
        SignTest.oneSided(more: keeping, fewer: seeds - keeping) <= risk
    }
}
