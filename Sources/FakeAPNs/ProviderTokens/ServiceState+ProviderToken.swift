import HTTP
import Platform

/// The judgement of a provider token, on its own and against what connection and address have shown before
/// (APNs facts §6, §7, §8).
extension ServiceState {
    private static let scheme = "bearer "
    private static let addressLimit = 4_096

    mutating func judgeProviderToken(_ exchange: inout Exchange) -> Reason? {
        guard let authorization = exchange.headers.authorization, hasBearer(authorization) else {
            return .missingProviderToken
        }
        if exchange.connection.isWedged { return .expiredProviderToken }
        if let issuedAt = admittedBefore(authorization, exchange.connection) {
            exchange.key = exchange.connection.binding
            return judgeAge(issuedAt, exchange)
        }
        return judgeAnew(authorization, &exchange)
    }

    /// When the token was issued, if it is the one last admitted on this connection and no key has changed since: the
    /// usual case costs one comparison.
    private func admittedBefore(_ authorization: String, _ connection: Connection) -> WallTime? {
        guard let admitted = connection.admitted, admitted.keyGeneration == verifier.keyGeneration,
            admitted.authorization == authorization
        else { return nil }
        return admitted.issuedAt
    }

    private mutating func judgeAnew(_ authorization: String, _ exchange: inout Exchange) -> Reason? {
        let text = String(authorization.dropFirst(Self.scheme.utf8.count))
        // Before the signature: tokens that were never valid count as well (supplement §6).
        guard admitsUpdate(text, exchange) else { return .tooManyProviderTokenUpdates }
        guard let verified = verifier.verify(text, acceptsDER: configuration.acceptsDERSignatures) else {
            return .invalidProviderToken
        }
        if let reason = judgeKey(verified.key, exchange.connection) { return reason }
        if let reason = judgeAge(verified.issuedAt, exchange) { return reason }
        exchange.connection.binding = exchange.connection.binding ?? verified.key
        exchange.connection.admitted = Connection.Admitted(
            authorization: authorization,
            issuedAt: verified.issuedAt,
            keyGeneration: verifier.keyGeneration
        )
        exchange.key = exchange.connection.binding
        return nil
    }

    private func hasBearer(_ authorization: String) -> Bool {
        if authorization.hasPrefix(Self.scheme) { return true }
        return configuration.acceptsAnyBearerCase
            && authorization.prefix(Self.scheme.utf8.count).lowercased() == Self.scheme
    }

    /// The first push binds team and key to the connection.
    private func judgeKey(_ key: ProviderKey, _ connection: Connection) -> Reason? {
        if let binding = connection.binding {
            if binding.teamID != key.teamID { return .invalidProviderToken }
            if binding.keyID != key.keyID { return .unrelatedKeyIDInToken }
        }
        return key.environments.contains(configuration.environment) ? nil : .badEnvironmentKeyIDInToken
    }

    /// Too old wedges the connection: nothing but 403 until the client opens another.
    private func judgeAge(_ issuedAt: WallTime, _ exchange: Exchange) -> Reason? {
        let age = issuedAt.duration(to: exchange.now.wall)
        if age > configuration.providerTokenLifetime {
            exchange.connection.isWedged = true
            return .expiredProviderToken
        }
        return age < .zero - configuration.issuedAheadTolerance ? configuration.issuedAheadReason : nil
    }

    /// Both scopes must allow the token before either admits it.
    private mutating func admitsUpdate(_ text: String, _ exchange: Exchange) -> Bool {
        let connection = exchange.connection
        let (window, now) = (configuration.tokenUpdateWindow, exchange.now.monotonic)
        var address = addressUpdates[exchange.peer.address] ?? TokenUpdateLimiter()
        guard connection.tokenUpdates.allows(text, within: window, at: now),
            address.allows(text, within: window, at: now)
        else { return false }
        connection.tokenUpdates.admit(text, at: now)
        address.admit(text, at: now)
        // A client with more addresses than this starts afresh; no scenario has as many.
        if addressUpdates.count >= Self.addressLimit { addressUpdates = [:] }
        addressUpdates[exchange.peer.address] = address
        return true
    }
}
