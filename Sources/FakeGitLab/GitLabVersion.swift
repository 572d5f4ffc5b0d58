/// A GitLab release and what it can do (GitLab facts §19, version profile).
package struct GitLabVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    let major: Int
    let minor: Int
    let patch: Int

    init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads `17.8` or `17.8.3`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard (2...3).contains(parts.count), let major = parts[0], let minor = parts[1] else { return nil }
        guard major >= 0, minor >= 0 else { return nil }
        guard parts.count == 2 || (parts[2].map { $0 >= 0 } ?? false) else { return nil }
        self.init(major, minor, parts.count == 3 ? parts[2] ?? 0 : 0)
    }

    package var description: String { "\(major).\(minor).\(patch)" }

    package static func < (left: GitLabVersion, right: GitLabVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    private func isAtLeast(_ major: Int, _ minor: Int) -> Bool { (self.major, self.minor) >= (major, minor) }

    /// `/metadata` exists (GitLab facts §5.1).
    var hasMetadata: Bool { isAtLeast(15, 2) }
    /// `/version` answers what `/metadata` answers (§5.1).
    var versionIsMetadata: Bool { isAtLeast(15, 5) }
    /// `enterprise` in the metadata (§5.1).
    var tellsEnterprise: Bool { isAtLeast(15, 6) }
    /// `kas.externalK8sProxyUrl` in the metadata (§5.1).
    var tellsKubernetesProxy: Bool { isAtLeast(17, 6) }
    /// `/personal_access_tokens/self` exists (§5.3).
    var hasTokenSelf: Bool { isAtLeast(15, 5) }
    /// A token can rotate itself (supplement §1.5).
    var hasSelfRotation: Bool { isAtLeast(16, 9) }
    /// `action[]` on `/todos` is accepted (§1).
    var acceptsActionArray: Bool { !isAtLeast(15, 5) }
    /// `detailed_merge_status` of a merge request (§7.1).
    var hasDetailedMergeStatus: Bool { isAtLeast(15, 6) }
    /// `prepared_at` of a merge request (§7.1).
    var hasPreparedAt: Bool { isAtLeast(16, 1) }
    /// `locked` and `public_email` of a person (§1, "newer versions").
    var tellsLocked: Bool { isAtLeast(16, 0) }
    /// A project's old path answers with a redirect (§1).
    var redirectsMovedProjects: Bool { isAtLeast(16, 7) }
    /// `imported` and `imported_from`, token `description`, note `project_id` and `suggestions` (§5.3, §7.1, §8.1).
    var tellsImported: Bool { isAtLeast(17, 0) }
    /// Mentions create a to-do each time (§6.2).
    var hasMultipleTodos: Bool { isAtLeast(17, 8) }
    /// To-dos can be snoozed (§6.1).
    var hasSnooze: Bool { isAtLeast(17, 9) }
    /// `activity_filter` on notes (§8.1; the first version is not established, §21.3).
    var hasActivityFilter: Bool { isAtLeast(18, 0) }
    /// A changed title is told in HTML (supplement §3; the release is a guess between 17.11 and 18.0).
    var tellsTitlesInHTML: Bool { isAtLeast(18, 0) }
    /// Asking for another review takes the approval back (supplement §3).
    var unapprovesOnRequest: Bool { isAtLeast(16, 0) }
    /// `order_by=merged_at` and the filters of merges (supplement §2).
    var ordersByMerge: Bool { isAtLeast(17, 2) }
    /// `draft` as a filter of merge requests (supplement §2).
    var filtersDrafts: Bool { isAtLeast(19, 0) }
    /// `scope=reviews_for_me` (§7.2, §21.3).
    var hasReviewsForMe: Bool { isAtLeast(18, 4) }
    /// The device grant (§14).
    var hasDeviceGrant: Bool { isAtLeast(17, 9) }
    /// The note about a due date that was taken away names it (supplement §3: after 15.0).
    var namesRemovedDueDate: Bool { isAtLeast(15, 1) }
    /// `X-Gitlab-Webhook-UUID` of a hook (§15.1).
    var tellsWebhookUUID: Bool { isAtLeast(16, 2) }
    /// `action` of a note hook (§15.2).
    var tellsNoteAction: Bool { isAtLeast(16, 11) }
    /// `Idempotency-Key` of a hook (§15.1).
    var tellsIdempotencyKey: Bool { isAtLeast(17, 4) }
    /// `RateLimit-*` on every answer, and `Retry-After` from the application limiter (§3, §21.3).
    var tellsRateLimits: Bool { isAtLeast(18, 5) }
    /// `Retry-After` with the 503 of maintenance mode (supplement §5).
    var tellsMaintenanceRetry: Bool { isAtLeast(18, 2) }
    /// Auto-merge waits for all merge checks, not for the pipeline alone (supplement §3).
    var mergesWhenChecksPass: Bool { isAtLeast(17, 0) }
    /// `last_used_ips` of a token (§5.3).
    var tellsTokenAddresses: Bool { isAtLeast(18, 0) }
}

/// Which build of GitLab is imitated; the licence tier is always the free one.
package enum GitLabEdition: String, Sendable, CaseIterable {
    /// The Community Edition: the short approvals body, and no `/approval_state` (GitLab facts §11).
    case community = "ce"
    /// The Enterprise Edition.
    case enterprise = "ee"
}
