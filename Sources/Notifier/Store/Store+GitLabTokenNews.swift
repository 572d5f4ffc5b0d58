import SQLite

/// News about a person's token for GitLab is none any more once they have another.
extension Store {
    /// Whether a notification `n` says of that token what is not so now: that GitLab refuses it, though it takes one since; or that it ends
    /// soon, though there is another, or its end was put off.
    static let isOfFormerGitLabToken = """
        (
            n.kind = 'auth_expired' AND EXISTS (SELECT 1 FROM accounts WHERE id = n.account_id AND state = 'active')
            OR n.kind = 'token_expiring' AND NOT EXISTS (
                SELECT 1 FROM token_checks WHERE account_id = n.account_id AND warned <> 'none'
            )
        )
        """

    /// Whether a delivery tells of a token that the person had before.
    func tellsOfFormerGitLabToken(_ delivery: DeliveryID) throws -> Bool {
        try database.first(
            SQL(
                text: """
                    SELECT \(Self.isOfFormerGitLabToken)
                    FROM deliveries AS d JOIN notifications AS n ON n.id = d.notification_id WHERE d.id = ?
                    """
            ),
            delivery
        ) { $0.bool(0) } ?? false
    }
}
