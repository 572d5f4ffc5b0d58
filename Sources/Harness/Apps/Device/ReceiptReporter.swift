import FakeAPNs
import Platform
import Scenarios
import Simulation
import Verdict

/// The part of the app that tells the notifier what was shown and opened. It tries a few times and then lets it be: a missing
/// receipt proves nothing, and nothing waits for one.
///
/// Unchecked: simulation thread.
final class ReceiptReporter: @unchecked Sendable {
    private let habits: ReceiptHabits
    private let owners: DeviceOwners
    private let recorder: Recorder
    private var random: RandomStream

    /// A person looks at what was shown after so many seconds.
    private static let lookSeconds: ClosedRange<Int64> = 5...600

    init(_ habits: ReceiptHabits, owners: DeviceOwners, recorder: Recorder, random: RandomStream) {
        self.habits = habits
        self.owners = owners
        self.recorder = recorder
        self.random = random
    }

    /// Something happened on a device; each display takes the same draws, whatever comes of them.
    func observe(_ event: DeviceEvent) {
        guard habits.delivered != .zero, case .displayed = event.kind,
            let person = owners.owner(of: event.device),
            let device = person.devices.first(where: { $0.id == event.device }),
            let content = recorder.content(of: event.push)
        else { return }
        let isReported = random.chance(habits.delivered.numerator, in: habits.delivered.denominator)
        let isOpened = random.chance(habits.opened.numerator, in: habits.opened.denominator)
        let pause = Duration.seconds(random.next(in: Self.lookSeconds))
        guard isReported else { return }
        person.node.start { [self] in
            await report(.delivered, content.notificationID, by: person, on: device)
            guard isOpened else { return }
            do { try await person.node.clock.sleep(for: pause) } catch { return }
            await report(.opened, content.notificationID, by: person, on: device)
        }
    }

    private func report(
        _ kind: ReceiptRecord.Kind,
        _ notificationID: String,
        by person: PersonApp,
        on device: PersonApp.DeviceState
    ) async {
        let isAcknowledged = await device.api.receive(notificationID, kind)
        recorder.record.receipts.append(
            ReceiptRecord(
                at: recorder.now,
                person: person.username,
                device: device.name,
                kind: kind,
                notificationID: notificationID,
                isAcknowledged: isAcknowledged
            )
        )
    }
}
