import Platform

/// What to do with a refresh token that a client shows.
///
/// Each refresh gives a new pair of tokens and ends the refresh token that was shown. One that comes again was stolen, or its
/// answer was lost; which one, the pair that followed tells. As long as neither token of it was ever used, nobody is known to have
/// it, and the token before may come again: it is given another pair in the place of the lost one. Once either was used, the
/// answer did arrive, so a second client holds the old token: the whole session ends for both.
///
/// The grace has no clock: a phone that lost the answer may be away for weeks. It is worth no more to a thief than the newest
/// token would be, and the honest client's next refresh, with the superseded one, ends it.
enum RefreshPolicy {
    enum Decision: Equatable, Sendable {
        /// Give the pair of this rotation.
        case give(rotation: Int64)
        /// It is too old; the person signs in again.
        case refuse
        /// Somebody else has it: end the session.
        case endSession
    }

    static func decide(_ token: PresentedRefreshToken, at now: WallTime) -> Decision {
        if token.isSuperseded { return .endSession }
        if token.rotation == token.newestRotation {
            return token.expiresAt > now ? .give(rotation: token.newestRotation + 1) : .refuse
        }
        guard token.rotation == token.newestRotation - 1, !token.isNewestConfirmed else { return .endSession }
        return token.expiresAt > now ? .give(rotation: token.newestRotation) : .refuse
    }
}
