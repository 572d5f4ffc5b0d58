import CSQLite

/// Who holds which lock on a database file, each by the number of its opening (sqlite.org/lockingv3.html).
struct FileLocks {
    private var shared: Set<Int> = []
    private var reserved: Int?
    private var pending: Int?
    private var exclusive: Int?

    /// Whether somebody is about to write.
    var isReserved: Bool { reserved != nil || exclusive != nil }

    /// The level that `holder` has afterwards; the one asked for unless another is in the way.
    mutating func raise(_ holder: Int, from level: Int32, to wanted: Int32) -> Int32 {
        func isFree(_ owner: Int?) -> Bool { owner == nil || owner == holder }
        switch wanted {
        case SQLITE_LOCK_SHARED:
            guard isFree(exclusive), isFree(pending) else { return level }
            shared.insert(holder)
        case SQLITE_LOCK_RESERVED:
            guard isFree(reserved), isFree(exclusive) else { return level }
            reserved = holder
        default:
            guard isFree(pending), isFree(exclusive), isFree(reserved) else { return level }
            pending = holder
            guard wanted == SQLITE_LOCK_EXCLUSIVE, shared.subtracting([holder]).isEmpty else {
                return SQLITE_LOCK_PENDING
            }
            exclusive = holder
        }
        return wanted
    }

    mutating func lower(_ holder: Int, to level: Int32) {
        if exclusive == holder { exclusive = nil }
        if pending == holder { pending = nil }
        if reserved == holder { reserved = nil }
        if level == SQLITE_LOCK_NONE { shared.remove(holder) }
    }
}
