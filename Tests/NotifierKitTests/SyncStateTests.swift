import FoundationEssentials
import Testing

@testable import NotifierKit

/// The rules of copy and queue, as values.
struct SyncStateTests {
    private static func item(_ iid: Int64) -> ItemReference { ItemReference(projectID: 42, kind: .issue, iid: iid) }

    private static func watch(_ iid: Int64) -> WatchedItem {
        WatchedItem(watchedItemId: "w\(iid)", item: item(iid), title: "Told", createdAt: .start)
    }

    /// A queue of these choices, a second after each other.
    private static func state(_ wanted: [SyncChange.Wanted]) throws -> SyncState {
        var state = SyncState()
        for (second, wanted) in wanted.enumerated() {
            let change = state.choose(wanted, label: ItemLabel(title: "Auth"), at: .at(Double(second)))
            try #require(change != nil)
        }
        return state
    }

    private static func page(
        _ iids: [Int64],
        revision: UInt64,
        hasMore: Bool = false,
        reset: Bool = false,
        snapshot: UInt64? = nil
    ) throws -> SyncPage {
        let watches = iids.map {
            String(decoding: WireCoding.encode(watch($0)), as: UTF8.self)
        }
        let text = """
            {"revision":\(revision),"changes":{"watches":[\(watches.joined(separator: ","))],"choices":[],\
            "deniedActors":[],"readMarks":[]},"deleted":[],"hasMore":\(hasMore),"reset":\(reset)\
            \(snapshot.map { ",\"snapshot\":\($0)" } ?? "")}
            """
        return try WireCoding.decode(SyncPage.self, Data(text.utf8))
    }

    private static func receipt(_ revision: UInt64, _ applied: String = "", refused: String = "") throws -> SyncReceipt
    {
        let text = #"{"revision":\#(revision),"applied":[\#(applied)],"conflicts":[],"refused":[\#(refused)]}"#
        return try WireCoding.decode(SyncReceipt.self, Data(text.utf8))
    }

    private static func shown(_ state: SyncState) -> [Int64] { state.shown.watchList.map(\.itemIid).sorted() }

    /// The next envelope, which there is.
    private static func next(
        _ state: inout SyncState,
        _ id: String,
        except done: Set<String> = []
    ) throws -> SyncState.Envelope {
        let envelope = state.nextEnvelope(id, except: done)
        return try #require(envelope)
    }

    // MARK: Choosing

