import Configuration
import Platform

@testable import Notifier

/// What puts news into the outbox and notes who waits, to remind as shipped.
func makeReminderPipeline(
    _ outbox: Outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24)),
    seed: UInt64 = 2
) -> NotificationPipeline {
    NotificationPipeline(
        outbox: outbox,
        zones: FixedZones(),
        asks: AskSource(entropy: SeededEntropy(seed: seed), policy: ReminderPolicy(NotifierConfiguration()))
    )
}

/// A person with a phone in a store of their own, and what is told of those who wait for them.
func makeAskedPerson(
    _ outbox: Outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24))
) throws -> (store: Store, account: AccountID, device: DeviceID, pipeline: NotificationPipeline) {
    let store = try makeDeliveryStore()
    let account = try store.makeAccount()
    return (store, account, try store.makeDevice(of: account), makeReminderPipeline(outbox))
}
