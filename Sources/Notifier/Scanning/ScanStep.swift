import Platform

/// What a scan wants after a page.
enum ScanStep: Hashable, Sendable {
    case read(page: Int)
    /// The list was read as far as it matters; what was found may be relied on.
    case finished
    /// Nothing that was found may move any state (GitLab facts §18, traps 7 and 24).
    case failed(GitLabError)
}

/// Decides, page by page, how far a list is read, and collects what is new.
protocol ListScan: Sendable {
    associatedtype Row: IdentifiedRow

    /// What it is counted as.
    static var source: ReadingSource { get }
    /// Whether what was found may be relied on though the list was not read to its end, as nothing rests on its order.
    static var mayEndEarly: Bool { get }
    /// Whether the pages taken so far make a reading by themselves, so that a failure behind them costs only what was looked for there.
    var isSufficient: Bool { get }
    /// Where the reading begins.
    var firstPage: Int { get }
    /// Rows not seen before, each once, in the list's order.
    var found: [Row] { get }
    /// How often the list was read again because rows had moved under way.
    var restarts: Int { get }

    /// Takes a page that was read.
    mutating func take(_ page: Page<Row>, known: IDSet) -> ScanStep
    /// Takes the first page when it is as it was when all its rows had been dealt with.
    mutating func takeUnchanged(_ memory: ListMemory, _ head: PageHead) -> ScanStep
    /// Whether `page` is where the next reading begins, so that it is worth remembering.
    func begins(at page: Int) -> Bool
    /// What is left to another reading when this one ends before it has asked for `page`; nil where nothing is to be gained by that.
    func rest(from page: Int) -> ListRest?
    /// What a scan that has finished has left in front of where it began.
    var front: ListRest? { get }
}

/// What a reading has left of a list whose newest rows come first: all in front of it has been read, and is to be dealt with.
///
/// Another reading that goes on there is as good as one that took so long: new rows move the others further down, to where they are still read,
/// and that rows are gone shows in the total.
struct ListRest: Hashable, Sendable {
    /// Behind the list's last page: nothing is left but what has come since.
    static let end = Int.max

    var page: Int
    /// How many rows the list had.
    var total: Int
    /// From the first page from there on that shows no unseen rows, the reading goes on here; nil where everything from there on is unread.
    var then: Int?
    /// Every row is to be looked at, to the list's last page, known or not.
    var isOfEverything = false
    /// When the last row was written that lay in front of `page`, where `then` is set: what is known and not older has been moved down from
    /// there by what came since, and says nothing of what lies behind it. Nil where nobody knows.
    var frontEnd: WallTime?

    /// Whether the list was read to where a reading ends.
    var isEnded: Bool { page == Self.end || then == Self.end }
}

extension ListScan {
    static var mayEndEarly: Bool { false }
    var isSufficient: Bool { false }
    func rest(from page: Int) -> ListRest? { nil }
    var front: ListRest? { nil }
}

/// The bounds of every scan.
struct ScanLimits: Hashable, Sendable {
    /// GitLab's own cap of 5,000 comments makes 50 pages, and system notes come on top (GitLab facts §8.1).
    var pages = 400
    /// How often a list is read again because rows vanished while it was read.
    var restarts = 3
}

extension ScanLimits {
    /// Room for ten thousand rows in pages of any size: twice GitLab's own cap, where rows are so long that a page holds few of them.
    init(rowsPerPage: Int) {
        self.init(rows: 10_000, rowsPerPage: rowsPerPage)
        pages = max(pages, ScanLimits().pages)
    }

    /// Room for so many rows.
    init(rows: Int, rowsPerPage: Int) {
        self.init(pages: (rows + rowsPerPage - 1) / rowsPerPage)
    }
}

/// What all scans do alike: count pages, notice a list that shrank under way, and collect what is new.
struct ScanProgress<Row: IdentifiedRow>: Sendable {
    let limits: ScanLimits
    /// Rows not seen before, each once, in the order in which they were read.
    private(set) var found: [Row] = []
    private(set) var pagesRead = 0
    private(set) var restarts = 0
    private var foundIDs = IDSet()
    /// What the pages read last, or another reading before, said the list has; nil while nothing did.
    private(set) var lastTotal: Int?

    init(limits: ScanLimits, total: Int? = nil) {
        self.limits = limits
        lastTotal = total
    }

    /// Collects the unseen rows of a page; true when there was one, even if another page had shown it already.
    mutating func collect(_ rows: [Row], unlessIn known: IDSet) -> Bool {
        var isAnyUnseen = false
        for row in rows where !known.contains(row.id) {
            isAnyUnseen = true
            if foundIDs.insert(row.id) { found.append(row) }
        }
        return isAnyUnseen
    }

    /// How many rows a rest from `page` on is to be measured by; nil where another reading gains nothing by it, or would not notice that rows
    /// are gone. A list that is to be read again from its first page is not measured by anything.
    func restTotal(from page: Int) -> Int? {
        page > 1 ? lastTotal : restarts > 0 ? 0 : nil
    }

    /// What is known by now is found no more.
    mutating func leaveOut(_ known: IDSet) {
        found.removeAll { known.contains($0.id) }
    }

    /// Notes the total a page claims; true when it is less than a moment ago, so that a row may have slipped between two
    /// pages (trap 29).
    mutating func didShrink(to total: Int?) -> Bool {
        defer { lastTotal = total ?? lastTotal }
        guard let total, let lastTotal else { return false }
        return total < lastTotal
    }

    /// Counts a page that was read. Asking for one more than the limit fails aloud instead of leaving rows unread.
    mutating func step(to page: Int) -> ScanStep {
        guard pagesRead < limits.pages else { return .failed(.tooManyPages(pages: pagesRead)) }
        return .read(page: page)
    }

    mutating func countPage() {
        pagesRead += 1
    }

    /// Begins again at `page`; what was found stays found.
    mutating func restart(at page: Int) -> ScanStep {
        guard restarts < limits.restarts else { return .failed(.unstable) }
        restarts += 1
        lastTotal = nil
        return step(to: page)
    }
}
