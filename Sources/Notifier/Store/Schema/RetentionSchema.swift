/// What finding old rows needs.
enum RetentionSchema {
    static let version2 = """
        CREATE INDEX told_facts_by_age ON told_facts (told_at);
        CREATE INDEX notifications_by_age ON notifications (created_at);
        """
}
