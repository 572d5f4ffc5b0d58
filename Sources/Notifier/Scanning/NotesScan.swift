import Platform

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
        /// When that was written.
        var lastWrittenAt: WallTime?
        var hasUnseen: Bool
        var nextPage: Int?
        var total: Int?
    }

    /// What is behind is found by the next reading from end to end.
    static var mayEndEarly: Bool { true }

    private(set) var extent: Extent
    /// The largest id below which no late row is expected any more; nil when nothing is known.
    let floor: Int64?
    private var progress: ScanProgress<NoteRow>
    /// What an earlier reading has left, until this one has come to it.
    private var pending: ListRest?
    /// The first page behind what was passed over; it must say how many rows there are, or nobody knows whether others have come before it.
    private var restPage: Int?
    /// When the last row was written that the pages have shown in front of that.
    private var frontEnd: WallTime?
    /// True once a page ended below the floor: an unseen row behind it would be later than one may expect, and the next
    /// reconciliation finds it.
    private var hasReachedFloor = false
    private var lastPage = 0
    /// True once it has come to what an earlier reading had dealt with, to the end of the list.
    private var hasPassedToEnd = false
    /// True once the list's last page was read, and with it every row that the list has.
    private(set) var isWhole = false
    /// Where the reading begins.
    private(set) var firstPage = 1
    /// Says of known rows whether the person has answered by them; nil where nobody asks.
    private let answers: (@Sendable (NoteRow) -> Bool)?
    /// When the last of those was written that were shown.
    private(set) var answeredAt: WallTime?

    /// With a `rest` the reading goes from the first page without unseen rows to that, and on from there; or it begins there.
    init(
        extent: Extent,
        floor: Int64? = nil,
        rest: ListRest? = nil,
        beginsAtRest: Bool = false,
        limits: ScanLimits = ScanLimits(),
        answers: (@Sendable (NoteRow) -> Bool)? = nil
    ) {
        self.answers = answers
        // Where the end was one of known rows below the floor, it is none for who is to look at every row.
        let left = rest.flatMap { $0.isOfEverything || extent != .everything || !$0.isEnded ? $0 : nil }
        self.extent = left?.isOfEverything == true ? .everything : extent
        self.floor = floor
        pending = left
        progress = ScanProgress(limits: limits, total: left?.total)
        guard beginsAtRest, let place = left, place.page != ListRest.end else { return }
        firstPage = place.page
        goOn(at: place.page, of: place)
    }

    /// The unseen rows, newest first.
    var found: [NoteRow] { progress.found }
    var restarts: Int { progress.restarts }
    /// Not without the list's first page, which shows what came last.
    var isSufficient: Bool { hasReachedFloor && firstPage == 1 }

    /// Takes a page that was read.
    mutating func take(_ page: Page<NoteRow>, known: IDSet) -> ScanStep {
        let hasUnseen = progress.collect(page.rows, unlessIn: known)
        if let answers {
            for row in page.rows where known.contains(row.id) && answers(row) {
                guard let writtenAt = row.createdAt else { continue }
                answeredAt = max(answeredAt ?? writtenAt, writtenAt)
            }
        }
        return take(
            Extract(
                number: page.number,
                smallestID: page.rows.lazy.map(\.id).min(),
                lastID: page.rows.last?.id,
                lastWrittenAt: page.rows.last?.createdAt,
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

    /// The pages in front of `page` were read one after the other, or left out since an earlier reading had them.
    func rest(from page: Int) -> ListRest? {
        guard let total = progress.restTotal(from: page) else { return nil }
        let then = pending.flatMap { $0.page > page ? $0.page : $0.then }
        let isOfEverything = extent == .everything || page == 1
        let end = restPage == nil ? frontEnd : pending?.frontEnd
        return ListRest(
            page: page,
            total: total,
            then: then,
            isOfEverything: isOfEverything,
            frontEnd: then == nil ? nil : end
        )
    }

    /// Of a scan that has finished: no more than the last page is to be read again, of a list of several.
    var end: ListRest? { hasPassedToEnd ? rest(from: ListRest.end) : lastPage > 1 ? rest(from: lastPage) : nil }

    /// All behind the pages that were not read has been read as far as it matters.
    var front: ListRest? { firstPage > 1 ? rest(from: ListRest.end) : nil }

    private mutating func take(_ page: Extract) -> ScanStep {
        progress.countPage()
        lastPage = page.number
        let isUncertain = page.number == restPage && page.total == nil
        if progress.didShrink(to: page.total) || isUncertain {
            hasReachedFloor = false
            isWhole = false
            giveUpRest()
            // Fewer than an earlier reading was told of: nothing that this one has read lies in front of the list's first page.
            if page.number != 1 { return progress.restart(at: 1) }
        }
        isWhole = page.nextPage == nil
        if restPage == nil, page.lastID != nil { frontEnd = page.lastWrittenAt }
        guard let next = page.nextPage else { return .finished }
        if let pending {
            let place = pass(page, to: next, pending)
            return hasPassedToEnd ? .finished : progress.step(to: place)
        }
        return goesOn(behind: page) ? progress.step(to: next) : .finished
    }

    /// What came since lies in front of what the earlier reading had dealt with: from the first page that shows some of that and nothing unseen, it
    /// is passed over. A page without rows shows nothing.
    private mutating func pass(_ page: Extract, to next: Int, _ rest: ListRest) -> Int {
        let showsKnown = page.lastID != nil && !page.hasUnseen
        guard (showsKnown && isBehindFront(page, rest)) || next >= rest.page else { return next }
        let place = max(next, rest.page)
        goOn(at: place, of: rest)
        return place
    }

    /// Behind what was passed over, known rows may be those that lay in front of it before others came.
    private func isBehindFront(_ page: Extract, _ rest: ListRest) -> Bool {
        guard restPage != nil else { return true }
        guard let writtenAt = page.lastWrittenAt, let end = rest.frontEnd else { return false }
        return writtenAt < end
    }

    /// The next page is the first of the rest, unless that is behind the end of the list.
    private mutating func goOn(at place: Int, of rest: ListRest) {
        pending = rest.then.map { then in
            ListRest(
                page: then,
                total: rest.total,
                isOfEverything: rest.isOfEverything,
                frontEnd: rest.frontEnd
            )
        }
        restPage = place
        hasPassedToEnd = place == ListRest.end
        if hasPassedToEnd { isWhole = rest.isOfEverything }
    }

    /// Rows may be unseen behind known ones, that the earlier reading had not come to: only the list's end is the end.
    private mutating func giveUpRest() {
        guard pending != nil || restPage != nil else { return }
        (pending, restPage) = (nil, nil)
        firstPage = 1
        extent = .everything
    }

    private mutating func goesOn(behind page: Extract) -> Bool {
        hasReachedFloor = hasReachedFloor || isBelowFloor(page.lastID)
        if case .everything = extent { return true }
        return page.hasUnseen || !isBelowFloor(page.smallestID)
    }

    /// A page without rows says nothing: they may all be hidden from this person (traps 2, 3).
    private func isBelowFloor(_ id: Int64?) -> Bool {
        guard let floor, let id else { return false }
        return id <= floor
    }
}
