import Platform

/// What became of pushes, as a bundle tells it.
extension IncidentBundle {
    /// That APNs took a push to a device.
    struct Delivery: Equatable {
        var notification: Int64
        var device: Int64
        var acceptedAt: WallTime
    }

    /// When a device says that it had a push.
    struct Receipt: Equatable {
        var notification: Int64
        var device: Int64
        var deliveredAt: WallTime
    }
}

extension IncidentBundle.Delivery {
    /// Nil for one that APNs did not take.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        notification = try fields.number("notification")
        device = try fields.number("device")
        guard let acceptedAt = try fields.optionalInstant("acceptedAt") else { return nil }
        self.acceptedAt = acceptedAt
    }
}

extension IncidentBundle.Receipt {
    /// Nil for one that names no device.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        notification = try fields.number("notification")
        deliveredAt = try fields.instant("deliveredAt")
        guard let device = try fields.optionalNumber("device") else { return nil }
        self.device = device
    }
}
