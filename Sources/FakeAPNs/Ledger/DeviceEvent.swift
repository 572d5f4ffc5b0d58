package import Platform

/// Something that happened on a device, or to a push meant for it.
package struct DeviceEvent: Sendable {
    /// What happened.
    package enum Kind: Sendable, Hashable {
        /// APNs accepted the push.
        case accepted
        /// Kept for later.
        case stored(StoreCause)
        /// Held on the device until the background budget allows it.
        case held
        /// The person sees it.
        case displayed
        /// It was displayed and made way for a later push with the same collapse id.
        case replaced(by: PushReference)
        /// The app received it, with nothing to show.
        case delivered
        case discarded(DiscardCause)
    }

    /// Rising by one over all devices of a fleet.
    package let sequence: Int64
    /// By the fleet's clock.
    package let at: WallTime
    package let device: DeviceID
    package let kind: Kind
    /// The push it happened to: token, collapse id and payload included.
    package let push: Push
}
