import Platform

/// When a person chose something, and by what. Stamps are ordered in full, so that all devices and the server find the same choice to be
/// the last, in whatever order the choices arrive.
struct ChangeStamp: Hashable, Comparable, Sendable {
    /// When the person chose it, by the clock of the device, but no later than it arrived.
    var at: WallTime
    /// The device and the change, which decide between choices of the same instant; empty for what the server does by itself.
    var by = ""

    static func < (one: ChangeStamp, other: ChangeStamp) -> Bool {
        one.at == other.at ? one.by < other.by : one.at < other.at
    }
}

/// Which of two choices about the same thing stands.
enum MergePolicy {
    /// Whether `change` takes the place of what stands: the later one does. One that is the same as what stands is taken again, which
    /// changes nothing.
    static func takes(_ change: ChangeStamp, over standing: ChangeStamp?) -> Bool {
        standing.map { $0 <= change } ?? true
    }

    /// The stamp of a choice that `device` sends.
    ///
    /// - Parameters:
    ///   - chosenAt: what the device's clock said.
    ///   - device: the id of the device or, without one, of the session; it decides first between choices of the same instant.
    ///   - change: the id of the change, which decides then; empty on routes where a change has none.
    ///   - receivedAt: when it arrived for the first time. A device whose clock runs ahead cannot outdo later choices: what lies in the
    ///     future counts as made then.
    /// - Returns: The stamp.
    static func stamp(
        chosenAt: WallTime,
        device: String,
        change: String = "",
        receivedAt: WallTime
    ) -> ChangeStamp {
        ChangeStamp(at: min(chosenAt, receivedAt), by: "\(device)/\(change)")
    }
}
