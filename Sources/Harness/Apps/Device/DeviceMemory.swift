import FoundationEssentials
import NotifierKit
import Platform

/// What outlives an app on its device beside its disk: the key chain, the handful of values that the kit keeps, and how the device's clock is set. No actor: a process
/// that is killed in the middle of a call must not take the store along. What all devices keep alike lies on the disk (``DeviceStore``).
///
/// Unchecked: simulation thread.
final class DeviceMemory: KeyValueStore, @unchecked Sendable {
    private var secrets: [String: Data] = [:]
    private var values: [String: Data] = [:]
    /// Which process keeps the others out of the key chain.
    private var holder: Int?

    /// How far the device's wall clock is ahead; negative when it is behind. Timers run as ever.
    var clockOffset = Duration.zero

    /// What the kit keeps of what all devices keep alike, as a process of the app kept or read it last.
    private(set) var sync = SyncState()
    /// Called when that has changed: with what was there before.
    var onSync: ((_ old: SyncState) -> Void)?

    /// Whether anybody is signed in, as far as the device knows.
    var isSignedIn: Bool { secrets["credentials"] != nil }

    /// What the app shows at the server; nil when nobody is signed in.
    var accessToken: String? {
        guard let data = secrets["credentials"] else { return nil }
        struct Kept: Decodable { var token: String }
        return try? JSONDecoder().decode(Kept.self, from: data).token
    }

    /// What the kit has kept of the person's notifications; nil before the first time.
    var inbox: NotificationInbox? {
        guard let data = values[NotificationManager.storeKey] else { return nil }
        if let lastRead, lastRead.data == data { return lastRead.inbox }
        let inbox = try? WireCoding.decode(NotificationInbox.self, data)
        lastRead = inbox.map { (data, $0) }
        return inbox
    }
    /// What ``inbox`` has read last, so that it is taken apart once.
    private var lastRead: (data: Data, inbox: NotificationInbox)?

    /// As the protocol says.
    func value(for key: String) throws(KeyValueStoreError) -> Data? { values[key] }

    /// As the protocol says.
    func update<Result: Sendable>(
        _ key: String,
        _ change: @Sendable (inout Data?) -> Result
    ) throws(KeyValueStoreError) -> Result {
        change(&values[key])
    }

    /// Nothing of it is kept any more.
    func forgetSync() { sync = SyncState() }

    /// That is kept from now on.
    func keep(_ state: SyncState) {
        let old = sync
        sync = state
        if sync != old { onSync?(old) }
    }

    /// The process of that number has died: the system opens what it had locked.
    func ended(_ process: Int) {
        if holder == process { holder = nil }
    }

    /// The key chain as one process of the app sees it.
    struct Keys: KeyStore {
        let memory: DeviceMemory
        /// A number of its own on this device.
        let process: Int
        let time: any TimeSource

        func read(_ key: String) throws(KeyStoreError) -> Data? { memory.secrets[key] }

        func write(_ value: Data, for key: String) throws(KeyStoreError) { memory.secrets[key] = value }

        func delete(_ key: String) throws(KeyStoreError) { memory.secrets[key] = nil }

        func exclusively<Result: Sendable>(
            _ body: @Sendable () async -> Result
        ) async throws(KeyStoreError) -> Result {
            while memory.holder != nil {
                do { try await time.sleep(for: .milliseconds(200)) } catch { throw .unavailable("cancelled") }
            }
            memory.holder = process
            defer { memory.ended(process) }
            return await body()
        }
    }
}

/// A device's clock, which may be off, and a simulated node's chance, as the kit asks for them.
struct DeviceClock: KitClock, ChanceSource {
    let memory: DeviceMemory
    let time: any TimeSource
    let entropy: any EntropySource

    var now: Date { time.wallNow.advanced(by: memory.clockOffset).date }

    func sleep(for duration: Duration) async throws { try await time.sleep(for: duration) }

    func next() -> Double { Double(entropy.nextUInt64() >> 11) / Double(1 << 53) }
}

extension WallTime {
    /// The same instant, as the kit has it.
    var date: Date { .init(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

    /// The same instant, to the microsecond.
    init(_ date: Date) {
        self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }
}
