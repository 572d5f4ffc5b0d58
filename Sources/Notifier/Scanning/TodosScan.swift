/// Reads a list to its end, wherever new rows may stand in it.
struct CompleteScan<Row: IdentifiedRow>: ListScan {
    static var source: ReadingSource { .todos }
    static var mayEndEarly: Bool { true }

    private var progress: ScanProgress<Row>
    /// What the pages list, seen before or not; since the list was begun last.
    private(set) var listedIDs: [Int64] = []
    /// What the first page lists, also where it is as it was.
    private(set) var firstPageIDs: [Int64]
    /// Says of a row why nobody waits behind it any more; nil where nobody asks.
    private let ending: (@Sendable (Row) -> TodoEnding?)?
    /// What it said of the rows that were shown, seen before or not. A page that is as it was has been asked about.
    private(set) var endings: [Int64: TodoEnding] = [:]

    /// `firstPageIDs` are those of the page that is remembered, if it is.
    init(
        limits: ScanLimits = ScanLimits(),
        firstPageIDs: [Int64] = [],
        ending: (@Sendable (Row) -> TodoEnding?)? = nil
    ) {
        progress = ScanProgress(limits: limits)
        self.firstPageIDs = firstPageIDs
        self.ending = ending
    }

    /// The unseen rows, in the list's order.
    var found: [Row] { progress.found }
    /// Where the reading of now began.
    private(set) var firstPage = 1
    var restarts: Int { progress.restarts }

    /// Takes a page that was read.
    mutating func take(_ page: Page<Row>, known: IDSet) -> ScanStep {
        _ = progress.collect(page.rows, unlessIn: known)
        if let ending {
            for row in page.rows { endings[row.id] = ending(row) }
        }
        let ids = page.rows.map(\.id)
        if page.number == 1 { firstPageIDs = ids }
        listedIDs += ids
        return take(page.head)
    }

    mutating func takeUnchanged(_ memory: ListMemory, _ head: PageHead) -> ScanStep {
        listedIDs += firstPageIDs
        return take(head)
    }

    func begins(at page: Int) -> Bool { page == 1 }

    /// Rows that come or go in front of it show in the total, as they do while a list is read.
    func rest(from page: Int) -> ListRest? {
        progress.restTotal(from: page).map { ListRest(page: page, total: $0) }
    }

    /// The same reading, going on at `page` when the rows that are `known` by now have been dealt with.
    func goingOn(at page: Int, known: IDSet) -> Self {
        var scan = self
        scan.firstPage = page
        scan.progress.leaveOut(known)
        return scan
    }

    private mutating func take(_ head: PageHead) -> ScanStep {
        progress.countPage()
        if progress.didShrink(to: head.total) {
            // What is gone may have been listed.
            listedIDs = []
            return progress.restart(at: 1)
        }
        guard let next = head.nextPage else { return .finished }
        return progress.step(to: next)
    }
}

/// Reads every pending to-do: there may be new ones anywhere, since a snoozed or undone one comes back with its old id
/// (GitLab facts §6, trap 6).
typealias TodosScan = CompleteScan<TodoRow>
