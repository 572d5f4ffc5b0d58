/// Whether this device has a network: NWPathMonitor on Apple's systems.
public protocol Reachability: Sendable {
    /// False when there is certainly none. True proves nothing.
    var isOnline: Bool { get async }
}

/// Says nothing of the network: the requests find out.
public struct AlwaysOnline: Reachability {
    /// There is nothing to set.
    public init() {}

    /// Always true.
    public var isOnline: Bool { true }
}
