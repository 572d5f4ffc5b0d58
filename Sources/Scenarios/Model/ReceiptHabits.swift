/// How devices tell the notifier what became of a push: best effort, as an app's notification service extension does.
package struct ReceiptHabits: Sendable, Equatable {
    /// The share of shown notifications that a device reports as delivered.
    package var delivered: Ratio = .zero
    /// The share of those reported that the person opens within ten minutes.
    package var opened: Ratio = .zero
}
