import HTTP
import Platform

/// Everything the fake knows: one value behind one lock. Its parts are extended next to the concept they serve.
struct InstanceState: Sendable {
    let configuration: FakeGitLab.Configuration
    var version: GitLabVersion
    var sequences: IDSequences

    // The world.
    var people: [Person] = []
    var peopleByUsername: [String: Int] = [:]
    /// Rows of merge requests in project lists.
    var keptRows: [KeptRow.Place: KeptRow] = [:]
    var projects: [Project] = []
    var projectsByPath: [String: Int] = [:]
    var projectsByID: [Int64: Int] = [:]
    /// Old path of a moved project → index.
    var formerPaths: [String: Int] = [:]
    var items: [Item] = []
    var labels: [Label] = []
    var labelsByName: [String: Int] = [:]
    var milestones: [Milestone] = []
    /// When the next milestone that is not expired yet will be.
    var nextMilestoneExpiry = WallTime.distantFuture
    var tokens: [String: Token] = [:]
    /// Reactions by index of the item.
    var awards: [Int: Table<Award>] = [:]
    /// What was pushed, by index of the merge request.
    var diffs: [Int: DiffHistory] = [:]
    /// Hooks of projects, by id.
    var hooks: [ProjectHook] = []
    /// The instance's own hook bears it everywhere.
    var configuredHookUUID = ""
    var notificationSettings: [NotificationSetting.Key: NotificationSetting] = [:]
    var nextDiscussion: UInt64 = 1
    /// Moves when any item of the instance looks different.
    var itemClock = ListClock()
    var touchLog = TouchLog()
    /// Comment events whose background jobs have not run yet, by the time at which they will.
    var pendingEvents: [FeedEvent] = []
    var ledger: [Activity] = []
    /// Grows with rare changes that any page may show: names, roles, visibility, version.
    var generation: Int64 = 0

    /// What of its rows can be read by now.
    var primary = PrimaryTime()

    // What is wrong with it.
    var outages: [Outage] = []
    var lag: ReplicaLag?
    var lateCommits: [LateCommit] = []
    var heldRows: [HeldRow] = []
    var drifts: [PageDrift] = []
    var changedRows: [ChangedRows] = []
    /// The fault by which the jobs that write the system notes of approvals are lost.
    var losesApprovalNotes: String?
    var requestLimiter: RequestLimiter
    var noteLimiter: NoteLimiter

    // What was asked of it.
    var pages = PageCache()
    var requestNumber: UInt64 = 0
    var dateText = DateText()
    var counts: [CountKey: Int] = [:]
    var unknownRequests: [UnknownRequest] = []
    var unknownRequestCount = 0
    /// Route and name of each parameter that was ignored, once.
    var ignoredParameters: Set<String> = []
    /// What routes declare, by route and release.
    var ruleSets: [Int: ParameterRuleSet] = [:]

    // One stream per purpose, so that a draw for one does not shift another.
    var identifierRandom: RandomStream
    var lagRandom: RandomStream
    var serviceRandom: RandomStream
    var hookRandom: RandomStream
    var hookIdentityRandom: RandomStream
    var hookHealth = WebhookHealth()
    var tokenRandom: RandomStream
    var oauthRandom: RandomStream
    var oauth = OAuthState()

    init(configuration: FakeGitLab.Configuration, seed: UInt64) {
        self.configuration = configuration
        version = configuration.version
        sequences = IDSequences(largeIDs: configuration.largeIDs)
        requestLimiter = RequestLimiter(limit: configuration.requestLimit)
        noteLimiter = NoteLimiter(limit: configuration.noteLimit)
        identifierRandom = RandomStream(seed: seed, stream: "gitlab.identifiers")
        lagRandom = RandomStream(seed: seed, stream: "gitlab.lag")
        serviceRandom = RandomStream(seed: seed, stream: "gitlab.service")
        oauthRandom = RandomStream(seed: seed, stream: "gitlab.oauth")
        hookRandom = RandomStream(seed: seed, stream: "gitlab.hooks")
        hookIdentityRandom = RandomStream(seed: seed, stream: "gitlab.hook-identities")
        tokenRandom = RandomStream(seed: seed, stream: "gitlab.tokens")
        configuredHookUUID = UUIDText.next(&hookIdentityRandom)
    }

    /// A commit id: 40 hexadecimal digits.
    mutating func newSHA() -> String {
        var bytes: [UInt8] = []
        for _ in 0..<3 { bytes.appendHex(identifierRandom.next()) }
        return String(decoding: bytes.prefix(40), as: UTF8.self)
    }

    /// Tells every rendered page that something it may show has changed.
    mutating func invalidateEverything() {
        generation += 1
        pages.removeAll()
        for index in people.indices { people[index].json = [] }
        for index in items.indices {
            items[index].row.json = []
            items[index].notes.forgetJSON()
        }
    }
}

extension [UInt8] {
    /// 16 hexadecimal digits.
    mutating func appendHex(_ value: UInt64) {
        for shift in stride(from: 60, through: 0, by: -4) {
            append(JSONWriter.hexDigit(UInt8(value >> UInt64(shift) & 0xF)))
        }
    }
}
