import Testing

@testable import Notifier

struct OutcomeQueueTests {
    @Test func `the first leads, the others join its batch, and the next after it leads in turn`() async {
        var queue = OutcomeQueue()
        #expect(queue.handOver() == nil)
        #expect(queue.tryToLead())
        #expect(!queue.tryToLead())
        let limit = OutcomeQueue.batchLimit
        var waiters: [UnsafeContinuation<OutcomeQueue.Turn, Never>] = []
        let turn = await withUnsafeContinuation { waiter in
            // The same one stands for all: the queue does not resume it.
            for number in 0..<limit + 2 { queue.wait(.init(outcome: makeConcluded(number), waiter: waiter)) }
            #expect(queue.takeBatch().map(\.outcome.delivery.attempts) == Array(0..<limit - 1))
            if let next = queue.handOver() { waiters.append(next) }
            #expect(queue.takeBatch().map(\.outcome.delivery.attempts) == [limit, limit + 1])
            #expect(queue.handOver() == nil)
            waiters.first?.resume(returning: .lead)
        }
        guard case .lead = turn else {
            Issue.record("who is next leads")
            return
        }
        #expect(queue.tryToLead(), "nobody waits any more")
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
