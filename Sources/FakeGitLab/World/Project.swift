import Platform

/// Who may see a project without being a member.
package enum ProjectVisibility: String, Sendable, CaseIterable {
    /// Members only.
    case `private`
    /// Everyone with an account.
    case `internal`
    case `public`
}

/// One project.
struct Project: Sendable {
    let id: Int64
    var path: String
    let name: String
    let visibility: ProjectVisibility
    let createdAt: WallTime
    /// Role by index of the person.
    var members: [Int: Role] = [:]
    /// Since when, for those who came later than the project.
    var joinedAt: [Int: WallTime] = [:]
    var issues: [Int64: Int] = [:]
    var mergeRequests: [Int64: Int] = [:]
    /// Every item in the order of creation.
    var items: [Int] = []
    var nextIssueIID: Int64 = 1
    var nextMergeRequestIID: Int64 = 1
    var events = Table<FeedEvent>()
    var itemClock = ListClock()
    /// Labels of this project alone, by name.
    var labels: [String: Int] = [:]

    /// The last part of the path.
    var slug: String { path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path }

    /// The path without its last part, as people read it.
    var namespace: String { path.split(separator: "/").dropLast().joined(separator: " / ") }
}
