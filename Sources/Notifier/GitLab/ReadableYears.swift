import Platform

/// Which times of others are taken for times: with what lies beyond, nobody can reckon. Our clock counts nanoseconds, 292 years of them, and
/// the age of what GitLab shows is counted by it.
enum ReadableYears {
    /// From 1970 to 2199, in UTC.
    static let span = WallTime(secondsSinceEpoch: 0)..<WallTime(secondsSinceEpoch: 7_258_118_400)
}
