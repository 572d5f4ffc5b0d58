import Duties
import FoundationEssentials
import KitSQLite
import Live
import NotifierKit
import Platform
import SQLite
import Testing

/// The copy and the queue in a file.
struct SQLiteLocalStoreTests {
    private static let start: Date = .init(timeIntervalSince1970: 1_772_438_400)

    private static func withFile(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/sync-\(LiveEntropy().uuidString()).db"
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try await body(path)
    }

    private static func item(_ iid: Int64) -> ItemReference { ItemReference(projectID: 42, kind: .issue, iid: iid) }

    /// One step that changes something of everything that is kept.
    private static func step(_ number: Int, _ state: inout SyncState) {
        let iid = Int64(number % 5 + 1)
        let wanted: [SyncChange.Wanted] = [
            .watch(item(iid)), .mute(item(iid), until: start + Double(number)), .unwatch(item(iid)),
            .deny(iid, number.isMultiple(of: 2), displayName: "Bot", reason: nil), .read("n\(iid)", true),
        ]
        let label = ItemLabel(title: "Ä", projectPath: "a/b")
        _ = state.choose(wanted[number % 5], label: label, at: start + Double(number))
        switch number % 4 {
        case 0: _ = state.nextEnvelope("e\(number)")
        case 1:
            state.copy.watches[item(iid)] = WatchedItem(
                watchedItemId: "w",
                item: item(iid),
                title: "T\(number)",
                createdAt: start
            )
            state.copy.choices[item(iid)] = "watched"
            state.copy.restore(readMarks: ["n\(number)": number])
            state.copy.rota.mutes = [EntityID(high: 7, low: UInt64(number)): Self.start]
            state.incoming = state.incoming == nil ? state.copy : nil
        case 2:
            state.place.revision = UInt64(number)
            state.copy.watches[item(iid)] = nil
            state.copy.deniedActors[iid] = DeniedActor(gitlabUserId: iid)
        default:
            let reason = NotifierError(.refused, code: "no", "No.", retryAfter: .seconds(3))
            if let envelope = state.nextEnvelope("e\(number)") { state.refuse(envelope, reason) }
            state.copy.deniedActors = [:]
        }
    }

    @Test func `a file keeps what an object in memory keeps, also for the next process`() async throws {
        try await Self.withFile { path in
            let memory = MemoryLocalStore()
            for number in 0..<60 {
                // Each opens the file anew.
                let file = SQLiteLocalStore(path: path)
                try await file.update { Self.step(number, &$0) }
                try await memory.update { Self.step(number, &$0) }
                #expect(try await file.state() == memory.state(), "step \(number)")
            }
            let state = try await memory.state()
            #expect(!state.pending.isEmpty && !state.reversals.isEmpty && !state.copy.watches.isEmpty)
        }
    }

    @Test func `a change that fails half-way leaves nothing`() async throws {
        try await Self.withFile { path in
            let store = SQLiteLocalStore(path: path)
            try await store.update { Self.step(0, &$0) }
            let before = try await store.state()
            let other = try Database(path: path)
            try other.execute("CREATE TRIGGER t BEFORE INSERT ON pending BEGIN SELECT RAISE(ABORT, 'full'); END")
            await #expect(throws: KeyValueStoreError.self) {
                try await store.update { state in
                    state.place.revision = 7
                    Self.step(4, &state)
                }
            }
            #expect(try await store.state() == before)
        }
    }

    @Test func `a damaged copy is fetched anew, and what waits and cannot be read is left alone`() async throws {
        try await Self.withFile { path in
            let store = SQLiteLocalStore(path: path)
            for number in 0..<3 { try await store.update { Self.step(number, &$0) } }
            let database = try Database(path: path)
            try database.execute("UPDATE copy SET value = x'00' WHERE kind = 'deniedActor'")
            try database.execute("INSERT INTO pending (number, value) VALUES (?, ?)", Int64(900), Array("{}".utf8))
            let state = try await store.state()
            #expect(state.place.revision == nil && state.copy == SyncCopy() && !state.pending.isEmpty)
            #expect(try await store.hasPending())
            try await store.update { $0.pending = [] }
            #expect(try await !store.hasPending(), "what cannot be read is not sent, so nobody asks for that")
            let left = try database.first("SELECT count(*) FROM pending") { $0.int64(0) }
            #expect(left == 1)
        }
    }

    @Test func `no choice takes the row of one that waits, whatever became of the count`() async throws {
        try await Self.withFile { path in
            let store = SQLiteLocalStore(path: path)
            for iid in Int64(1)...3 { try await store.update { _ = $0.choose(.watch(Self.item(iid)), at: Self.start) } }
            try Database(path: path).execute("UPDATE place SET value = x'00' WHERE key = 'counters'")
            try await store.update { _ = $0.choose(.watch(Self.item(4)), at: Self.start) }
            let pending = try await store.state().pending
            #expect(pending.map(\.number) == [1, 2, 3, 4])
            #expect(pending.compactMap(\.wanted.item) == (1...4).map(Self.item))
        }
    }

    @Test func `a file that is damaged is said once, and begun anew`() async throws {
        try await Self.withFile { path in
            // Its connection is closed with it: a file that somebody else has open cannot be emptied.
            try await SQLiteLocalStore(path: path).update { Self.step(0, &$0) }
            try Data(repeating: 0xA5, count: 8_192).write(to: URL(fileURLWithPath: path))
            let next = SQLiteLocalStore(path: path)
            let error = await #expect(throws: KeyValueStoreError.self) { try await next.state() }
            #expect(error?.hasBegunAnew == true)
            #expect(try await next.state() == SyncState())
            try await next.update { Self.step(0, &$0) }
            #expect(try await SQLiteLocalStore(path: path).state().pending.count == 1)
        }
    }

    @Test func `two processes that choose at once lose nothing`() async throws {
        try await Self.withFile { path in
            _ = try await SQLiteLocalStore(path: path).state()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for iid in Int64(1)...20 {
                    group.addTask {
                        let store = SQLiteLocalStore(path: path)
                        _ = try await store.update { $0.choose(.unwatch(Self.item(iid)), at: Self.start) }
                    }
                }
                try await group.waitForAll()
            }
            let pending = try await SQLiteLocalStore(path: path).state().pending
            #expect(Set(pending.compactMap(\.wanted.item)).count == 20 && pending.map(\.number) == Array(1...20))
        }
    }
}
