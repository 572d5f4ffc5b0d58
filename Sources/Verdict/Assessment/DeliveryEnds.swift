import Platform
import Scenarios

/// Which of the ends that the notifier's log tells of are believed. What the notifier says of itself excuses nothing for which the record has no
/// reason; where the record cannot tell, it is believed.
struct DeliveryEnds {
    /// Between the making of a notification and the entry of the log that tells of it a disk may be slow.
    private static let makingGrace = Duration.minutes(10)
    /// So long a pause there is between two attempts: an hour by default, twice that in a drawn world, and a fifth more.
    private static let longestPause = Duration.hours(3)
    /// Between a choice at the server and its answer to an app some time passes, and clocks of services differ.
    private static let tolerance = Duration.seconds(30)

    private let record: RunRecord
    private let observations: Observations
    private let fates: DeviceFates
    /// What was made, by its id.
    private let made: [String: NotifierLog.Enqueue]
    private var deliveries: Set<String> = []
    /// Where deliveries of a notification ended; nil stands for a device that cannot be told.
    private var places: [String: Set<OwnedDevice?>] = [:]

    init(_ record: RunRecord, truth: GroundTruth, log: NotifierLog, observations: Observations) {
        (self.record, self.observations, fates) = (record, observations, DeviceFates(record))
        guard !log.ends.isEmpty else {
            made = [:]
            return
        }
        made = Dictionary(log.enqueues.map { ($0.notificationID, $0) }) { first, _ in first }
        let readers = log.ends.contains { $0.kind == .moot } ? Readers(record, truth, observations) : nil
        let names = deviceNames()
        for end in log.ends where isBelieved(end, readers) {
            if let id = end.deliveryID { deliveries.insert(id) }
            guard let notification = end.notificationID else { continue }
            places[notification, default: []].insert(place(of: end, names))
        }
    }

    /// Whether the delivery with that apns-id, in lower case, has ended.
    func hasEnded(delivery: String) -> Bool { deliveries.contains(delivery) }

    /// Whether a delivery of the notification has ended on any device.
    func hasEnded(_ notification: String) -> Bool { places[notification] != nil }

    /// Whether the delivery of the notification to that device has ended.
    func hasEnded(_ notification: String, on device: DeviceName, of person: Username) -> Bool {
        guard let ended = places[notification] else { return false }
        return ended.contains(nil) || ended.contains(OwnedDevice(person: person, device: device))
    }

    // MARK: whose they are

    /// Where a delivery ended, as its own pushes tell, or those of others to the same device. What was somebody else's device meanwhile is
    /// unclear.
    private func place(of end: NotifierLog.End, _ names: [Int64: OwnedDevice]) -> OwnedDevice? {
        if let id = end.deliveryID, let own = name(id) { return own }
        guard let number = end.deviceNumber, let known = names[number] else { return nil }
        let owner = end.notificationID.flatMap { made[$0]?.person }
        return owner == nil || owner == known.person ? known : nil
    }

    /// Whose device a delivery went to, as its pushes tell.
    private func name(_ delivery: String) -> OwnedDevice? {
        guard let first = observations.attempts[delivery]?.first else { return nil }
        return name(of: record.pushes[first])
    }

    private func name(of push: PushRecord) -> OwnedDevice? {
        guard let person = push.person, let device = push.device else { return nil }
        return OwnedDevice(person: person, device: device)
    }

    /// Which devices stand behind the notifier's numbers, as pushes prove. A number that stood for two stands for none, and with a backup
    /// numbers are given again.
    private func deviceNames() -> [Int64: OwnedDevice] {
        guard !record.faults.contains(where: { $0.kind == .restoreBackup }) else { return [:] }
        var names: [Int64: OwnedDevice] = [:]
        var doubtful: Set<Int64> = []
        for entry in record.log where entry.message.hasPrefix(NotifierLog.deliveryPrefix) {
            guard let number = entry.number(.deviceID), let id = entry.identifier(.apnsID),
                let found = name(id.lowercased())
            else { continue }
            if let known = names[number], known != found { doubtful.insert(number) }
            names[number] = found
        }
        return names.filter { !doubtful.contains($0.key) }
    }

