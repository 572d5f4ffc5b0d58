package import Platform

/// What exists when a scenario begins.
package struct World: Sendable, Equatable {
    package var gitlab: GitLabWorld
    package var apns: APNsWorld
    /// Latency of the link between devices and the notifier's REST API.
    package var apiLatency: QuantileTable
    /// How devices report what they showed; not at all by default.
    package var receipts: ReceiptHabits
    package var people: [Person]
    package var projects: [Project]
    /// What people do in turn.
    package var duties: [WorldDuty]

    package init(
        gitlab: GitLabWorld = GitLabWorld(),
        apns: APNsWorld = APNsWorld(),
        apiLatency: QuantileTable = .constant(.milliseconds(30)),
        receipts: ReceiptHabits = ReceiptHabits(),
        people: [Person],
        projects: [Project],
        duties: [WorldDuty] = []
    ) {
        self.duties = duties
        self.gitlab = gitlab
        self.apns = apns
        self.apiLatency = apiLatency
        self.receipts = receipts
        self.people = people
        self.projects = projects
    }

    /// The person of that name.
    package func person(_ username: Username) -> Person? { people.first { $0.username == username } }

    /// The project at that path.
    package func project(_ path: ProjectPath) -> Project? { projects.first { $0.path == path } }

    /// The item as it is at the beginning; nil for one that is opened in the course of the timeline.
    package func item(_ reference: ItemReference) -> Item? {
        project(reference.project)?.items.first { $0.kind == reference.kind && $0.iid == reference.iid }
    }

    /// Every item that exists at the beginning, in the order of the file.
    package var itemReferences: [ItemReference] {
        projects.flatMap { project in project.items.map { $0.reference(in: project.path) } }
    }
}

/// The GitLab instance (GitLab facts §19).
package struct GitLabWorld: Sendable, Equatable {
    /// Releases whose differences the fake imitates.
    package enum Version: String, Sendable, CaseIterable {
        case v15_0 = "15.0"
        case v15_5 = "15.5"
        case v16_11 = "16.11"
        case v17_0 = "17.0"
        case v17_8 = "17.8"
        case v17_9 = "17.9"
        case v17_11 = "17.11"
        case v18_5 = "18.5"

        /// Whether people may sign in on another device (GitLab facts §14).
        package var offersDeviceSignIn: Bool { Self.allCases.drop { $0 != .v17_9 }.contains(self) }
    }

    /// The build: Community or Enterprise Edition.
    package enum Edition: String, Sendable, CaseIterable {
        case community = "ce"
        case enterprise = "ee"
    }

    package var version: Version
    package var edition: Edition
    /// What GitLab believes to be its own address, as it stands in `Link` headers and `web_url`: scheme, host and
    /// perhaps a port.
    package var externalURL: String
    /// How far the instance's time zone lies ahead of UTC; also the zone of `hours` and `weekdays`. Whole minutes.
    package var timeZoneOffset: Duration
    /// Limiter A for authenticated requests of one user (GitLab facts §3); nil means off, as GitLab is delivered.
    package var authenticatedLimit: RequestLimit?
    /// Limiter B for the creation of notes by one user, always per minute (GitLab facts §3).
    package var noteLimit: RequestLimit?
    package var quirks: [QuirkSetting]
    /// Whether every project sends webhooks to the notifier.
    package var sendsWebhooks: Bool
    /// Latency of the link between notifier and GitLab, each way.
    package var latency: QuantileTable

    package init(
        version: Version = .v17_11,
        edition: Edition = .community,
        externalURL: String = "https://gitlab.example.com",
        timeZoneOffset: Duration = .zero,
        authenticatedLimit: RequestLimit? = nil,
        noteLimit: RequestLimit? = nil,
        quirks: [QuirkSetting] = [],
        sendsWebhooks: Bool = false,
        latency: QuantileTable = .constant(.milliseconds(20))
    ) {
        self.version = version
        self.edition = edition
        self.externalURL = externalURL
        self.timeZoneOffset = timeZoneOffset
        self.authenticatedLimit = authenticatedLimit
        self.noteLimit = noteLimit
        self.quirks = quirks
        self.sendsWebhooks = sendsWebhooks
        self.latency = latency
    }
}

