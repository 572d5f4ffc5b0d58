import Platform
import Synchronization

/// ``AddressBuckets`` for many requests at once.
final class AddressLimiter: Sendable {
    private let buckets: Mutex<AddressBuckets>

    init(_ buckets: AddressBuckets) {
        self.buckets = Mutex(buckets)
    }

    /// Takes a token of that address, or the `divisor`th part of one; when there is none, how long until there is.
    func take(_ address: String, dividedBy divisor: Int = 1, at now: MonotonicInstant) -> Duration? {
        buckets.withLock { $0.take(address, dividedBy: divisor, at: now) }
    }

    /// Puts the token that was taken last back.
    func giveBack(_ address: String) {
        buckets.withLock { $0.giveBack(address) }
    }
}
