import Platform

/// What the upkeep of the database tells.
extension LogMessage {
    static let rowsPurged = LogMessage(.info, "housekeeping.purged")
    static let housekeepingFailed = LogMessage(.error, "housekeeping.failed")
    static let backupMade = LogMessage(.info, "backup.made")
    static let backupFailed = LogMessage(.error, "backup.failed")

    // Keys of the database's secrets.
    static let secretsResealed = LogMessage(.notice, "secrets.resealed")
    static let secretsUnreadable = LogMessage(.error, "secrets.unreadable")
    static let rotationFailed = LogMessage(.error, "secrets.rotation_failed")
}
