import HTTP
import Platform
import Scenarios

/// What the app says about what its person wants to be told, by the API's documented contract.
extension NotifierAPIClient {
    private struct Mute: Encodable {
        var until: String
    }

    /// Mutes the item of an entry; true when the server did.
    func mute(_ id: String, until end: WallTime) async -> Bool {
        await call(.post, "/watch/\(id)/mute", Mute(until: end.utcText(.seconds))) != nil
    }

    /// Ends a mute; true when the server did.
    func unmute(_ id: String) async -> Bool {
        await delete("/watch/\(id)/mute")
    }

    private struct DeniedActor: Encodable {
        var gitlabUserId: Int64
        var displayName: String
    }

    /// Puts somebody on the deny-list; true when the server did.
    func denyActor(_ user: Username) async -> Bool {
        let body = DeniedActor(gitlabUserId: userIDs[user] ?? 0, displayName: user.text)
        return await call(.post, "/noise-filter/actors", body) != nil
    }

    /// Takes somebody off the deny-list; true when the server did.
    func allowActor(_ user: Username) async -> Bool {
        let target = "/noise-filter/actors/\(userIDs[user] ?? 0)"
        return await delete(target)
    }

    private struct AutoWatch: Encodable {
        var autoWatch: Bool
    }

    /// Switches watching by tags on or off; true when the server did.
    func setAutoWatch(_ isOn: Bool) async -> Bool {
        await call(.put, "/settings", AutoWatch(autoWatch: isOn)) != nil
    }

    private struct Reminders: Encodable {
        var reminders: Bool
    }

    /// Switches reminders on or off; true when the server did.
    func setReminders(_ isOn: Bool) async -> Bool {
        await call(.put, "/settings", Reminders(reminders: isOn)) != nil
    }

    private struct History: Decodable {
        struct Notification: Decodable {
            var id: String
            var projectId: Int64?
            var itemType: String?
            var itemIid: Int64?
        }

        var notifications: [Notification]
    }

    /// The newest notification about an item; nil when the history's first page has none.
    func notification(about item: ItemReference) async -> String? {
        guard let body = await call(.get, "/notifications?limit=100", Optional<Mute>.none) else { return nil }
        let history: History? = decode(body)
        return history?.notifications.first { notification in
            notification.projectId == projectIDs[item.project] && notification.itemIid == item.iid
                && notification.itemType == (item.kind == .issue ? "issue" : "merge_request")
        }?.id
    }

    private struct Entry: Decodable {
        var watchedItemId: String?
    }

    /// Taps Watch under a notification; returns the id of the entry.
    func watch(notification id: String) async -> String? {
        guard let answer = await call(.post, "/notifications/\(id)/watch", Optional<Mute>.none) else { return nil }
        let entry: Entry? = decode(answer)
        return entry?.watchedItemId
    }

    /// Taps Dismiss under a notification; true when the server took it.
    func dismiss(notification id: String) async -> Bool {
        await call(.post, "/notifications/\(id)/dismiss", Optional<Mute>.none) != nil
    }

    /// Takes a dismissal back; true when the server did.
    func undismiss(notification id: String) async -> Bool {
        await delete("/notifications/\(id)/dismiss")
    }

    private struct Asks: Decodable {
        struct Ask: Decodable {
            var askId: String
            var projectId: Int64?
            var itemType: String?
            var itemIid: Int64?
            var itemTitle: String?
        }

        var asks: [Ask]
    }

    private struct Settle: Encodable {
        var action: String
    }

    /// Taps Done or Later for everything that is asked of the person on an item; true when the server took it of something.
    func settleAsks(on item: ItemReference, _ action: String) async -> Bool {
        await settleAsks(action) { [projectIDs] ask in
            ask.projectId == projectIDs[item.project] && ask.itemIid == item.iid
                && ask.itemType == (item.kind == .issue ? "issue" : "merge_request")
        }
    }

    /// Taps Done for everything that a program asks under that title; true when the server took it of something.
    func settleAsks(titled title: String) async -> Bool {
        await settleAsks("done") { $0.itemTitle?.hasSuffix(title) == true }
    }

    private struct Program: Encodable {
        var name: String
    }

    /// Makes a token for a program; nil when the server made none.
    func letProgramIn(_ name: String) async -> OutsideProgram.LetIn? {
        await call(.post, "/signals/tokens", Program(name: name)).flatMap { decode($0) }
    }

    /// Mutes a program; true when the server did.
    func muteProgram(_ id: String, until end: WallTime) async -> Bool {
        await call(.post, "/signals/tokens/\(id)/mute", Mute(until: end.utcText(.seconds))) != nil
    }

    private func settleAsks(_ action: String, where isMeant: (Asks.Ask) -> Bool) async -> Bool {
        guard let body = await call(.get, "/asks", Optional<Mute>.none), let list: Asks = decode(body) else {
            return false
        }
        let open = list.asks.filter(isMeant)
        var isTaken = false
        for ask in open where await call(.post, "/asks/\(ask.askId)/settle", Settle(action: action)) != nil {
            isTaken = true
        }
        return isTaken
    }

    private struct Settings: Encodable {
        struct Window: Encodable {
            var days: [String]
            var from: String
            var until: String
        }

        var timeZone: String?
        var quietHours: [Window]
        var urgentBypass: Bool?
    }

    /// Replaces the quiet hours; true when the server did.
    func setQuietHours(_ hours: QuietHours?) async -> Bool {
        var settings = Settings(quietHours: [])
        if let hours {
            settings.timeZone = hours.zone.rawValue
            settings.urgentBypass = hours.letsUrgentThrough
            settings.quietHours = [
                Settings.Window(
                    days: hours.weekdays.map { CalendarNotation.weekdayNames[$0 - 1] },
                    from: CalendarNotation.timeText(hours.from),
                    until: CalendarNotation.timeText(hours.until)
                )
            ]
        }
        return await call(.put, "/settings", settings) != nil
    }
}
