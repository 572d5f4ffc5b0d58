import Platform

/// The state of an account (GitLab facts §1, §2).
package enum AccountState: String, Sendable, CaseIterable {
    case active, blocked, deactivated
    /// The person must accept the terms first; `state` still reads `active`.
    case termsNotAccepted
    /// The person's password has expired; `state` still reads `active`.
    case passwordExpired

    /// The `state` field of a person.
    var wireName: String {
        switch self {
        case .blocked, .deactivated: rawValue
        case .active, .termsNotAccepted, .passwordExpired: "active"
        }
    }
}

/// An account to be created.
package struct NewPerson: Sendable, Hashable {
    var username: String
    var name: String
    var state: AccountState
    /// Only `/user` tells (GitLab facts §1: people in items carry no bot flag).
    var isBot: Bool

    package init(username: String, name: String? = nil, state: AccountState = .active, isBot: Bool = false) {
        self.username = username
        self.name = name ?? username
        self.state = state
        self.isBot = isBot
    }
}

/// A person's role in a project, in rising order of rights.
package enum Role: Int, Sendable, Comparable, CaseIterable {
    case guest = 10
    case reporter = 20
    case developer = 30
    case maintainer = 40
    case owner = 50

    package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }
}

/// One account.
struct Person: Sendable {
    let id: Int64
    var username: String
    var name: String
    var state: AccountState
    let isBot: Bool
    let createdAt: WallTime
    var todos = Table<Todo>()
    /// To-dos that are pending or changed lately, ascending: what the pending list is made from.
    var openTodos: [Int64] = []
    /// How many of these have been resolved since the last clearing.
    var resolvedSinceClearing = 0
    /// The person's own events, ascending.
    var events: [EventPlace] = []
    /// When the person last wrote anything: their reads stick to the primary for a while.
    var lastWrite = WallTime.distantPast
    /// The account as `UserBasic`.
    var json: [UInt8] = []
}

/// Where an event is kept.
struct EventPlace: Sendable, Hashable {
    let project: Int
    let id: Int64
}
