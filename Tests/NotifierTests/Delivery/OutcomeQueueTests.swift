import Configuration
import Testing

@testable import Notifier

struct OutcomeQueueTests {
    @Test func `the first leads, the others join its batch, and the next after it leads in turn`() async {
        var queue = OutcomeQueue()
        let (first, second) = (queue.tryToLead(), queue.tryToLead())
        #expect(first && !second)
        let limit = OutcomeQueue.batchLimit
        let turn = await withUnsafeContinuation { waiter in
            // The same one stands for all: the queue does not resume it.
            for number in 0..<limit + 2 { queue.wait(.init(outcome: makeConcluded(number), waiter: waiter)) }
            let batch = queue.takeBatch()
            #expect(batch.map(\.outcome.delivery.attempts) == Array(0..<limit - 1))
            let next = queue.handOver()
            let rest = queue.takeBatch()
            // The next one that waits stands in nobody's batch: it brings its own outcome.
            #expect(rest.map(\.outcome.delivery.attempts) == [limit, limit + 1])
            let last = queue.handOver()
            #expect(next != nil && last == nil)
            next?.resume(returning: .lead)
        }
        guard case .lead = turn else {
            Issue.record("who is next leads")
            return
        }
        let isFree = queue.tryToLead()
        #expect(isFree, "nobody waits any more")
    }

    /// An outcome that is known by its number of attempts.
    private func makeConcluded(_ number: Int) -> DeliveryService.Concluded {
        DeliveryService.Concluded(
            outcome: .accepted,
            delivery: ClaimedDelivery(
                id: DeliveryID(rawValue: 1),
                device: DeviceID(rawValue: 1),
                account: AccountID(rawValue: 1),
                attempts: number,
                apnsID: "",
                notification: "",
                collapseID: "",
                payload: [],
                deviceToken: SealedDeviceToken(
                    digest: "",
                    sealed: SealedSecret(ciphertext: [], nonce: [], keyVersion: 1)
                ),
                environment: .production,
                expiresAt: deliveryStart,
                claimedAt: deliveryStart
            ),
            ruling: ServiceRuling(isCounted: true, mayHoldDevice: true),
            released: [],
            jitter: 0
        )
    }
}
