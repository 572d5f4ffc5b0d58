/// Reads a project's activity feed, newest first, until a page shows nothing unseen and lies below every late row one may
/// expect (GitLab facts §12).
///
/// Nothing rests on its being complete: the lists of the items find later what it leaves out. So at its bound it ends
/// instead of failing, and so it does where no more rows can be held: the next reading goes on behind those that are known.
struct EventsScan: ListScan {
    static let source = ReadingSource.events
    static var mayEndEarly: Bool { true }

    /// Rows of one reading: more than any project writes in two days.
    private static let rowLimit = 3_000

    /// The smallest id that was seen so long ago that no late row is expected below it.
    let floor: Int64?
    private var progress: ScanProgress<EventRow>

    init(floor: Int64?, rowsPerPage: Int) {
        self.init(floor: floor, limits: ScanLimits(rows: Self.rowLimit, rowsPerPage: rowsPerPage))
    }

    init(floor: Int64?, limits: ScanLimits) {
        self.floor = floor
        progress = ScanProgress(limits: limits)
    }

    /// The unseen rows, newest first.
    var found: [EventRow] { progress.found }
    var firstPage: Int { 1 }
    var restarts: Int { progress.restarts }

    mutating func take(_ page: Page<EventRow>, known: IDSet) -> ScanStep {
        let hasUnseen = progress.collect(page.rows, unlessIn: known)
        return take(page.head, smallestID: page.rows.lazy.map(\.id).min(), hasUnseen: hasUnseen)
    }

    mutating func takeUnchanged(_ memory: ListMemory, _ head: PageHead) -> ScanStep {
        take(head, smallestID: memory.smallestID, hasUnseen: false)
    }

    func begins(at page: Int) -> Bool { page == 1 }

    private mutating func take(_ head: PageHead, smallestID: Int64?, hasUnseen: Bool) -> ScanStep {
        progress.countPage()
        if progress.didShrink(to: head.total) { return progress.restart(at: 1) }
        guard let next = head.nextPage, progress.pagesRead < progress.limits.pages else { return .finished }
        if !hasUnseen, let smallestID, let floor, smallestID <= floor { return .finished }
        return .read(page: next)
    }
}
