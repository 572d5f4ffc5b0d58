import Platform

/// The bounds of reading one list, over all its pages (for their number see ``ScanLimits``). A list that goes beyond is not read:
/// nothing that was found moves any state, and what else the account has is read all the same.
struct ListBounds: Hashable, Sendable {
    /// What a large page costs in requests: the larger the answers, the fewer an account may have in an hour.
    static let bytesPerRequest = 256 * 1_024

    /// From the first request to the last answer: twice what four hundred pages take a GitLab that is slow.
    var duration: Duration = .minutes(5)
    /// Bytes of all answers: ten thousand to-dos on items with long descriptions.
    var bytes = 64 * 1_024 * 1_024
    /// New rows that may be remembered, over all lists of the account.
    var newRows = Int.max
}
