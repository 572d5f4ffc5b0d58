/// The two kinds of item a person can watch.
enum ItemKind: String, Hashable, Sendable, CaseIterable, Codable {
    case issue
    case mergeRequest = "merge_request"

    /// The character in front of the number in GitLab's own notation.
    var sigil: Character { self == .issue ? "#" : "!" }
}

/// One issue or merge request within one GitLab instance.
struct ItemReference: Hashable, Sendable {
    var project: ProjectID
    var kind: ItemKind
    /// The number shown in GitLab, unique per project and kind (GitLab facts §1).
    var iid: Int64

    /// Without the kind: it tells few apart, and a case with a name is hashed as its text.
    func hash(into hasher: inout Hasher) {
        hasher.combine(project)
        hasher.combine(iid)
    }
}
