import Platform

/// A session's app tells its push token: which device it becomes, and what that does to the others.
///
/// A push token belongs to one app on one device. So who shows one that is known is that app, signed in anew or paired anew: it
/// takes the known device over with all that waits for it, and what it was before ends.
struct DeviceChange: Sendable {
    var account: AccountID
    var device: DeviceRegistration
    var name: String?
    /// Devices that one person may have.
    var limit: Int
    var now: WallTime
    var entropy: any EntropySource

    /// Call it in a transaction.
    ///
    /// - Throws: `APIError.deviceLimitReached`; `deviceSessionTaken` for a device of the other platform; `sessionInvalid` when the session
    ///   ended meanwhile.
    func carryOut(for sessionID: SessionID, in store: Store) throws -> (device: RegisteredDevice, session: Session) {
        guard var session = try store.session(sessionID) else { throw APIError.sessionInvalid }
        let registered =
            if let own = session.device {
                try update(own, in: store)
            } else {
                try adopt(in: store)
            }
        let bound = Session.Device(
            publicID: registered.publicID,
            platform: device.platform,
            name: name ?? session.device?.name
        )
        try store.bind(session.id, to: bound)
        if bound != session.device || registered.replacedToken { try store.raiseDataVersion(of: account) }
        session.device = bound
        return (registered, session)
    }

    /// A session without a device becomes one of the device that has the token.
    private func adopt(in store: Store) throws -> RegisteredDevice {
        if try !store.hasDevice(device, of: account), try store.devices(of: account).count >= limit {
            throw APIError.deviceLimitReached(limit: limit)
        }
        return try store.register(device, of: account, newPublicID: entropy.uuidString(), at: now)
    }

    /// The device of the session has this token from now on.
    private func update(_ own: Session.Device, in store: Store) throws -> RegisteredDevice {
        guard own.platform == device.platform else { throw APIError.deviceSessionTaken }
        let holder = try store.device(token: device.token, environment: device.environment)
        let row = try store.presentDevice(publicID: own.publicID, of: account)
        if let row, holder == nil {
            try store.changeToken(of: row, to: device, at: now)
        } else if let row, row != holder {
            // The token was another device's: the app on it, signed in before. Its row goes on, the session's ends.
            try store.giveUpID(of: row, for: entropy.uuidString())
        }
        var registered = try store.register(device, of: account, newPublicID: own.publicID, at: now)
        if let row, row != registered.id { try store.retire(row, for: registered.id, at: now) }
        try store.rename(registered.id, to: own.publicID)
        // What it was before is listed no more.
        if row == nil, holder != nil { try store.raiseDataVersion(of: account) }
        registered.publicID = own.publicID
        registered.replacedToken = row != nil && row != holder
        registered.hasFormerPushes = row != nil && holder == nil
        return registered
    }
}
