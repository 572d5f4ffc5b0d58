/// How accounts get into GitLab.
enum AccessSchema {
    /// When GitLab was asked last how long an account's token lives, and how far the person was warned of that date. A row lives as
    /// long as the token it is about.
    static let version2 = """
        CREATE TABLE token_checks (
            account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            read_at INTEGER NOT NULL,
            warned TEXT NOT NULL CHECK (warned IN ('none', 'ahead', 'last_day'))
        ) STRICT;

        -- Who watches the item that a webhook names.
        CREATE INDEX watches_by_item ON watches (project_id, item_kind, item_iid);
        """
}
