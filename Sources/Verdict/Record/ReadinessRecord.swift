/// What the notifier said when it was asked whether it is ready (`GET /health/ready`).
package struct ReadinessRecord: Sendable, Equatable {
    /// Since the start.
    package var askedAt: Duration
    package var answeredAt: Duration
    /// 200 or 503.
    package var status: Int
    /// What it says of its database and of its way to APNs: `ok`, or what is wrong.
    package var database: String
    package var apns: String

    package init(askedAt: Duration, answeredAt: Duration, status: Int, database: String, apns: String) {
        (self.askedAt, self.answeredAt) = (askedAt, answeredAt)
        (self.status, self.database, self.apns) = (status, database, apns)
    }
}
