import Platform

/// The bounds of reading one list, over all its pages (for their number see ``ScanLimits``). A list that goes beyond is not read:
/// nothing that was found moves any state, and what else the account has is read all the same.
struct ListBounds: Hashable, Sendable {
    /// What a large page costs in requests: the larger the answers, the fewer an account may have in an hour.
    static let bytesPerRequest = 256 * 1_024

    /// How long GitLab may take for all answers: twice what four hundred pages take one that is slow.
    var answering: Duration = .minutes(5)
    /// From the first request to the last answer, with what the account's own budget makes it wait: hardly any page is long, but where rows
    /// are so long that pages are short, a list may take a whole hour's requests.
    var duration: Duration = .hours(1)
    /// Bytes of all answers: ten thousand to-dos on items with long descriptions.
    var bytes = 64 * 1_024 * 1_024
    /// New rows that may be remembered, over all lists of the account.
    var newRows = Int.max
}
