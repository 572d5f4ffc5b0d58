import Platform

/// What a reading of a metadata list brought; nothing stands here that was known.
enum MetadataReading: Sendable {
    case events(MetadataList, [MetadataEventRow], news: NewRows, serverTime: WallTime?)
    case pipelines(news: [EndedRun], known: [SeenPipeline], serverTime: WallTime?)
    case approvals(ApprovalCheck.Result, look: ApprovalsLook, since: WallTime, serverTime: WallTime?)

    /// Adds what it comes to.
    func add(
        to commit: inout FactCommit,
        _ watched: WatchedItem,
        by rules: FactRules,
        _ moment: (WallTime?) -> FactRules.Moment
    ) {
        switch self {
        case .events(let list, let rows, let news, let serverTime):
            commit.advance.metadataLists.append(.seenRows(list, rows.map(\.id)))
            let moment = moment(serverTime)
            commit.candidates += rows.filter { news.contains($0.createdAt) }
                .map { rules.candidate($0, of: list, on: watched, at: moment) }
        case .pipelines(let news, let known, let serverTime):
            commit.advance.metadataLists.append(.pipelines(known))
            let moment = moment(serverTime)
            commit.candidates += news.map { rules.candidate($0, on: watched, at: moment) }
        case .approvals(let result, let look, let since, let serverTime):
            commit.advance.metadataLists.append(.approvals(result.known, look))
            let moment = moment(serverTime)
            commit.candidates += result.appeared.map { rules.candidate($0, on: watched, since: since, at: moment) }
        }
    }
}
