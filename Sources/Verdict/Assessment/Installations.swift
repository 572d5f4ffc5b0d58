import Platform
import Scenarios

/// Tells apart the things that bear one device's name one after the other: the old phone and the new one.
///
/// News that the old one showed is shown again by the new one when the notifier could not know better: no answer of APNs had told it
/// that the old one's push was taken. Nobody's news may be lost with a phone, so that such a push is right, and no repetition.
/// What the notifier knew to be taken before the new one came, it must not send there.
struct Installations {
    /// When the name went over to another thing, rising.
    private var replacements: [OwnedDevice: [Duration]] = [:]
    /// When the first answer that a push was taken had arrived, by apns-id in lower case.
    private var takenAt: [String: Duration] = [:]

    init(_ record: RunRecord) {
        for replacement in record.deviceReplacements {
            let name = OwnedDevice(person: replacement.person, device: replacement.device)
            replacements[name, default: []].append(replacement.at)
        }
        guard !replacements.isEmpty else { return }
        for push in record.pushes where push.status == 200 && !push.answerLost {
            let instant = push.answeredAt ?? push.at
            let id = push.apnsID.lowercased()
            takenAt[id] = min(takenAt[id] ?? instant, instant)
        }
    }

    /// Whether showing on `later` what `earlier`, a push with that apns-id, had brought to the device of that name repeats it.
    func isRepetition(
        _ apnsID: String,
        on earlier: Int,
        then later: Int,
        of device: DeviceName,
        _ person: Username
    ) -> Bool {
        guard earlier != later else { return true }
        // To the thing that was replaced: nobody sees that, and only APNs can tell the notifier, which it does late.
        guard earlier < later, let taken = takenAt[apnsID.lowercased()],
            let came = replacements[OwnedDevice(person: person, device: device)], later <= came.count
        else { return false }
        return taken < came[later - 1]
    }
}
