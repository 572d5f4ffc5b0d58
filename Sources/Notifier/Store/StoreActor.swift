import SQLite

/// The one owner of the database. Work on it is synchronous inside `body`, so a transaction is never split by an `await`.
///
/// The executor is a parameter because SQLite blocks: live it is a serial queue of its own, in simulation the simulation's.
/// Without one the actor runs like any other.
actor StoreActor {
    /// A default actor whose executor stands in when none is given: an actor that names its executor has no other.
    private actor DefaultExecutor {}

    private let store: Store
    private let executor: (any SerialExecutor)?
    private let fallback = DefaultExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor?.asUnownedSerialExecutor() ?? fallback.unownedExecutor
    }

    /// Takes the database over; nobody else may use it from now on.
    init(database: sending Database, executor: (any SerialExecutor)?) {
        store = Store(database)
        self.executor = executor
    }

    /// Runs `body` in one transaction that can write; all of it is kept or, when `body` throws, nothing.
    ///
    /// - Throws: what `body` throws, or `SQLiteError` when the commit fails.
    func transaction<T: Sendable>(_ body: @Sendable (Store) throws -> T) throws -> T {
        try store.database.transaction { try body(store) }
    }

    /// Runs `body`, which must not write, outside a transaction: cheaper, and each statement sees the newest state.
    ///
    /// - Throws: what `body` throws.
    func read<T: Sendable>(_ body: @Sendable (Store) throws -> T) throws -> T {
        try body(store)
    }
}
