import SQLite

/// The one owner of the database. Work on it is synchronous inside `body`, so a transaction is never split by an `await`.
///
/// The executor is a parameter because SQLite blocks: live it is a serial queue of its own, in simulation the simulation's.
/// Without one the actor runs like any other.
actor StoreActor {
    /// A default actor whose executor stands in when none is given: an actor that names its executor has no other.
    private actor DefaultExecutor {}

    private let store: Store
    /// Learns how all work on the database ends; nil where nobody asks.
    nonisolated let watch: StoreMonitor?
    private let executor: (any SerialExecutor)?
    private let fallback = DefaultExecutor()
    /// Whether this process made sure of what it found in the log.
    private var isLogSecured = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor?.asUnownedSerialExecutor() ?? fallback.unownedExecutor
    }

    /// Takes the database over; nobody else may use it from now on.
    init(database: sending Database, executor: (any SerialExecutor)?, watch: StoreMonitor? = nil) {
        store = Store(database)
        self.watch = watch
        self.executor = executor
    }

    /// Runs `body` in one transaction that can write; all of it is kept or, when `body` throws, nothing.
    ///
    /// - Throws: what `body` throws, or `SQLiteError` when the commit fails.
    func transaction<T: Sendable>(_ body: @Sendable (Store) throws -> T) throws -> T {
        let before = store.database.totalChanges
        let result = try watched {
            try secureLog()
            return try store.database.transaction { try body(store) }
        }
        // One that changed nothing commits on a full disk, too.
        if store.database.totalChanges != before { watch?.committed() }
        return result
    }

    /// Runs `body`, which must not write, outside a transaction: cheaper, and each statement sees the newest state.
    ///
    /// - Throws: what `body` throws.
    func read<T: Sendable>(_ body: @Sendable (Store) throws -> T) throws -> T {
        try watched { try body(store) }
    }

    /// Runs `body`, which must not write, in one transaction: all that it reads is of one moment, also where another process writes.
    ///
    /// - Throws: what `body` throws, or `SQLiteError`.
    func snapshot<T: Sendable>(_ body: @Sendable (Store) throws -> T) throws -> T {
        try watched { try store.database.snapshot { try body(store) } }
    }

    /// Writes a copy of the whole database to an empty place, as it was when its rows were counted; returns the counts. What fails at
    /// that place says nothing of this database, unless its own file is damaged.
    ///
    /// - Throws: `SQLiteError`.
    func copy(to path: String) throws -> [String: Int] {
        let counts = try watched { try store.rowCounts() }
        do {
            try store.copy(to: path)
        } catch SQLiteError.corrupt {
            watch?.failed(.corrupt)
            throw SQLiteError.corrupt
        }
        return counts
    }

    /// Makes sure of what a former process left in the log, before anything is built on it. A disk that failed to sync may answer with what
    /// it will never keep: Linux holds such pages for written, also for the next process (Rebello et al., "Can Applications Recover from
    /// fsync Failures?", USENIX ATC 2020), and a loss of power would take back whatever follows them. What is copied out of the log is
    /// written anew. A disk without room for it has not failed, and the log is left for later.
    ///
    /// - Throws: `SQLiteError.ioError` where it cannot be made sure of.
    private func secureLog() throws {
        guard !isLogSecured else { return }
        do {
            isLogSecured = try store.database.emptyLog()
        } catch SQLiteError.full {
            return
        }
    }

    private func watched<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLiteError {
            watch?.failed(error)
            throw error
        }
    }
}
