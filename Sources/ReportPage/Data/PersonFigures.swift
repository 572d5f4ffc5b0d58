/// What became of one person's notifications under all seeds that list them.
struct PersonFigures: Equatable, Sendable {
    var name: String
    var expected = 0
    var missed = 0
    /// Until the person could know, in milliseconds.
    var known = PooledHistogram()
    /// From the ledger, which holds what was abnormal.
    var duplicates = 0
    var unexpected = 0
    var late = 0
}
