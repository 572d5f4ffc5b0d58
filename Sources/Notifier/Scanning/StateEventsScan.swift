/// Reads an item's resource events, which come oldest first, from the last page known to the end (GitLab facts §10, trap 14).
struct OldestFirstScan<Row: IdentifiedRow>: ListScan {
    typealias Resume = ListEnd

    static var source: ReadingSource { .activity }

    private var progress: ScanProgress<Row>
    private let rowsPerPage: Int
    private let expected: Resume?
    /// Where the reading of now began.
    private(set) var firstPage: Int
    private var knownRead = 0
    private var rowsRead = 0
    private var lastPage = Resume(page: 1, rowCount: 0, rowsOnPage: 0)

    init(resume: Resume?, rowsPerPage: Int) {
        expected = resume
        firstPage = resume?.page ?? 1
        self.rowsPerPage = rowsPerPage
        progress = ScanProgress(limits: ScanLimits(rowsPerPage: rowsPerPage))
    }

    /// The unseen rows, oldest first.
    var found: [Row] { progress.found }
    /// How often the list was read from its beginning because rows had moved.
    var restarts: Int { progress.restarts }

    /// True when the reading began with the first page: once it has finished, it has read every row that the list has.
    var isWhole: Bool { firstPage == 1 }

    /// Where the next scan may begin, once this one has finished.
    var resume: Resume { lastPage }

    /// Takes a page that was read.
    mutating func take(_ page: Page<Row>, known: IDSet) -> ScanStep {
        _ = progress.collect(page.rows, unlessIn: known)
        let knownRows = page.rows.count { known.contains($0.id) }
        return take(page.head, number: page.number, rows: page.rows.count, knownRows: knownRows)
    }

    mutating func takeUnchanged(_ memory: ListMemory, _ head: PageHead) -> ScanStep {
        let rows = expected?.rowsOnPage ?? 0
        return take(head, number: firstPage, rows: rows, knownRows: rows)
    }

    func begins(at page: Int) -> Bool { page == lastPage.page }

    private mutating func take(_ head: PageHead, number: Int, rows: Int, knownRows: Int) -> ScanStep {
        progress.countPage()
        if progress.didShrink(to: head.total) { return restart() }
        rowsRead += rows
        knownRead += knownRows
        if let next = head.nextPage { return progress.step(to: next) }
        if !agrees(total: head.total) { return restart() }
        lastPage = Resume(
            page: rows >= rowsPerPage ? number + 1 : number,
            rowCount: rowsBefore + rowsRead,
            rowsOnPage: rows >= rowsPerPage ? 0 : rows
        )
        return .finished
    }

    /// Rows on the pages that were not read.
    private var rowsBefore: Int { (firstPage - 1) * rowsPerPage }

    /// Whether the pages that were not read can hold nothing but the known rows that were not read. If not, rows have moved
    /// to earlier pages, and a new one may stand there.
    private func agrees(total: Int?) -> Bool {
        guard firstPage > 1, let expected else { return true }
        if let total, total != rowsBefore + rowsRead { return false }
        return rowsBefore + knownRead == expected.rowCount
    }

    private mutating func restart() -> ScanStep {
        firstPage = 1
        rowsRead = 0
        knownRead = 0
        return progress.restart(at: 1)
    }
}

/// Reads closes, reopenings and merges.
typealias StateEventsScan = OldestFirstScan<StateEventRow>

/// What a scan learnt about where a list that comes oldest first ends.
struct ListEnd: Hashable, Sendable {
    /// The page on which the next row will appear.
    var page: Int
    /// Rows in the list, all of them known.
    var rowCount: Int
    /// Rows on `page`, all of them known.
    var rowsOnPage: Int
}
