package import Scenarios

/// What a person's app showed of their account and of who waits for them, when they went through its screens.
package struct ScreenRecord: Sendable, Equatable {
    package var person: Username
    package var device: DeviceName
    /// Since the start: when the first screen asked, and when the last had its answer. Nothing changed between, as far as the server says.
    package var askedAt: Duration
    package var answeredAt: Duration
    /// `active` or `auth_expired`, in the words of the API.
    package var accountState: String
    /// A day such as `2026-12-31`; nil when the server names none.
    package var tokenExpiresOn: String?
    /// When the quiet hours end, since the start by the notifier's clock; nil when it is not quiet.
    package var quietUntil: Duration?
    /// The items on which somebody waits for them; one that several wait for stands there as often.
    package var asks: [ItemReference]
    /// Since when GitLab cannot be read, by the notifier's clock; nil while it can.
    package var troubleSince: Duration?
    /// Whether the server asks nothing for them, since its process died while it did.
    package var isSetAside: Bool
    /// When the oldest notification in the history was made, since the start by the notifier's clock; nil when there is none.
    package var oldest: Duration?

    package init(
        person: Username,
        device: DeviceName,
        askedAt: Duration,
        answeredAt: Duration,
        accountState: String,
        tokenExpiresOn: String?,
        quietUntil: Duration?,
        asks: [ItemReference],
        troubleSince: Duration? = nil,
        isSetAside: Bool = false,
        oldest: Duration? = nil
    ) {
        (self.person, self.device, self.askedAt, self.answeredAt) = (person, device, askedAt, answeredAt)
        (self.accountState, self.tokenExpiresOn) = (accountState, tokenExpiresOn)
        (self.quietUntil, self.asks, self.oldest) = (quietUntil, asks, oldest)
        (self.troubleSince, self.isSetAside) = (troubleSince, isSetAside)
    }
}
