#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The watch list, and the items of GitLab that may stand in it.
extension NotifierClient {
    private struct WatchList: Decodable, Sendable {
        var items: [WatchedItem]
    }

    /// The watch list, oldest entry first.
    public func watches() async throws(NotifierError) -> [WatchedItem] {
        let list: WatchList = try await value(.listWatches)
        return list.items
    }

    private struct WatchRequest: Encodable, Sendable {
        var itemIid: Int64
        var itemType: ItemKind
        var projectId: Int64
        var changedAt: Date?
    }

    /// Watches an item.
    ///
    /// - Parameters:
    ///   - item: which.
    ///   - chosenAt: when the person chose it, if that was earlier: the last choice of all their devices wins.
    /// - Returns: what holds now.
    /// - Throws: why it could not be sent, or was refused.
    public func watch(
        _ item: ItemReference,
        chosenAt: Date? = nil
    ) async throws(NotifierError) -> WatchAnswer {
        let body = WatchRequest(
            itemIid: item.iid,
            itemType: item.kind,
            projectId: item.projectID,
            changedAt: chosenAt
        )
        return try await value(.addWatch, body: body)
    }

    /// Ends the watch of an entry; `chosenAt` as for a watch.
    public func unwatch(entry id: String, chosenAt: Date? = nil) async throws(NotifierError) -> WatchAnswer {
        let query = [QueryItem("changedAt", chosenAt.map(WireCoding.instant))]
        let response = try await authorized(.removeWatch, Operation.removeWatch.target([id], query), nil)
        // 200 tells that a later choice of another device stands.
        guard response.status == 200 else { return WatchAnswer(watchedItemId: nil, watching: false) }
        return try Self.decode(response)
    }

    private struct MuteRequest: Encodable, Sendable {
        var until: Date
        var changedAt: Date?
    }

    private struct MuteAnswer: Decodable, Sendable {
        var mutedUntil: Date?
    }

    /// Keeps an item silent until an instant within a year; `chosenAt` as for a watch.
    ///
    /// - Returns: until when it is silent now, which is another device's choice when that was made later.
    public func mute(
        entry id: String,
        until end: Date,
        chosenAt: Date? = nil
    ) async throws(NotifierError) -> Date? {
        let answer: MuteAnswer = try await value(.muteWatch, id, body: MuteRequest(until: end, changedAt: chosenAt))
        return answer.mutedUntil
    }

    /// Lets a muted item speak again; answers as a mute does.
    public func unmute(entry id: String, chosenAt: Date? = nil) async throws(NotifierError) -> Date? {
        let query = [QueryItem("changedAt", chosenAt.map(WireCoding.instant))]
        let answer: MuteAnswer = try await value(.unmuteWatch, id, query: query)
        return answer.mutedUntil
    }

    /// Watches what the person is subscribed to in GitLab, as much as one call looks at; `cursor` is the former answer's, and nil at first.
    public func importWatches(cursor: String? = nil) async throws(NotifierError) -> ImportAnswer {
        try await value(.importWatches, query: [QueryItem("cursor", cursor)])
    }

    private struct SyncRequest: Encodable, Sendable {
        var direction: String
    }

    /// Makes the watch list and GitLab's subscription agree: as GitLab says, or as the watch list says.
    public func syncWatch(
        entry id: String,
        _ direction: SyncDirection
    ) async throws(NotifierError) -> SyncAnswer {
        try await value(.syncWatch, id, body: SyncRequest(direction: direction.rawValue))
    }

    /// One page of the person's issues and merge requests, as GitLab has them now.
    public func items(_ query: ItemQuery = ItemQuery()) async throws(NotifierError) -> ItemPage {
        try await value(
            .listItems,
            query: [
                QueryItem("projectId", query.projectID), QueryItem("itemType", query.kind?.rawValue),
                QueryItem("involvement", query.involvement), QueryItem("state", query.state),
                QueryItem("limit", query.limit), QueryItem("cursor", query.cursor),
            ]
        )
    }
}
