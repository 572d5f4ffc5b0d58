import Platform

extension FaultForm {
    /// What strikes people's devices: there the app keeps what its person chose and the server has not heard of.
    static let devices = [
        FaultForm(
            .devicePowerLoss,
            .device,
            .device,
            "A device's battery dies; the device is off until it is charged.",
            .owner,
            .device,
            .integer(
                "occurrence",
                0...1_000_000,
                standard: 0,
                "At the nth write or sync of its disk after the entry's instant, so in the middle of a choice; at once by default."
            ),
            .choice("keeps", standard: .torn, "What the disk keeps of writes before their sync; torn by default."),
            length: .offFor,
            check: checkDevice,
            effect: { .devicePowerLoss(OwnedDevice(person: $0, device: $1), occurrence: $2, keeps: $3) },
            values: {
                if case .devicePowerLoss(let device, let number, let keeps) = $0 {
                    (device.person, device.device, number, keeps)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .deviceDiskFull,
            .device,
            .device,
            "The app on a device can write nothing: its disk is full.",
            .owner,
            .device,
            check: checkDevice,
            effect: { .deviceDiskFull(OwnedDevice(person: $0, device: $1)) },
            values: { if case .deviceDiskFull(let device) = $0 { (device.person, device.device) } else { nil } }
        ),
        FaultForm(
            .deviceDiskError,
            .device,
            .device,
            "A device's disk fails to do what the app's database asks.",
            .owner,
            .device,
            .choice("operation", "What fails."),
            .ratio,
            check: checkDevice,
            effect: { .deviceDiskError(OwnedDevice(person: $0, device: $1), $2, ratio: $3) },
            values: {
                if case .deviceDiskError(let device, let operation, let ratio) = $0 {
                    (device.person, device.device, operation, ratio)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .deviceBlockDamage,
            .device,
            .device,
            "The app on a device ends, and a block of what it keeps is spoilt.",
            .owner,
            .device,
            length: .none,
            check: checkDevice,
            effect: { .deviceBlockDamage(OwnedDevice(person: $0, device: $1)) },
            values: { if case .deviceBlockDamage(let device) = $0 { (device.person, device.device) } else { nil } }
        ),
        FaultForm(
            .deviceTokenExpired,
            .device,
            .device,
            "APNs takes the app's token on a device for expired; the app gets another when it is opened.",
            .owner,
            .device,
            length: .none,
            check: checkDevice,
            effect: { .deviceTokenExpired(OwnedDevice(person: $0, device: $1)) },
            values: { if case .deviceTokenExpired(let device) = $0 { (device.person, device.device) } else { nil } }
        ),
    ]

    @Sendable
    private static func checkDevice(_ effect: FaultEffect, _ decoder: inout ScenarioDecoder, _ cursor: Cursor) {
        guard let device = effect.device, let place = cursor["person"] else { return }
        _ = decoder.checkNotified(place, device.device, cursor)
    }
}
