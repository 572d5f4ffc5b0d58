import Platform

/// When a device was off or out of reach: what APNs had taken for it arrived much later. Known only where the app says when it had a push.
struct IncidentAbsence: Equatable {
    /// A push that takes longer was kept by APNs.
    private static let late = Duration.minutes(5)
    /// Of so many a few come soon to any device that is there now and then.
    private static let several = 6
    /// So long before the first push that came late it was off at the most.
    private static let margin = Duration.minutes(1)

    var from: WallTime
    var until: WallTime

    /// - Parameter pushes: of one device and of those that came in its place: when APNs took each, and when the device had it.
    /// - Returns: in order, none within another; none where hardly any of several came soon, since such an app says when it was opened.
    static func all(in pushes: [(sent: WallTime, came: WallTime)]) -> [IncidentAbsence] {
        let soon = pushes.count { $0.sent.duration(to: $0.came) <= late }
        guard pushes.count < Self.several || soon * 4 >= pushes.count else { return [] }
        var absences: [IncidentAbsence] = []
        var lastArrival: WallTime?
        for push in pushes.sorted(by: { $0.sent < $1.sent }) {
            if push.sent.duration(to: push.came) <= late {
                lastArrival = push.came
            } else if let last = absences.last, push.sent < last.until {
                absences[absences.count - 1].until = min(last.until, push.came)
            } else {
                let from = push.sent.advanced(by: .zero - before(push.sent, since: lastArrival))
                absences.append(IncidentAbsence(from: max(from, absences.last?.until ?? from), until: push.came))
            }
        }
        return absences
    }

    /// Half way from what had arrived last.
    private static func before(_ sent: WallTime, since arrival: WallTime?) -> Duration {
        guard let arrival, arrival < sent else { return arrival == nil ? margin : .zero }
        return min(margin, .microseconds(arrival.duration(to: sent).wholeMicroseconds / 2))
    }
}

/// The pushes of a bundle that devices say to have had.
struct IncidentPushes {
    private let pushes: [Int64: [(sent: WallTime, came: WallTime)]]

    init(_ bundle: IncidentBundle) {
        let arrivals = Dictionary(
            bundle.receipts.map { ([$0.device, $0.notification], $0.deliveredAt) },
            uniquingKeysWith: { first, _ in first }
        )
        var pushes: [Int64: [(sent: WallTime, came: WallTime)]] = [:]
        for delivery in bundle.deliveries {
            guard let came = arrivals[[delivery.device, delivery.notification]] else { continue }
            pushes[delivery.device, default: []].append((sent: delivery.acceptedAt, came: came))
        }
        self.pushes = pushes
    }

    func absences(of device: IncidentCast.Device) -> [IncidentAbsence] {
        IncidentAbsence.all(in: ([device.first] + device.successors).flatMap { pushes[$0.id] ?? [] })
    }
}