/// So many requests in each window of that length.
package struct RequestLimit: Sendable, Equatable {
    /// From 1.
    package var requests: Int
    package var period: Duration
}

/// A switch of the fake GitLab (GitLab facts §19) that differs from its default. What else §19 lists follows from the version,
/// is always on, or is a fault.
package struct QuirkSetting: Sendable, Equatable {
    /// The switches, by their keys in the file.
    package enum Quirk: String, Sendable, CaseIterable {
        /// Totals are left out of the pagination headers above that many rows (GitLab facts §4).
        case omitTotalsAbove
        /// Identifiers start above 2³¹ (GitLab facts §1).
        case largeIdentifiers
        /// A writer reads from the primary for 30 seconds (GitLab facts §16).
        case primaryStickiness
        /// Exchanging a refresh token ends the old pair at once (GitLab facts §14, §21.11).
        case refreshRevokesAtOnce
        /// A push takes every approval back, without a note (GitLab facts §11.1).
        case resetApprovalsOnPush
        /// A webhook that keeps failing is switched off, for a while and at last for good (GitLab facts §15.1).
        case disableFailingWebhooks

        /// Whether the switch takes a number instead of true and false.
        var takesNumber: Bool { self == .omitTotalsAbove }

        /// One line for documentation and editors.
        var summary: String {
            switch self {
            case .omitTotalsAbove:
                "Totals are left out of the pagination headers above that many rows; 10,000 by default."
            case .largeIdentifiers: "Identifiers start above 2^31; off by default."
            case .refreshRevokesAtOnce:
                "A refresh token is over when it is used, not when its successor is; on by default."
            case .resetApprovalsOnPush: "A push takes every approval back; off by default."
            case .disableFailingWebhooks: "GitLab switches off a webhook that keeps failing; off by default."
            case .primaryStickiness: "A writer reads from the primary for 30 seconds; on by default."
            }
        }
    }

    /// The position of a switch.
    package enum Value: Sendable, Equatable {
        case on(Bool)
        case number(Int64)
    }

    package var quirk: Quirk
    package var value: Value

    /// A push takes every approval back.
    package static let resetsApprovals = QuirkSetting(quirk: .resetApprovalsOnPush, value: .on(true))
}

/// Apple's push service.
package struct APNsWorld: Sendable, Equatable {
    /// Latency of the link between notifier and APNs, each way.
    package var latency: QuantileTable = .constant(.milliseconds(25))
    /// How long an accepted push takes to an online device.
    package var deviceLatency: QuantileTable = .constant(.milliseconds(400))
}

/// A GitLab user; with `notified` also a user of the notifier.
package struct Person: Sendable, Equatable {
    package var username: Username
    package var name: String
    /// A bot never acts as "anyone"; only entries that name it make it act.
    package var isBot: Bool
    package var notified: NotifiedPerson?

    package init(username: Username, name: String, isBot: Bool = false, notified: NotifiedPerson? = nil) {
        self.username = username
        self.name = name
        self.isBot = isBot
        self.notified = notified
    }
}

/// What a person has who uses the notifier.
package struct NotifiedPerson: Sendable, Equatable {
    /// How the person lets the notifier into GitLab.
    package enum SignIn: String, Sendable, CaseIterable {
        /// By a token of their own, pasted into the app.
        case token
        /// By agreeing in GitLab (GitLab facts §14), in the browser.
        case oauth
        /// By agreeing in GitLab after typing in a code.
        case device
    }

    /// At least one, each name once.
    package var devices: [Device]
    package var token: PersonalAccessToken
    package var signIn: SignIn
    /// Items the person watches from the moment of registration, in the order of the file.
    package var watches: [ItemReference]

    package init(
        devices: [Device],
        token: PersonalAccessToken = PersonalAccessToken(),
        signIn: SignIn = .token,
        watches: [ItemReference] = []
    ) {
        self.devices = devices
        self.token = token
        self.signIn = signIn
        self.watches = watches
    }
}

