import NotifierKit
import Verdict

/// What the system of a device shows of the app, by whichever way it came.
///
/// Unchecked: simulation thread.
final class DeviceScreen: LocalNotifier, @unchecked Sendable {
    /// More than a system keeps of one app.
    private static let capacity = 500

    private struct Entry {
        var identifier: String
        var content: PushContent
    }

    private var onScreen: [Entry] = []
    /// The number on the app's icon.
    private(set) var badge = 0
    /// The app shows one by itself: what it tells; nil when the person lets it show nothing.
    private let onShow: (LocalNotification) -> PushContent?
    /// Two stand on the screen of which one reminds of what the other tells: the one that stood there, and the one that came.
    private let onDouble: (_ standing: PushContent, _ new: PushContent) -> Void

    init(
        onShow: @escaping (LocalNotification) -> PushContent?,
        onDouble: @escaping (_ standing: PushContent, _ new: PushContent) -> Void
    ) {
        (self.onShow, self.onDouble) = (onShow, onDouble)
    }

    /// A push is on the screen under that identifier, and its number on the icon if it has one.
    func pushed(_ content: PushContent, under identifier: String, badge: Int? = nil) {
        if let badge { self.badge = badge }
        onScreen.removeAll { $0.identifier == identifier }
        for entry in onScreen where entry.content.isReplaced(by: content) { onDouble(entry.content, content) }
        onScreen.append(Entry(identifier: identifier, content: content))
        if onScreen.count > Self.capacity { onScreen.removeFirst() }
    }

    /// As the protocol says.
    func delivered() -> [DeliveredNotification] {
        onScreen.map {
            DeliveredNotification(identifier: $0.identifier, notificationID: $0.content.notificationID)
        }
    }

    /// As the protocol says.
    func show(_ notification: LocalNotification) -> Bool {
        guard let content = onShow(notification) else { return false }
        pushed(content, under: notification.identifier)
        return true
    }

    /// As the protocol says.
    func withdraw(_ notificationIDs: [String]) {
        onScreen.removeAll { notificationIDs.contains($0.content.notificationID) }
    }

    /// As the protocol says.
    func setBadge(_ count: Int) { badge = count }
}
