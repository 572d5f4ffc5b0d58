import FoundationEssentials
import Synchronization

@testable import NotifierKit

/// A server with one person's watch list, in the shapes of `/sync`. The rules of who wins are the real server's (see the tests of the
/// notifier); this one takes what comes.
final class SyncServer: Sendable {
    struct Row {
        var watch: WatchedItem?
        var revision: UInt64
    }

    struct State {
        var rows: [ItemReference: Row] = [:]
        var revision: UInt64 = 0
        /// Rows of a page at most.
        var pageSize = 500
        /// By the number of an item: what its changes are refused with.
        var refusals: [Int64: String] = [:]
        /// What an envelope is refused with as a whole.
        var refusal: (status: Int, code: String)?
        /// By the number of an item: another device's later choice, which stands.
        var theirs: [Int64: String] = [:]
        /// New items that it looks up for one envelope.
        var mostWatches = Int.max
        var isDown = false
        var loses = false
        /// Ids and numbers of changes of the envelopes that came, one after the other.
        var envelopes: [(id: String, base: UInt64, changes: [String])] = []
    }

    struct Change: Decodable {
        var id: String
        var entity: String
        var projectId: Int64
        var itemType: ItemKind
        var itemIid: Int64
        var choice: String?
        var mutedUntil: Date?

        var item: ItemReference { ItemReference(projectID: projectId, kind: itemType, iid: itemIid) }
    }

    struct Envelope: Decodable {
        var baseRevision: UInt64
        var clientChangeId: String
        var changes: [Change]
    }

    let state = Mutex(State())

    func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Somebody else watches or mutes.
    func put(_ watch: WatchedItem) { change { $0.put(watch.item, watch) } }

    var list: [Int64] { state.withLock { $0.rows.values.compactMap { $0.watch?.itemIid }.sorted() } }

    func answer(_ request: TransportRequest) -> Result<TransportResponse, TransportFailure> {
        state.withLock { state in
            if state.isDown { return .failure(.offline) }
            guard request.path == "/sync" else { return .refusal(404, "not_found") }
            guard request.method == "POST" else { return state.page(request.target) }
            if let refusal = state.refusal { return .refusal(refusal.status, refusal.code) }
            guard let envelope = try? WireCoding.decode(Envelope.self, request.body) else {
                return .refusal(400, "invalid_json")
            }
            let answer = state.take(envelope)
            return state.loses ? .failure(.timedOut) : answer
        }
    }
}

extension SyncServer.State {
    mutating func put(_ item: ItemReference, _ watch: WatchedItem?) {
        revision += 1
        rows[item] = SyncServer.Row(watch: watch, revision: revision)
    }

    mutating func take(_ envelope: SyncServer.Envelope) -> Result<TransportResponse, TransportFailure> {
        envelopes.append((envelope.clientChangeId, envelope.baseRevision, envelope.changes.map(\.id)))
        guard envelope.baseRevision <= revision else { return .refusal(409, "revision_ahead") }
        var (applied, conflicts, refused): ([String], [String], [String]) = ([], [], [])
        var watches = 0
        for change in envelope.changes {
            if change.choice == "watched", rows[change.item]?.watch == nil { watches += 1 }
            if let code = watches > mostWatches ? "watch_later" : nil {
                refused.append(#"{"id":"\#(change.id)","code":"\#(code)","message":"What is wrong.","hint":"Do."}"#)
                continue
            }
            if let code = refusals[change.itemIid] {
                refused.append(#"{"id":"\#(change.id)","code":"\#(code)","message":"What is wrong.","hint":"Do."}"#)
                continue
            }
            let names = #""id":"\#(change.id)","entity":"\#(change.entity)""#
            if let theirs = theirs[change.itemIid] {
                let value = Self.value(change.item, #","choice":"\#(theirs)""#)
                conflicts.append(#"{\#(names),"winner":"theirs","yours":{},"theirs":\#(value)}"#)
                continue
            }
            applied.append(#"{\#(names),"value":\#(carryOut(change))}"#)
        }
        return .json(
            200,
            """
            {"revision":\(revision),"applied":[\(applied.joined(separator: ","))],\
            "conflicts":[\(conflicts.joined(separator: ","))],"refused":[\(refused.joined(separator: ","))]}
            """
        )
    }

    private mutating func carryOut(_ change: SyncServer.Change) -> String {
        let known = rows[change.item]?.watch
        if change.entity == "mute" {
            if var watch = known {
                watch.mutedUntil = change.mutedUntil
                put(change.item, watch)
            }
            let end = change.mutedUntil.map { #","mutedUntil":"\#(WireCoding.instant($0))""# } ?? ""
            return Self.value(change.item, end)
        }
        let isWatched = change.choice == "watched"
        if isWatched, known == nil {
            let id = "w\(change.itemIid)"
            put(change.item, WatchedItem(watchedItemId: id, item: change.item, title: "Told", createdAt: .start))
        } else if !isWatched {
            put(change.item, nil)
        }
        return Self.value(change.item, #","choice":"\#(change.choice ?? "")""#)
    }

    private static func value(_ item: ItemReference, _ rest: String) -> String {
        #"{"projectId":\#(item.projectID),"itemType":"\#(item.kind.rawValue)","itemIid":\#(item.iid)\#(rest)}"#
    }

    func page(_ target: String) -> Result<TransportResponse, TransportFailure> {
        func number(_ name: String) -> UInt64? {
            guard let query = target.split(separator: "?").last else { return nil }
            let part = query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
            return part.flatMap { UInt64($0.dropFirst(name.count + 1)) }
        }
        let since = number("since") ?? 0
        let isReset = number("snapshot") == nil && (since == 0 || since > revision)
        let sorted = rows.sorted { $0.value.revision < $1.value.revision }
        let left = sorted.filter { $0.value.revision > (isReset ? 0 : since) }
        let page = left.prefix(pageSize)
        let hasMore = left.count > pageSize
        let watches = page.compactMap { $0.value.watch.map { String(decoding: WireCoding.encode($0), as: UTF8.self) } }
        let deleted = page.filter { $0.value.watch == nil }.map { row in
            #"{"entity":"watch",\#(Self.value(row.key, "").dropFirst())"#
        }
        let snapshot = hasMore && (isReset || number("snapshot") != nil) ? #","snapshot":0"# : ""
        return .json(
            200,
            """
            {"revision":\(hasMore ? page.last?.value.revision ?? 0 : revision),"changes":{"watches":\
            [\(watches.joined(separator: ","))],"choices":[],"deniedActors":[],"readMarks":[]},"deleted":\
            [\(deleted.joined(separator: ","))],"hasMore":\(hasMore),"reset":\(isReset)\(snapshot)}
            """
        )
    }
}
