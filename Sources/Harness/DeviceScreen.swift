import NotifierKit

/// What the system of a device shows of the app, by whichever way it came.
///
/// Unchecked: simulation thread.
final class DeviceScreen: LocalNotifier, @unchecked Sendable {
    /// More than a system keeps of one app.
    private static let capacity = 500

    private var identifiers: [String] = []
    /// The number on the app's icon.
    private(set) var badge = 0
    /// The app shows one by itself; false when the person lets it show nothing.
    private let onShow: (LocalNotification) -> Bool

    init(onShow: @escaping (LocalNotification) -> Bool) { self.onShow = onShow }

    /// A push is on the screen under that identifier, and its number on the icon if it has one.
    func pushed(_ identifier: String, badge: Int? = nil) {
        if let badge { self.badge = badge }
        identifiers.removeAll { $0 == identifier }
        identifiers.append(identifier)
        if identifiers.count > Self.capacity { identifiers.removeFirst() }
    }

    /// As the protocol says.
    func delivered() -> [String] { identifiers }

    /// As the protocol says.
    func show(_ notification: LocalNotification) -> Bool {
        guard onShow(notification) else { return false }
        pushed(notification.identifier)
        return true
    }

    /// As the protocol says.
    func withdraw(_ identifiers: [String]) { self.identifiers.removeAll { identifiers.contains($0) } }

    /// As the protocol says.
    func setBadge(_ count: Int) { badge = count }
}
