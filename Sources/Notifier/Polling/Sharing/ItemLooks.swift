import Platform

/// What looks at one item have shown, and who wants to know.
struct ItemLooks: Sendable {
    /// What can be looked at.
    enum List: Hashable, Sendable {
        /// The item's row in the lists of its project.
        case row
        /// Who has approved it.
        case approvals
        /// One page of a list of its own.
        case page(target: String)
    }

    /// Lists that are remembered; a page that is not the last any more is asked for no more.
    static let limit = 8

    /// In the order in which they came.
    private(set) var watchers: [LookWatcher] = []
    /// The one looked at last is last.
    private var lists: [(list: List, looks: ListLooks)] = []
    /// When the newest look at any of them was answered; nil before there was one.
    private var newestLook: MonotonicInstant?
    /// Whose round has come to the item, and since when.
    private var round: (watcher: LookWatcher.ID, since: MonotonicInstant)?

    /// Who looks at its lists at this moment.
    private var underWay = LooksUnderWay()

    /// Who asks for rows of which the item's is one, and since when.
    private var sweep: (watcher: LookWatcher.ID, since: MonotonicInstant)?

    /// How long others leave rows to whoever asks for them.
    static let longestSweep = Duration.seconds(5)
    /// How long others leave an item to whoever's round has come to it.
    static let longestRound = Duration.seconds(10)

    /// Rises whenever others than the row's standings, or the number of watchers, may be other ones.
    private let listsRevision = LookRevision()

    /// As what is known of the lists but for the row, and of who watches, is now.
    var listsMark: LookRevision.Mark { listsRevision.mark }

    /// Rises whenever a look at the row showed another than was known, or it is forgotten: what is shown again is only shown later.
    private let rowRevision = LookRevision()

    /// As what is known of the row is now, but for when it was shown.
    var rowMark: LookRevision.Mark { rowRevision.mark }

    /// Nobody can share what only one looks at.
    var isShared: Bool { watchers.count > 1 }

    /// From now on `watcher` is told of changes.
    mutating func join(_ watcher: LookWatcher) {
        guard !watchers.contains(where: { $0.id == watcher.id }) else { return }
        watchers.append(watcher)
        listsRevision.rise()
    }

    /// Whoever remains alone shares nothing.
    mutating func leave(_ watcher: LookWatcher.ID) {
        watchers.removeAll { $0.id == watcher }
        endRound(watcher)
        endSweep(watcher)
        underWay.leave(watcher)
        if !isShared { lists = [] }
        listsRevision.rise()
        rowRevision.rise()
    }

    /// The round of `watcher` comes to the item; false while another's is there, whose look may make this one needless.
    mutating func beginRound(_ watcher: LookWatcher.ID, at now: MonotonicInstant) -> Bool {
        guard isShared else { return true }
        if let round, round.watcher != watcher, now < round.since.advanced(by: Self.longestRound) { return false }
        round = (watcher, now)
        return true
    }

    /// The round of `watcher` goes on to other items.
    mutating func endRound(_ watcher: LookWatcher.ID) {
        if round?.watcher == watcher { round = nil }
    }

    /// Whether another than `watcher` asks for rows of which the item's is one.
    func isSwept(byOtherThan watcher: LookWatcher.ID, at now: MonotonicInstant) -> Bool {
        guard let sweep, sweep.watcher != watcher else { return false }
        return now < sweep.since.advanced(by: Self.longestSweep)
    }

    /// `watcher` asks for rows of which the item's is one.
    mutating func beginSweep(_ watcher: LookWatcher.ID, at now: MonotonicInstant) {
        if isShared { sweep = (watcher, now) }
    }

    /// `watcher` has its answer, or will not have one.
    mutating func endSweep(_ watcher: LookWatcher.ID) {
        if sweep?.watcher == watcher { sweep = nil }
    }

    /// A look begins, for which others may wait.
    mutating func begin(_ look: LooksUnderWay.Look) {
        if isShared { underWay.begin(look) }
    }

    /// Waits for another's look, as ``LooksUnderWay`` says.
    mutating func join(_ own: LooksUnderWay.Look, _ signal: WakeSignal) -> MonotonicInstant? {
        underWay.join(own, signal)
    }

    /// A look has ended; returns whom to wake.
    mutating func end(_ look: LooksUnderWay.Look) -> [WakeSignal] { underWay.end(look) }

    /// Somebody looked at one of the item's lists, or its row; true when that is a change of which nobody has told.
    mutating func take(_ sight: SharedLooks.Sight, _ look: ListLooks.Look) -> Bool {
        let list = sight.list.list
        guard isShared else { return false }
        newestLook = max(newestLook ?? look.answeredAt, look.answeredAt)
        var looks = place(of: list).map { lists.remove(at: $0).looks } ?? ListLooks()
        if list != .row {
            listsRevision.rise()
        } else if !looks.areConfirmed(by: sight.validator, after: sight.previous) {
            rowRevision.rise()
        }
        let isNews = looks.take(
            sight.validator,
            after: sight.previous,
            look,
            frame: sight.frame,
            movedAt: sight.movedAt,
            isShown: sight.isShown
        )
        lists.append((list, looks))
        if lists.count > Self.limit, lists.removeFirst().list == .row { rowRevision.rise() }
        return isNews
    }

    /// False where nobody has been answered since `instant`: then nothing is known that somebody who looked at that time does not know. Every
    /// cycle asks this of every item.
    func isSeen(since instant: MonotonicInstant) -> Bool { newestLook.map { $0 > instant } ?? false }

    /// What others have seen of `list` since a look that began at `instant` and showed `validator`.
    func standing(of validator: String, since instant: MonotonicInstant, at list: List) -> ListLooks.Standing {
        place(of: list).map { lists[$0].looks.standing(of: validator, since: instant) } ?? .unknown
    }

    /// What the item's row has become for those who saw `validator`, when its notes tell all that has changed.
    func successor(ofRow validator: String, since instant: MonotonicInstant) -> String? {
        place(of: .row).flatMap { lists[$0].looks.successor(of: validator, since: instant) }
    }

    /// When the item's row moved to `validator`, as far as those know who were shown it.
    func movedAt(row validator: String) -> MonotonicInstant? {
        place(of: .row).flatMap { lists[$0].looks.movedAt(validator) }
    }

    /// When an answer last showed the item's row with `validator`, whoever's it was; nil when it is not like that any more.
    func shownAt(row validator: String) -> MonotonicInstant? {
        place(of: .row).flatMap { lists[$0].looks.shownAt(validator) }
    }

    /// When somebody was first shown `list` with `validator`; nil when nobody was, or it is forgotten.
    func firstSight(of validator: String, at list: List) -> MonotonicInstant? {
        place(of: list).flatMap { lists[$0].looks.firstSight(of: validator) }
    }

    /// What is found there is looked into where it lies: a copy of it, with all its validators, would cost more than the look.
    private func place(of list: List) -> Int? { lists.firstIndex { $0.list == list } }
}