    @Test func `of several choices about one thing the last is sent alone`() throws {
        let (one, two) = (Self.item(1), Self.item(2))
        var mute = SettingsChange()
        (mute.reminders, mute.autoWatch) = (false, true)
        var later = SettingsChange()
        later.reminders = true
        let state = try Self.state([
            .watch(one), .mute(one, until: .at(60)), .mute(one, until: .at(90)), .watch(two), .watch(two),
            .deny(7, true, displayName: nil, reason: nil), .deny(7, false, displayName: nil, reason: nil),
            .read("n1", true), .read("n1", false), .settings(mute), .settings(later),
        ])
        var rest = SettingsChange()
        rest.autoWatch = true
        #expect(
            state.pending.map(\.wanted) == [
                .watch(one), .mute(one, until: .at(90)), .watch(two),
                .deny(7, false, displayName: nil, reason: nil), .read("n1", false), .settings(rest), .settings(later),
            ]
        )
    }

    @Test func `who ends a watch cares for nothing before, and a watch that begins again speaks`() throws {
        let item = Self.item(1)
        var state = SyncState()
        state.copy.watches[item] = WatchedItem(
            watchedItemId: "w1",
            item: item,
            title: "Auth",
            createdAt: .start,
            mutedUntil: .at(900)
        )
        let wanted: [SyncChange.Wanted] = [.mute(item, until: .at(60)), .watch(item), .unwatch(item), .watch(item)]
        for wanted in wanted { _ = state.choose(wanted, at: .start) }
        #expect(state.pending.map(\.wanted) == [.unwatch(item), .watch(item)])
        #expect(state.shown.watches[item]?.mutedUntil == nil && Self.shown(state) == [1])
    }

    @Test func `a mute before its watch shows with the watch`() throws {
        let state = try Self.state([.mute(Self.item(1), until: .at(60)), .watch(Self.item(1))])
        #expect(state.shown.watchList.map(\.mutedUntil) == [.at(60)])
    }

    @Test func `what is on its way is not replaced, and what follows it is no earlier whatever the clock says`() throws
    {
        var state = try Self.state([.watch(Self.item(1))])
        _ = state.nextEnvelope("e1")
        let later = state.choose(.unwatch(Self.item(1)), at: .at(-300))
        #expect(later?.changedAt == .start && state.pending.count == 2)
        #expect(state.pending.map(\.id) == ["0000000001", "0000000002"])
        #expect(Self.shown(state).isEmpty)
    }

    @Test func `what follows a choice that the server has taken is no earlier, whatever the clock says`() throws {
        let item = Self.item(1)
        func taken(_ number: Int, at time: String) -> String {
            let names = #""projectId":42,"itemType":"issue","itemIid":1"#
            return """
                {"id":"000000000\(number)","entity":"mute","changedAt":"2026-03-02T\(time).000Z",\
                "value":{\(names),"mutedUntil":"2026-03-02T12:00:00.000Z"}}
                """
        }
        var state = try Self.state([.mute(item, until: .at(9_000))])
        _ = state.nextEnvelope("e1")
        _ = state.settle(try Self.receipt(1, taken(1, at: "09:00:00")), of: "e1")
        let behind = state.choose(.mute(item, until: nil), at: .at(-1_200))
        #expect(behind?.changedAt == .at(0.002))
        let right = state.choose(.read("n1", true), at: .at(60))
        #expect(right?.changedAt == .at(60))
        // A clock that is an hour ahead: the server cuts the date, and so nothing is dated by it once it is right again.
        _ = state.nextEnvelope("e2")
        _ = state.settle(try Self.receipt(2, taken(2, at: "09:00:00")), of: "e2")
        _ = state.choose(.mute(item, until: .at(9_000)), at: .at(3_660))
        _ = state.nextEnvelope("e3", except: ["e2"])
        _ = state.settle(try Self.receipt(3, taken(4, at: "09:01:00")), of: "e3")
        let mended = state.choose(.mute(item, until: nil), at: .at(65))
        #expect(mended?.changedAt == .at(65))
    }

    @Test func `a clock that was ahead dates nothing later, whatever was chosen by it`() throws {
        for date in [#","changedAt":"2026-03-02T09:01:00.000Z""#, ""] {
            var state = SyncState()
            _ = state.choose(.deny(7, true, displayName: nil, reason: nil), at: .at(7_260))
            _ = state.nextEnvelope("e1")
            let value = #"{"gitlabUserId":7,"denied":true}"#
            let taken = #"{"id":"0000000001","entity":"deniedActor","value":\#(value)\#(date)}"#
            _ = state.settle(try Self.receipt(1, taken), of: "e1")
            #expect(state.pending.isEmpty)
            let mended = state.choose(.mute(Self.item(1), until: nil), at: .at(65))
            #expect(mended?.changedAt == .at(65))
        }
    }

    @Test func `so many changes wait and no more`() throws {
        var state = try Self.state((1...1_000).map { .watch(Self.item($0)) })
        let before = state
        let refused = state.choose(.watch(Self.item(1_001)), at: .start)
        #expect(refused == nil && state == before)
        let known = state.choose(.unwatch(Self.item(7)), at: .start)
        #expect(known != nil && state.pending.count == 1_000)
    }

    // MARK: Envelopes

    @Test func `an envelope is sent again as it is, and what came later goes in the next`() throws {
        var state = try Self.state([.watch(Self.item(1)), .unwatch(Self.item(2))])
        let first = try Self.next(&state, "e1")
        _ = state.choose(.watch(Self.item(3)), at: .at(9))
        let again = try Self.next(&state, "e2")
        let rest = try Self.next(&state, "e2", except: ["e1"])
        #expect(first.isNew && !again.isNew && again.id == first.id && again.changes == first.changes)
        #expect(rest.changes.map(\.wanted) == [.watch(Self.item(3))])
    }

    @Test func `envelopes are cut by number, by size and by new items`() throws {
        var many = try Self.state((1...600).map { .unwatch(Self.item($0)) })
        let counts = [
            try Self.next(&many, "e1").changes.count, try Self.next(&many, "e2", except: ["e1"]).changes.count,
        ]
        #expect(counts == [500, 100])
        var new = try Self.state((1...30).map { .watch(Self.item($0)) })
        new.copy.watches[Self.item(1)] = Self.watch(1)
        let watches = try Self.next(&new, "e1")
        #expect(watches.changes.count == 21)
        let reason = String(repeating: "ü", count: 2_000)
        var large = try Self.state((1...100).map { .deny($0, true, displayName: nil, reason: reason) })
        let cut = try Self.next(&large, "e1")
        let size = cut.changes.reduce(0) { $0 + NotifierClient.size(of: $1.change) }
        #expect(size < 200 * 1_024 && cut.changes.count < 100 && cut.changes.count > 40)
    }

    @Test func `an envelope that is refused as a whole is cut smaller until one change is refused by itself`() throws {
        var state = try Self.state((1...5).map { .unwatch(Self.item($0)) })
        let reason = NotifierError(.refused, code: "body_too_large", "Too large.")
        var sizes: [Int] = []
        for number in 1...3 {
            let envelope = try Self.next(&state, "e\(number)")
            sizes.append(envelope.changes.count)
            state.refuse(envelope, reason)
        }
        #expect(sizes == [5, 2, 1])
        #expect(state.pending.count == 4 && state.reversals.map(\.reason) == [reason])
        let next = try Self.next(&state, "e4")
        let delay = state.settle(try Self.receipt(1), of: next.id)
        #expect(delay?.kind == .unreadable, "an answer that leaves it out settles nothing")
        #expect(state.pending.count == 4 && state.counters.envelopeLimit == 2)
    }

    @Test func `a receipt older than the copy settles, and does not undo what is known since`() throws {
        var state = try Self.state([.watch(Self.item(1))])
        _ = state.nextEnvelope("e1")
        let taken = state.take(try Self.page([], revision: 9, reset: true), askedAt: state.place, at: .start)
        #expect(taken)
        let value = #"{"projectId":42,"itemType":"issue","itemIid":1,"choice":"watched"}"#
        let applied = #"{"id":"0000000001","entity":"choice","value":\#(value)}"#
        let delay = state.settle(try Self.receipt(8, applied), of: "e1")
        #expect(delay == nil && state.pending.isEmpty && Self.shown(state).isEmpty)
    }

    // MARK: Pages

    @Test func `a snapshot takes the copy's place once all of it has come`() throws {
        var state = SyncState()
        state.copy.watches[Self.item(1)] = Self.watch(1)
        state.place.revision = 99
        state.beginAnew()
        #expect(Self.shown(state) == [1])
        let first = try Self.page([2], revision: 4, hasMore: true, reset: true, snapshot: 3)
        let isFirst = state.take(first, askedAt: state.place, at: .start)
        #expect(isFirst && Self.shown(state) == [1] && state.counters.pulledAt == nil)
        #expect(state.place.revision == 4 && state.place.snapshot == 3)
        // The server could not go on, and began again.
        let again = state.take(first, askedAt: state.place, at: .start)
        let last = state.take(try Self.page([3], revision: 5), askedAt: state.place, at: .at(1))
        #expect(again && last && Self.shown(state) == [2, 3])
        #expect(state.place.revision == 5 && state.place.snapshot == nil && state.counters.pulledAt == .at(1))
    }

    @Test func `a page that was asked for elsewhere is not taken`() throws {
        var state = SyncState()
        let asked = state.place
        let isTaken = state.take(try Self.page([1], revision: 4, reset: true), askedAt: asked, at: .start)
        let before = state
        let isTakenTwice = state.take(try Self.page([], revision: 3, reset: true), askedAt: asked, at: .start)
        #expect(isTaken && !isTakenTwice && state == before)
    }

    @Test func `read marks are kept up to a number, the first go`() {
        var copy = SyncCopy()
        let page = { (ids: Range<Int>) in
            let marks = ids.map { #"{"notificationId":"n\#($0)","read":true}"# }.joined(separator: ",")
            let text = """
                {"revision":1,"changes":{"watches":[],"choices":[],"deniedActors":[],"readMarks":[\(marks)]},\
                "deleted":[],"hasMore":false,"reset":false}
                """
            return try? WireCoding.decode(SyncPage.self, Data(text.utf8))
        }
        if let first = page(0..<10_000) { copy.take(first) }
        if let rest = page(10_000..<10_002) { copy.take(rest) }
        #expect(copy.readMarks.count == 10_000 && !copy.isRead("n1") && copy.isRead("n2") && copy.isRead("n10001"))
    }
}
