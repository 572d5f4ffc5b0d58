import Platform

/// What the maintenance of the database tells.
extension LogMessage {
    static let rowsPurged = LogMessage(.info, "retention.purged")
    /// The clock has leapt ahead; the next day tries again.
    static let purgePutOff = LogMessage(.warning, "retention.put_off")
    static let purgeFailed = LogMessage(.error, "retention.failed", comesWithStore: true)
    static let backupMade = LogMessage(.info, "backup.made")
    static let backupFailed = LogMessage(.error, "backup.failed")

    // Whether the database takes what is written. Each is written once, when that changes.
    static let storeFailing = LogMessage(.error, "store.failing")
    static let storeDamaged = LogMessage(.error, "store.damaged")
    static let storeRecovered = LogMessage(.notice, "store.recovered")

    // Keys of the database's secrets.
    static let secretsResealed = LogMessage(.notice, "secrets.resealed")
    static let secretsUnreadable = LogMessage(.error, "secrets.unreadable")
    static let rotationFailed = LogMessage(.error, "secrets.rotation_failed")
}
