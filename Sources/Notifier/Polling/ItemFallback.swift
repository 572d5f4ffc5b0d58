/// Decides whether a watched item is also looked for in its project's feed, because its own lists cannot be relied on.
struct ItemFallback: Hashable, Sendable {
    /// How the reading of one of the item's lists ended.
    enum Reading: Hashable, Sendable {
        case read
        /// This GitLab has no such list.
        case unavailable
        /// The list failed while others could be read.
        case failed
        /// Not asked, or it says nothing about the list: the connection broke, the item is gone.
        case unknown
    }

    enum Change: Hashable, Sendable { case none, began, ended }

    /// One failure may be chance; the next reading follows soon.
    static let failuresBeforeFallback = 2

    private var failures = 0
    private(set) var isActive = false

    init() {}

    /// Takes how the readings of the item's lists ended; `isTrusted` is false while GitLab as a whole is in trouble, when a
    /// failure says nothing about the item.
    mutating func take(_ readings: [Reading], isTrusted: Bool) -> Change {
        let before = isActive
        if readings.contains(.unavailable) {
            isActive = true
        } else if readings.contains(.failed) {
            if isTrusted { failures += 1 }
            if failures >= Self.failuresBeforeFallback { isActive = true }
        } else if !readings.isEmpty, readings.allSatisfy({ $0 == .read }) {
            failures = 0
            isActive = false
        }
        return before == isActive ? .none : isActive ? .began : .ended
    }
}
