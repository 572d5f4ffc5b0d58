/// The guises of a GitLab outage (GitLab facts §16).
package enum OutageMode: String, Sendable, CaseIterable {
    case text502 = "502-text"
    case html502 = "502-html"
    case json503 = "503-json"
    case json500 = "500-json"
    case html200 = "200-html"
    case hang
    case truncatedJSON = "truncated-json"
    /// 401 although the token is sound (trap 21).
    case json401 = "401-json"
    /// 403 that names no reason (trap 22).
    case json403 = "403-json"
    /// Everything can be read; writes get 503 (trap 34).
    case maintenance
    /// Everything can be read; writes get 403, or 301 when they are not JSON (trap 37).
    case readOnly = "read-only"

    /// Whether what can be read is read as ever.
    package var answersReads: Bool { self == .maintenance || self == .readOnly }
}

/// How rows in GitLab's answers differ from what is documented (GitLab facts §1).
package enum RowChange: String, Sendable, CaseIterable {
    /// Objects have members that nobody has heard of.
    case newMembers = "new-members"
    /// Times are written in another of ISO 8601's forms.
    case otherTimes = "other-times"
    /// Members beside hold unknown words, or are null or missing.
    case otherWords = "other-words"
    /// A member that every release writes is missing, the same in all rows of a route.
    case leftOut = "left-out"
    /// Such a member holds a value of another type.
    case otherType = "other-type"

    /// Whether all is there that a reader needs.
    package var isReadable: Bool { self != .leftOut && self != .otherType }
}
