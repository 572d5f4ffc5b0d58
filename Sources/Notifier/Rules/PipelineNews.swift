import Platform

/// How a pipeline stood when it was read last.
struct SeenPipeline: Hashable, Sendable {
    var id: Int64
    var status: String
    /// Which run it is: a retry runs again under the same id (GitLab facts §11.3).
    var run: Int64
}

/// Decides which pipelines are news: those that have come to an end they did not have before.
struct PipelineNews: Hashable, Sendable {
    private var known: [Int64: SeenPipeline]
    /// False until the list was read once.
    let isRead: Bool

    init(known: [SeenPipeline], isRead: Bool) {
        self.known = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        self.isRead = isRead
    }

    /// What a page of the list comes to: each ended pipeline with its run, and what is known from now on. Pipelines that left
    /// the page are forgotten: they move no more.
    func read(_ rows: [PipelineRow], _ new: NewRows) -> (news: [(row: PipelineRow, run: Int64)], known: [SeenPipeline])
    {
        var news: [(row: PipelineRow, run: Int64)] = []
        var after: [SeenPipeline] = []
        for row in rows {
            let before = known[row.id]
            let hasChanged = before.map { $0.status != row.status } ?? true
            let isAgain = hasChanged && before.map { Self.isEnd($0.status) } ?? false
            let run = (before?.run ?? 1) + (isAgain ? 1 : 0)
            after.append(SeenPipeline(id: row.id, status: row.status, run: run))
            if new.contains(row.updatedAt), hasChanged, Self.isEnd(row.status) { news.append((row, run)) }
        }
        return (news.reversed(), after)
    }

    /// True when the page shows nothing that is not known.
    func isQuiet(_ rows: [PipelineRow]) -> Bool {
        isRead && rows.allSatisfy { known[$0.id]?.status == $0.status }
    }

    /// The only ends people wait for; a canceled or skipped one is somebody's own doing.
    static func isEnd(_ status: String) -> Bool { status == "success" || status == "failed" }
}
