package import HTTP
import Platform

extension FakeGitLab {
    /// How the fake behaves from the start: GitLab facts §19 with its defaults.
    package struct Configuration: Sendable, Hashable {
        /// The release imitated. Default 17.11.
        package var version = GitLabVersion(17, 11, 4)
        /// The build imitated. Default Community Edition.
        package var edition = GitLabEdition.community
        /// Where the instance says it lives; `Link` and web addresses carry it (GitLab facts §4, trap 27).
        package var externalURL = HTTPOrigin(scheme: "https", host: "gitlab.example.com")
        /// The instance's time zone as seconds ahead of UTC; 0 prints `Z` (§1, trap 28). Default UTC.
        package var timeZoneOffsetSeconds = 0
        /// Lists longer than this carry no totals and no `rel="last"` (§4). Default 10,000 rows.
        package var totalsLimit = 10_000
        /// `/events?scope=all` looks at this many newest events only; nil lifts the cap (§12.1). Default 20 rows.
        var eventScopeAllCap: Int? = 20
        /// A note touches its item at most once per this interval (§7.1). Default 60 seconds.
        var touchInterval = Duration.seconds(60)
        /// A comment's event is written this long after the note (§12.1). Default 1.4 seconds.
        var commentEventDelay = Duration.milliseconds(1_400)
        /// To-dos are deleted this long after their person lost access (§6.1). Default 1 hour.
        var accessLossDelay = Duration.hours(1)
        /// After writing, a person reads from the primary for this long (§16). Default 30 seconds.
        package var primaryStickiness = Duration.seconds(30)
        /// An item takes at most this many human notes (§8.1). Default 5,000.
        var notesPerItemLimit = 5_000
        /// Ids begin beyond 2^31 (§1). Default off.
        package var largeIDs = false
        /// Approvals carry `approved_at` (§11.1, §21.3). Default off.
        var approvalsTellTime = false
        /// A push removes approvals without a note per person (§11.1). Default off.
        package var resetsApprovalsOnPush = false
        /// Limiter A: requests per person and period; nil is GitLab's default, off (§3).
        package var requestLimit: RequestLimit?
        /// Limiter B: notes per person and minute; nil is off (§3). Default off; GitLab's own figure is 300.
        package var noteLimit: Int?
        /// Rendered pages and parsed addresses kept; beyond it all are dropped at once. Default 16,384.
        var pageCacheLimit = 16_384
        /// How long the server works on a request. Default no time.
        var serviceTime = QuantileTable.constant(.zero)
        /// Clients that may ask people for access (§14). Default none.
        package var oauthApplications: [OAuthApplication] = []
        /// Exchanging a refresh token ends the old pair at once; otherwise when the new access token is used first (§14, §21.11).
        /// Default at once, as documented.
        package var refreshRevokesAtOnce = true
        /// Stands before every token that OAuth issues, so that a leak can be recognised. Default nothing.
        package var oauthTokenPrefix = ""
        /// `X-Gitlab-Webhook-UUID` is another one with every attempt, not one for each hook (supplement §5, §7). Default off.
        var webhookUUIDPerAttempt = false
        /// Where hooks go; nil sends none (§15). Default none.
        package var webhook: Webhook?

        package init() {}
    }

    /// Limiter A, the HTTP layer's (GitLab facts §3): windows are aligned to the epoch.
    package struct RequestLimit: Sendable, Hashable {
        /// Requests per person (or per address without a token) and period; 0 refuses every request.
        var requests: Int
        /// Length of a window; at least one second.
        var period: Duration
        /// The body of a refusal. Default `Retry later`.
        var text: String

        package init(requests: Int = 7_200, period: Duration = .seconds(3_600), text: String = "Retry later") {
            self.requests = requests
            self.period = period
            self.text = text
        }
    }
}
