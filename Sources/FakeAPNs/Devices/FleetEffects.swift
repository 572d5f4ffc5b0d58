import Platform

/// What a step of the fleet asks for once its lock is released: events for the observer and work for later.
struct FleetEffects: Sendable {
    enum Timer: Sendable {
        /// The push reaches the device.
        case arrival(Push)
        /// The stored push has been kept long enough.
        case storageEnd(Push)
        /// The device may take another background push for this install.
        case backgroundRelease(install: Int)
    }

    var events: [DeviceEvent] = []
    var timers: [(delay: Duration, timer: Timer)] = []
}