    // MARK: whether they are believed

    private func isBelieved(_ end: NotifierLog.End, _ readers: Readers?) -> Bool {
        switch end.kind {
        case .other: true
        case .dead: isGivenUp(end)
        case .expired: isOld(end)
        case .moot: !isNeeded(end, readers)
        }
    }

    /// Whether APNs had called the push or its device wrong, or the device was lost. What the log does not assign may be any.
    private func isGivenUp(_ end: NotifierLog.End) -> Bool {
        guard let id = end.deliveryID, let attempts = observations.attempts[id] else { return end.deliveryID == nil }
        let pushes = attempts.map { record.pushes[$0] }
        return pushes.contains { push in
            push.isFinal || name(of: push).map { fates.wasLost($0.device, of: $0.person, answeredAt: push.at) } ?? true
        }
    }

    /// Whether it was of no use any more, or about to be when something that was refused would have been tried again. By a clock that is set it
    /// is so at another time, and on a disk that fails it is made long before the log tells of it.
    private func isOld(_ end: NotifierLog.End) -> Bool {
        guard let id = end.notificationID, let made = made[id],
            !record.faults.contains(where: { $0.kind.place == .clock || $0.kind.keepsFromStoring })
        else { return true }
        let wasTried = end.deliveryID.map { observations.attempts[$0] != nil } ?? false
        let grace = Self.makingGrace + (end.isAhead && wasTried ? Self.longestPause : .zero)
        return end.at >= made.at + record.resolved.scenario.notifier.expiration - grace
    }

    /// Whether nobody can have read the news until then. Reminders, and what programs and duties say, are needless for reasons of their own.
    private func isNeeded(_ end: NotifierLog.End, _ readers: Readers?) -> Bool {
        guard let id = end.notificationID, let made = made[id], let person = made.person, let readers
        else { return false }
        return readers.hasRead(made, by: person, until: end.at + Self.tolerance) == false
    }

    /// Who may have read what.
    private struct Readers {
        private let contents: [String: PushContent]
        private let observations: Observations
        private let readings: Readings
        /// People of whose choices the record does not know all.
        private let doubtful: Set<Username>
        private let keepsAll: Bool

        init(_ record: RunRecord, _ truth: GroundTruth, _ observations: Observations) {
            contents = UnreadJudge.contents(of: record, observations)
            self.observations = observations
            readings = Readings(record, truth)
            doubtful = Set(record.unansweredChoices.map(\.person) + record.refusedChoices.map(\.person))
            keepsAll = Readings.keepsAll(record)
        }

        /// Whether the person may have read it by then; nil where the record cannot tell.
        func hasRead(_ made: NotifierLog.Enqueue, by person: Username, until instant: Duration) -> Bool? {
            let isOfDuty = made.factKeys.contains { DutyNote.isAbout($0) || $0.hasPrefix("due/") }
            guard keepsAll, !isOfDuty, !doubtful.contains(person),
                made.factKeys.allSatisfy({ observations.isAllowed($0, for: person) })
            else { return nil }
            // A push names as many of its facts as there is room for.
            let id = made.notificationID
            var content =
                contents[id] ?? PushContent(notificationID: id, type: nil, factKeys: [], isTruncated: false, title: "")
            content.factKeys = made.factKeys
            guard content.isCounted else { return nil }
            let (possible, _) = readings.span(of: content, madeAt: made.at, by: person)
            return possible.map { $0 <= instant } ?? false
        }
    }
}

extension PushRecord {
    /// Whether the answer says that nothing more will come of this push: taken, or refused for good (APNs facts §6). What APNs says of the
    /// provider's key, or of the settings, is none of the push's; a reason that is not documented has the meaning of its status.
    var isFinal: Bool {
        if let why = APNsReason(rawValue: reason) { return why.isFinal }
        return (200..<429).contains(status) && status != 403
    }
}
