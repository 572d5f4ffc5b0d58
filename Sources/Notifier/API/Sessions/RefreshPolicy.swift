import Platform

/// What to do with a refresh token that a client shows.
///
/// Each refresh gives a new pair of tokens and ends the refresh token that was shown. One that comes again was stolen, or its
/// answer was lost; which one, the pair that followed tells. As long as neither token of it was ever used, nobody is known to have
/// it, and the token before may come again: it is given the same pair. Once either was used, the answer did arrive, so a second client
/// holds the old token: the whole session ends for both. But within ``repetition`` the same pair is given even then: an app asks from
/// several places at once, and one of the answers is used before the last question arrives.
///
/// The grace before that has no clock: a phone that lost the answer may be away for weeks. It is worth no more to a thief than the
/// newest token would be: thief and owner hold the same token then, and whoever refreshes second, later than ``repetition``, ends it.
enum RefreshPolicy {
    enum Decision: Equatable, Sendable {
        /// Give the pair of this rotation.
        case give(rotation: Int64)
        /// Give the newest pair once more.
        case giveAgain
        /// It is too old; the person signs in again.
        case refuse
        /// Somebody else has it: end the session.
        case endSession
    }

    /// How long after a refresh the same token gets the same answer, whatever was done with it meanwhile.
    static let repetition = Duration.seconds(10)

    static func decide(_ token: PresentedRefreshToken, at now: WallTime) -> Decision {
        if token.isSuperseded { return .endSession }
        if token.rotation == token.newestRotation {
            return token.expiresAt > now ? .give(rotation: token.newestRotation + 1) : .refuse
        }
        guard token.rotation == token.newestRotation - 1 else { return .endSession }
        // In both directions, as the clock may have been stepped back in between.
        let age = token.newestGivenAt.duration(to: now)
        let isRepeated = age >= Duration.zero - repetition && age <= repetition
        guard !token.isNewestConfirmed || isRepeated else { return .endSession }
        return token.expiresAt > now ? .giveAgain : .refuse
    }
}
