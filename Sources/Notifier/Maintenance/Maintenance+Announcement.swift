package import Configuration
package import Platform
package import SQLite

extension Maintenance {
    /// Whom an announcement reaches.
    package struct Announced: Sendable, Equatable {
        /// People.
        package var accounts = 0
        /// Devices of theirs that it is pushed to.
        package var devices = 0
        /// People whose quiet hours it waits for.
        package var waiting = 0
    }

    /// Puts an announcement into the outbox of the database at `path`, for everybody or one person, in one transaction: a server that runs
    /// finds it within half a minute, one that does not when it starts. Whoever has quiet hours is pushed to when they end.
    ///
    /// - Parameters:
    ///   - announcement: what is said.
    ///   - username: GitLab's name of the one person; nil for everybody. People of several GitLabs may share it.
    ///   - path: the database.
    ///   - configuration: whether anything is pushed, and how long it is news.
    ///   - tools: time, chance and time zones.
    /// - Returns: whom it reaches; nobody where there is no such person.
    /// - Throws: `BackupError.foreign`, `SQLiteError`.
    package static func announce(
        _ announcement: Announcement,
        to username: String?,
        in path: String,
        _ configuration: NotifierConfiguration,
        _ tools: (time: any TimeSource, entropy: any EntropySource, zones: any TimeZoneSource)
    ) throws -> Announced {
        try announce(announcement, to: username, in: Database(path: path), configuration, tools)
    }

    /// The same in a database that is open.
    package static func announce(
        _ announcement: Announcement,
        to username: String?,
        in database: Database,
        _ configuration: NotifierConfiguration,
        _ tools: (time: any TimeSource, entropy: any EntropySource, zones: any TimeZoneSource)
    ) throws -> Announced {
        _ = try checkedVersion(of: database)
        let (store, outbox) = (Store(database), Outbox(entropy: tools.entropy, configuration))
        let now = tools.time.wallNow
        return try database.transaction {
            var announced = Announced()
            for account in try store.accounts(named: username) {
                let end = try store.settings(of: account).quietHours(tools.zones)?.end(at: now)
                let draft = NotificationDraft(account: account, subject: .announcement(announcement))
                let told = try outbox.enqueue(draft, at: now, dueAt: end, in: store)
                if let end, configuration.pushEnabled {
                    // What a held device gets when APNs takes its token again knows nothing of quiet hours.
                    for device in try store.heldDevices(of: account) {
                        let apnsID = tools.entropy.uuidString()
                        _ = try store.requeue(told.id, to: device, apnsID: apnsID, quietUntil: end, at: now)
                    }
                }
                announced.accounts += 1
                announced.devices += told.deliveries
                announced.waiting += end == nil ? 0 : 1
            }
            return announced
        }
    }
}

extension Store {
    /// Devices whose deliveries wait until APNs takes their token, oldest first.
    fileprivate func heldDevices(of account: AccountID) throws -> [DeviceID] {
        try database.rows(
            "SELECT id FROM devices WHERE account_id = ? AND state = 'held' ORDER BY id",
            account
        ) { DeviceID(rawValue: $0.int64(0)) }
    }

    /// Accounts of that name, or all.
    fileprivate func accounts(named username: String?) throws -> [AccountID] {
        try database.rows(
            "SELECT id FROM accounts WHERE ? IS NULL OR username = ? COLLATE NOCASE ORDER BY id",
            username,
            username
        ) { AccountID(rawValue: $0.int64(0)) }
    }
}
