import NotifierKit

/// What the system of a device shows of the app, by whichever way it came.
///
/// Unchecked: simulation thread.
final class DeviceScreen: LocalNotifier, @unchecked Sendable {
    /// More than a system keeps of one app.
    private static let capacity = 500

    private var onScreen: [DeliveredNotification] = []
    /// The number on the app's icon.
    private(set) var badge = 0
    /// The app shows one by itself; false when the person lets it show nothing.
    private let onShow: (LocalNotification) -> Bool

    init(onShow: @escaping (LocalNotification) -> Bool) { self.onShow = onShow }

    /// A push is on the screen under that identifier, and its number on the icon if it has one.
    func pushed(_ notificationID: String, under identifier: String, badge: Int? = nil) {
        if let badge { self.badge = badge }
        onScreen.removeAll { $0.identifier == identifier }
        onScreen.append(DeliveredNotification(identifier: identifier, notificationID: notificationID))
        if onScreen.count > Self.capacity { onScreen.removeFirst() }
    }

    /// As the protocol says.
    func delivered() -> [DeliveredNotification] { onScreen }

    /// As the protocol says.
    func show(_ notification: LocalNotification) -> Bool {
        guard onShow(notification) else { return false }
        pushed(notification.notification.id, under: notification.identifier)
        return true
    }

    /// As the protocol says.
    func withdraw(_ notificationIDs: [String]) {
        onScreen.removeAll { notificationIDs.contains($0.notificationID) }
    }

    /// As the protocol says.
    func setBadge(_ count: Int) { badge = count }
}
