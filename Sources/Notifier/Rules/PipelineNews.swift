import Platform

/// How a pipeline stood when it was read last.
struct SeenPipeline: Hashable, Sendable {
    var id: Int64
    var status: String
    /// Since when, by GitLab's clock; nil where it did not say.
    var updatedAt: WallTime?
    /// Which run it is: a retry runs again under the same id (GitLab facts §11.3).
    var run: Int64
}

/// The last run of a pipeline whose end was told before it was read for this watch.
struct ToldRun: Hashable, Sendable {
    var run: Int64
    /// When that end was, by GitLab's clock.
    var endedAt: WallTime
}

/// A run of a pipeline that has come to an end.
struct EndedRun: Hashable, Sendable {
    var row: PipelineRow
    var run: Int64
    /// From when on its jobs may have failed, by GitLab's clock; nil where nobody knows.
    var since: WallTime?
}

/// Decides which pipelines are news: those that have come to an end they did not have before.
struct PipelineNews: Hashable, Sendable {
    private let known: [Int64: SeenPipeline]
    private let smallest: Int64?
    /// False until the list was read once.
    let isRead: Bool
    /// Of pipelines that are not known.
    private var told: [Int64: ToldRun] = [:]

    /// So many are remembered, twice what a page holds: a replica that is behind shows again what has left the page.
    private static let remembered = 40

    init(known: [SeenPipeline], isRead: Bool) {
        self.known = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        smallest = self.known.keys.min()
        self.isRead = isRead
    }

    /// Those of a page that are not known: a former watch may have told of them.
    func unknown(of rows: [PipelineRow]) -> [Int64] { rows.map(\.id).filter { known[$0] == nil } }

    /// Counts on from what was told before the watch began.
    func counting(on told: [Int64: ToldRun]) -> PipelineNews {
        var news = self
        news.told = told
        return news
    }

    /// What a page of the list comes to: each pipeline that has ended since, with its run, and what is known from now on. `serverTime` is
    /// what GitLab's clock showed.
    func read(_ rows: [PipelineRow], _ new: NewRows, at serverTime: WallTime? = nil) -> (
        news: [EndedRun], known: [SeenPipeline]
    ) {
        var news: [EndedRun] = []
        var after = known
        for row in rows where isNews(row, on: rows, at: serverTime) {
            let before = known[row.id]
            let isAgain = before.map { Self.isEnd($0.status) } ?? false
            let run = before.map { $0.run + (isAgain ? 1 : 0) } ?? firstRun(of: row)
            after[row.id] = SeenPipeline(id: row.id, status: row.status, updatedAt: row.updatedAt, run: run)
            guard new.contains(row.updatedAt), Self.isEnd(row.status) else { continue }
            news.append(EndedRun(row: row, run: run, since: begin(of: run, row, new)))
        }
        return (news.reversed(), Array(after.values.sorted { $0.id < $1.id }.suffix(Self.remembered)))
    }

    /// Which run an unknown pipeline shows: the one that was told, or what came after it.
    private func firstRun(of row: PipelineRow) -> Int64 {
        guard let told = told[row.id] else { return 1 }
        let isTold = Self.isEnd(row.status) && row.updatedAt.map { $0 <= told.endedAt } ?? true
        return isTold ? told.run : told.run + 1
    }

    /// From when on the jobs of that run may have failed: those of a retry since the former end, or since it was seen to run. What failed before
    /// the list is read for the first time was another one, for all that is known.
    private func begin(of run: Int64, _ row: PipelineRow, _ new: NewRows) -> WallTime? {
        let begin = run == 1 ? row.createdAt : known[row.id]?.updatedAt ?? told[row.id]?.endedAt
        guard case .since(let span?) = new else { return begin }
        return begin.map { max($0, span.lowerBound) }
    }

    /// True when the page shows nothing that is not known.
    func isQuiet(_ rows: [PipelineRow], at serverTime: WallTime? = nil) -> Bool {
        isRead && !rows.contains { isNews($0, on: rows, at: serverTime) }
    }

    /// Whether a pipeline stands as it was not known to, and not as it stood before that: a replica may be behind (GitLab facts, trap 36).
    private func isNews(_ row: PipelineRow, on page: [PipelineRow], at serverTime: WallTime?) -> Bool {
        guard let before = known[row.id] else {
            // A page of no more pipelines than are known that reaches further back is an old one, or some were deleted.
            return smallest.map { row.id > $0 } ?? true || page.count > known.count
        }
        guard before.status != row.status else { return Self.hasEndedAgain(row, after: before) }
        guard let since = before.updatedAt, let shown = row.updatedAt else { return true }
        // A time that is yet to come was written by a clock that has been set back since.
        return shown >= since || serverTime.map { $0 < since } ?? false
    }

    /// Whether a pipeline that stands as it did has run again meanwhile: nobody looked while it ran, but its row was written since. An end of
    /// which GitLab does not say when is the one that is known, and so is one that a replica shows.
    private static func hasEndedAgain(_ row: PipelineRow, after before: SeenPipeline) -> Bool {
        guard isEnd(row.status), let since = before.updatedAt, let shown = row.updatedAt else { return false }
        return shown > since
    }

    /// The only ends people wait for; a canceled or skipped one is somebody's own doing.
    static func isEnd(_ status: String) -> Bool { status == "success" || status == "failed" }
}
