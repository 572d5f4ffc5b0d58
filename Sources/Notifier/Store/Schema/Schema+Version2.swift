extension Schema {
    /// The second schema: one part for each area, applied in this order in one transaction.
    static let version2 = [
        NotificationsSchema.version2,
        SessionsSchema.version2,
        ReceiptsSchema.version2,
        SourcesSchema.version2,
        AccessSchema.version2,
        RulesSchema.version2,
        RetentionSchema.version2,
        PollingSchema.version2,
    ].joined(separator: "\n")
}