/// A device with the app on it.
package struct Device: Sendable, Equatable {
    /// The system the device runs.
    package enum Platform: String, Sendable, CaseIterable { case ios, macos }
    /// Which of APNs' two environments its token belongs to (APNs facts §1); Apple calls the second by either name.
    package enum Environment: String, Sendable, CaseIterable { case production, sandbox, development }

    package var name: DeviceName
    package var platform: Platform
    package var environment: Environment
    /// True for a device that is not signed in before an action pairs it.
    package var joinsLater: Bool
    /// Whether what is chosen there waits on the device and goes out with everything that devices keep alike. False for a client that asks for each
    /// thing by its own route, and waits for the answer.
    package var syncs: Bool

    package init(
        name: DeviceName,
        platform: Platform = .ios,
        environment: Environment = .production,
        joinsLater: Bool = false,
        syncs: Bool = true
    ) {
        self.name = name
        self.platform = platform
        self.environment = environment
        self.joinsLater = joinsLater
        self.syncs = syncs
    }
}

/// The GitLab token a person gave to the notifier.
package struct PersonalAccessToken: Sendable, Equatable {
    /// What the token may be used for (GitLab facts §2).
    package enum Scope: String, Sendable, CaseIterable {
        case api
        case readAPI = "read_api"
        case readUser = "read_user"
        case readRepository = "read_repository"
    }

    /// At least one, in the order of the file.
    package var scopes: [Scope] = [.readAPI]
    /// When it expires, as an offset from the start; nil for never.
    package var expiry: Duration?
}

/// A GitLab project with its members and items.
package struct Project: Sendable, Equatable {
    package var path: ProjectPath
    package var members: [Member]
    package var items: [Item]

    package init(path: ProjectPath, members: [Member], items: [Item] = []) {
        self.path = path
        self.members = members
        self.items = items
    }
}

/// A person's place in a project.
package struct Member: Sendable, Equatable {
    /// In rising order of rights.
    package enum Role: String, Sendable, CaseIterable, Comparable {
        case guest, reporter, developer, maintainer, owner

        /// GitLab's number for the role: 10 for a guest to 50 for an owner.
        var accessLevel: Int {
            switch self {
            case .guest: 10
            case .reporter: 20
            case .developer: 30
            case .maintainer: 40
            case .owner: 50
            }
        }

        package static func < (left: Role, right: Role) -> Bool { left.accessLevel < right.accessLevel }
    }

    package var username: Username
    package var role: Role

    package init(username: Username, role: Role) {
        self.username = username
        self.role = role
    }
}

/// An issue or a merge request as it is when the story begins.
package struct Item: Sendable, Equatable {
    /// GitLab's states of an item; only a merge request can be merged.
    package enum State: String, Sendable, CaseIterable { case opened, closed, merged }

    package var kind: ItemKind
    package var iid: Int64
    package var title: String
    package var author: Username
    package var assignees: [Username]
    /// Empty for issues.
    package var reviewers: [Username]
    package var labels: [String]
    package var state: State
    /// False for issues.
    package var isDraft: Bool
    /// False for merge requests.
    package var isConfidential: Bool
    /// How many comments were written long before the story begins.
    package var oldNotes: Int

    package init(
        kind: ItemKind,
        iid: Int64,
        title: String,
        author: Username,
        assignees: [Username] = [],
        reviewers: [Username] = [],
        labels: [String] = [],
        state: State = .opened,
        isDraft: Bool = false,
        isConfidential: Bool = false,
        oldNotes: Int = 0
    ) {
        self.kind = kind
        self.iid = iid
        self.title = title
        self.author = author
        self.assignees = assignees
        self.reviewers = reviewers
        self.labels = labels
        self.state = state
        self.isDraft = isDraft
        self.isConfidential = isConfidential
        self.oldNotes = oldNotes
    }

    /// The item's name in the whole instance.
    package func reference(in project: ProjectPath) -> ItemReference {
        ItemReference(project: project, kind: kind, iid: iid)
    }
}
