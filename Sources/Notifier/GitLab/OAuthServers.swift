import HTTP

/// The GitLabs at which this server is registered, so that people can sign in through them.
struct OAuthServers: Sendable {
    private let applications: [NotifierSecrets.OAuthApplication]
    private let http: any HTTPClient
    private let requestTimeout: Duration

    init(_ applications: [NotifierSecrets.OAuthApplication], http: any HTTPClient, requestTimeout: Duration) {
        self.applications = applications
        self.http = http
        self.requestTimeout = requestTimeout
    }

    /// The client for this server's application at a GitLab; nil when it has none there. It asks through `http` where that is given.
    func client(for origin: HTTPOrigin, through other: (any HTTPClient)? = nil) -> OAuthClient? {
        applications.first { $0.origin == origin }.map {
            OAuthClient($0, http: other ?? http, requestTimeout: requestTimeout)
        }
    }
}
