import Platform
import Synchronization

/// ``AddressBuckets`` for many requests at once.
final class AddressLimiter: Sendable {
    private let buckets: Mutex<AddressBuckets>

    init(_ buckets: AddressBuckets) {
        self.buckets = Mutex(buckets)
    }

    /// Takes a token of that address; when there is none, how long until there is one.
    func take(_ address: String, at now: MonotonicInstant) -> Duration? {
        buckets.withLock { $0.take(address, at: now) }
    }

    /// Puts the token that was taken last back.
    func giveBack(_ address: String) {
        buckets.withLock { $0.giveBack(address) }
    }
}
