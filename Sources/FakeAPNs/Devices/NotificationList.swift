/// What an app's list shows on a device, oldest first. Finding the one to replace costs the same however many there are.
struct NotificationList {
    private let limit: Int
    /// Nil where a notification was replaced or dropped.
    private var places: [Push?] = []
    /// Everything before this place is nil.
    private var head = 0
    private var placeByCollapseID: [String: Int] = [:]
    private(set) var count = 0

    init(limit: Int) {
        precondition(limit > 0, "a list shows at least one notification")
        self.limit = limit
    }

    var pushes: [Push] { places[head...].compactMap(\.self) }

    /// Shows `push`; returns the earlier notification with its collapse id, which it replaces. At the bound the oldest
    /// leaves the list.
    mutating func show(_ push: Push) -> Push? {
        let replaced = push.collapseID.flatMap { placeByCollapseID[$0] }.flatMap { remove(at: $0) }
        if count == limit { removeOldest() }
        if let id = push.collapseID { placeByCollapseID[id] = places.count }
        places.append(push)
        count += 1
        return replaced
    }

    /// The person clears the list.
    mutating func clear() { self = NotificationList(limit: limit) }

    private mutating func remove(at place: Int) -> Push? {
        guard let push = places[place] else { return nil }
        places[place] = nil
        if let id = push.collapseID { placeByCollapseID[id] = nil }
        count -= 1
        return push
    }

    private mutating func removeOldest() {
        while head < places.count, places[head] == nil { head += 1 }
        _ = remove(at: head)
        guard head > limit, head > places.count / 2 else { return }
        places.removeFirst(head)
        placeByCollapseID = placeByCollapseID.mapValues { $0 - head }
        head = 0
    }
}
