#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a person's devices keep alike, as one device has it.
public struct SyncCopy: Sendable, Equatable {
    /// How many read marks are kept; beyond it those that came first go. The server forgets them with their notifications, and tells nobody.
    public static let readMarkCapacity = 10_000

    /// Entries of the watch list, with their mutes.
    public var watches: [ItemReference: WatchedItem] = [:]
    /// The last choice about an item: `watched`, `unwatched` or `dismissed`.
    public var choices: [ItemReference: String] = [:]
    /// Who is on the deny-list, by GitLab's number of them.
    public var deniedActors: [Int64: DeniedActor] = [:]
    /// Ids of notifications that are read, with a number that rises in the order in which they came.
    public private(set) var readMarks: [String: Int] = [:]
    private var lastReadMark = 0
    /// The settings; nil before the server has told them.
    public var settings: PersonSettings?
    /// What several people do in turn.
    public var rota = DutyCopy()

    /// Begins empty.
    public init() {}

    /// The watch list, oldest entry first.
    public var watchList: [WatchedItem] {
        watches.values.sorted { one, other in
            one.createdAt == other.createdAt ? one.item < other.item : one.createdAt < other.createdAt
        }
    }

    /// Whether a notification is read.
    public func isRead(_ id: String) -> Bool { readMarks[id] != nil }

    /// Takes read marks back from where they were kept.
    public mutating func restore(readMarks: [String: Int]) {
        self.readMarks = readMarks
        lastReadMark = readMarks.values.max() ?? 0
    }

    // MARK: What the server tells

    mutating func take(_ page: SyncPage) {
        for watch in page.changes.watches { watches[watch.item] = watch }
        for choice in page.changes.choices { choices[choice.item] = choice.choice }
        for actor in page.changes.deniedActors { deniedActors[actor.gitlabUserId] = actor }
        for mark in page.changes.readMarks { note(mark.notificationId, isRead: mark.read) }
        if let settings = page.changes.settings { self.settings = settings }
        rota.take(page.changes)
        for deleted in page.deleted {
            switch deleted {
            case .watch(let item): watches[item] = nil
            case .deniedActor(let number): deniedActors[number] = nil
            case .duty(let id): rota.forget(duty: id)
            case .occurrence(let id): rota.turns[id] = nil
            case .dutyEvent(let id): rota.forget(event: id)
            case .dutyMute(let id): rota.mutes[id] = nil
            case .other: break
            }
        }
    }

    /// Takes what holds now of the thing that a change of this device is about.
    mutating func take(_ held: SyncReceipt.Held, after change: PendingChange) {
        switch held {
        case .choice(let item, let choice):
            choices[item] = choice
            if choice == "watched" { begin(item, change) } else { watches[item] = nil }
        case .mute(let item, let end): watches[item]?.mutedUntil = end
        case .deniedActor(let actor, let isDenied): deniedActors[actor.gitlabUserId] = isDenied ? actor : nil
        case .settings(let settings): self.settings = settings
        case .readMark(let id, let isRead): note(id, isRead: isRead)
        case .duty, .member, .turn, .dutyMute: rota.take(held, after: change)
        case .other:
            // What was ended is told by its id alone.
            if case .duty = change.wanted { rota.apply(change) }
        }
    }

    // MARK: What the person chooses

    /// Shows a change that the server has not answered.
    ///
    /// - Parameters:
    ///   - change: what is wanted.
    ///   - mutes: ends of mutes that were chosen about items which are not in the list yet.
    mutating func apply(_ change: PendingChange, _ mutes: inout [ItemReference: Date?]) {
        switch change.wanted {
        case .watch(let item):
            choices[item] = "watched"
            begin(item, change)
            if let end = mutes.removeValue(forKey: item) { watches[item]?.mutedUntil = end }
        case .unwatch(let item): end(item, "unwatched", &mutes)
        case .dismiss(let item): end(item, "dismissed", &mutes)
        case .mute(let item, let end):
            if watches[item] == nil { mutes[item] = .some(end) } else { watches[item]?.mutedUntil = end }
        case .deny(let number, let isDenied, let name, let reason):
            let actor = DeniedActor(gitlabUserId: number, displayName: name, reason: reason)
            deniedActors[number] = isDenied ? actor : nil
        case .settings(let change): settings = settings?.changed(by: change)
        case .read(let id, let isRead): note(id, isRead: isRead)
        case .duty: rota.apply(change)
        }
    }

    private mutating func begin(_ item: ItemReference, _ change: PendingChange) {
        guard watches[item] == nil else { return }
        watches[item] = WatchedItem(
            watchedItemId: nil,
            item: item,
            title: change.label?.title ?? "",
            projectPath: change.label?.projectPath,
            createdAt: change.changedAt
        )
    }

    private mutating func end(_ item: ItemReference, _ choice: String, _ mutes: inout [ItemReference: Date?]) {
        choices[item] = choice
        watches[item] = nil
        mutes[item] = nil
    }

    private mutating func note(_ id: String, isRead: Bool) {
        guard isRead else {
            readMarks[id] = nil
            return
        }
        guard readMarks[id] == nil else { return }
        lastReadMark += 1
        readMarks[id] = lastReadMark
        guard readMarks.count > Self.readMarkCapacity else { return }
        if let oldest = readMarks.min(by: { $0.value < $1.value }) { readMarks[oldest.key] = nil }
    }
}

extension ItemReference: Comparable {
    /// By project, kind and number.
    public static func < (one: ItemReference, other: ItemReference) -> Bool {
        (one.projectID, one.kind.rawValue, one.iid) < (other.projectID, other.kind.rawValue, other.iid)
    }
}
