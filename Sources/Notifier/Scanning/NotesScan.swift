/// Reads an item's notes, newest first, until a page shows nothing unseen and lies below every late row one may expect.
struct NotesScan: ListScan {
    static let source = ReadingSource.notes

    /// How far to read.
    enum Extent: Hashable, Sendable {
        /// To the first page without unseen rows whose smallest id is not above the floor.
        case untilKnown
        /// To the last page: the baseline and the slow reconciliation.
        case everything
    }

    /// The part of a page that decides whether to go on.
    private struct Extract {
        var number: Int
        var smallestID: Int64?
        /// The last row, which the list has for the oldest.
        var lastID: Int64?
        var hasUnseen: Bool
        var nextPage: Int?
        var total: Int?
    }

    /// What is behind is found by the next reading from end to end.
    static var mayEndEarly: Bool { true }

    let extent: Extent
    /// The largest id below which no late row is expected any more; nil when nothing is known.
    let floor: Int64?
    private var progress: ScanProgress<NoteRow>
    /// True once a page ended below the floor: an unseen row behind it would be later than one may expect, and the next
    /// reconciliation finds it.
    private(set) var isSufficient = false
    /// True once the list's last page was read, and with it every row that the list has.
    private(set) var isWhole = false

    init(extent: Extent, floor: Int64? = nil, limits: ScanLimits = ScanLimits()) {
        self.extent = extent
        self.floor = floor
        progress = ScanProgress(limits: limits)
    }

    /// The unseen rows, newest first.
    var found: [NoteRow] { progress.found }
    var firstPage: Int { 1 }
    var restarts: Int { progress.restarts }

    /// Takes a page that was read.
    mutating func take(_ page: Page<NoteRow>, known: IDSet) -> ScanStep {
        let hasUnseen = progress.collect(page.rows, unlessIn: known)
        return take(
            Extract(
                number: page.number,
                smallestID: page.rows.lazy.map(\.id).min(),
                lastID: page.rows.last?.id,
                hasUnseen: hasUnseen,
                nextPage: page.head.nextPage,
                total: page.head.total
            )
        )
    }

    mutating func takeUnchanged(_ memory: ListMemory, _ head: PageHead) -> ScanStep {
        take(
            Extract(
                number: memory.page,
                smallestID: memory.smallestID,
                lastID: memory.smallestID,
                hasUnseen: false,
                nextPage: head.nextPage,
                total: head.total
            )
        )
    }

    func begins(at page: Int) -> Bool { page == 1 }

    private mutating func take(_ page: Extract) -> ScanStep {
        progress.countPage()
        if progress.didShrink(to: page.total) {
            isSufficient = false
            isWhole = false
            return progress.restart(at: 1)
        }
        isWhole = page.nextPage == nil
        guard let next = page.nextPage, goesOn(behind: page) else { return .finished }
        return progress.step(to: next)
    }

    private mutating func goesOn(behind page: Extract) -> Bool {
        isSufficient = isSufficient || isBelowFloor(page.lastID)
        if case .everything = extent { return true }
        return page.hasUnseen || !isBelowFloor(page.smallestID)
    }

    /// A page without rows says nothing: they may all be hidden from this person (traps 2, 3).
    private func isBelowFloor(_ id: Int64?) -> Bool {
        guard let floor, let id else { return false }
        return id <= floor
    }
}
