import Platform

/// Reads an item's notes, newest first, to the end or for so many pages.
///
/// Where it stops before the end, the largest id it saw is the baseline: an id is given when a row is written, so what has a smaller one was
/// written before (GitLab facts §8.1).
struct BaselineScan: ListScan {
    typealias Row = BareRow

    static var source: ReadingSource { .notes }
    static var mayEndEarly: Bool { true }

    private var progress: ScanProgress<BareRow>
    private let pages: Int
    private let instant: WallTime?
    private var pagesRead = 0
    private(set) var hasEnded = false

    /// Reads so many pages at most, once a row was seen; where an `instant` is given, one that was there before.
    init(pages: Int, before instant: WallTime? = nil, limits: ScanLimits) {
        self.pages = max(pages, 1)
        self.instant = instant
        progress = ScanProgress(limits: limits)
    }

    /// Newest first.
    var found: [BareRow] { progress.found }
    var firstPage: Int { 1 }
    var restarts: Int { progress.restarts }
    /// One row is enough for a baseline. Newer ones say nothing of what was there before: all of it would be news.
    var isSufficient: Bool { progress.found.contains { $0.isOlder(than: instant) } }

    /// What was seen and was written before `instant`, by GitLab's clock: every id, or the largest where the list goes on.
    func notes(before instant: WallTime?) -> ItemBaseline.Notes {
        let ids = found.lazy.filter { $0.isOlder(than: instant) }.map(\.id)
        return hasEnded ? .all(Array(ids)) : .upTo(ids.max() ?? 0)
    }

    mutating func take(_ page: Page<BareRow>, known: IDSet) -> ScanStep {
        _ = progress.collect(page.rows, unlessIn: known)
        progress.countPage()
        pagesRead += 1
        if progress.didShrink(to: page.head.total) { return progress.restart(at: 1) }
        guard let next = page.head.nextPage else {
            hasEnded = true
            return .finished
        }
        // Pages without rows say nothing: they may all be hidden from this person (traps 2, 3).
        return pagesRead >= pages && isSufficient ? .finished : progress.step(to: next)
    }

    mutating func takeUnchanged(_ memory: ListMemory, _ head: PageHead) -> ScanStep { .finished }

    func begins(at page: Int) -> Bool { page == 1 }
}

/// A row of which nothing matters but that it is there, and since when.
struct BareRow: IdentifiedRow {
    var id: Int64
    /// Nil when GitLab wrote no time that can be read.
    var createdAt: WallTime?
    var heldBytes: Int { 64 }

    /// Whether it was there before `instant`; without one, or without a time of its own, it counts so.
    func isOlder(than instant: WallTime?) -> Bool {
        guard let instant, let createdAt else { return true }
        return createdAt < instant
    }
}

extension BareRow {
    private enum CodingKeys: String, CodingKey {
        case id
        case createdAt = "created_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int64.self, forKey: .id)
        createdAt = container.time(.createdAt)
    }
}
