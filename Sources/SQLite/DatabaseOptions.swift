/// How a database is opened.
package struct DatabaseOptions: Sendable, Equatable {
    /// When a commit counts as done.
    package enum Synchronous: String, Sendable, CaseIterable {
        /// As soon as the operating system has the bytes; a power loss may damage the file.
        case off = "OFF"
        /// With a write-ahead log: a power loss may undo the last commits but damages nothing.
        case normal = "NORMAL"
        /// When the disk has the bytes: a power loss undoes nothing.
        case full = "FULL"
    }

    /// How long a statement waits for another connection's lock before it fails with `busy`. It waits in real time, so a
    /// simulation sets zero. Whole milliseconds.
    var busyTimeout: Duration = .seconds(5)
    /// `full` by default: a committed notification is never lost.
    var synchronous: Synchronous = .full
    /// How many prepared statements are kept.
    var statementCacheCapacity: Int = 128
    /// Opens a file that there is, reads what is committed, and changes neither it nor its log (a journal that an interrupted change of
    /// the whole file left is played back, and an empty log may be made); a write fails with `readOnly`.
    var isReadOnly = false

    package init(
        busyTimeout: Duration = .seconds(5),
        synchronous: Synchronous = .full,
        statementCacheCapacity: Int = 128,
        isReadOnly: Bool = false
    ) {
        self.busyTimeout = busyTimeout
        self.synchronous = synchronous
        self.statementCacheCapacity = statementCacheCapacity
        self.isReadOnly = isReadOnly
    }
}
