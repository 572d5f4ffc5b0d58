import KitSQLite
import NotifierKit
import SimulatedStorage
import Simulation

/// The kit's store, as one process of the app has it: on the device's disk, or, on a device that no fault of the scenario strikes, in memory, which costs
/// a run less. What is kept or read is noted for the record of the run.
///
/// Unchecked: simulation thread.
final class DeviceStore: LocalStore, @unchecked Sendable {
    private let node: Node
    private weak var app: DeviceApp?
    private let memory: DeviceMemory
    private let file: SQLiteLocalStore?

    init(of app: DeviceApp, on node: Node) {
        (self.app, self.node, memory) = (app, node, app.memory)
        file = app.disk?.makeStore()
    }

    /// As the protocol says.
    func state() async throws(KeyValueStoreError) -> SyncState {
        guard let file else { return memory.sync }
        let state = try await heeded { () async throws(KeyValueStoreError) in try await file.state() }
        note(state)
        return state
    }

    /// As the protocol says.
    func update<Result: Sendable>(
        _ change: @Sendable (inout SyncState) -> Result
    ) async throws(KeyValueStoreError) -> Result {
        guard let file else {
            var state = memory.sync
            let result = change(&state)
            memory.keep(state)
            return result
        }
        let (result, state) = try await heeded { () async throws(KeyValueStoreError) in
            try await file.update { state in (change(&state), state) }
        }
        note(state)
        return result
    }

    /// As `call`; that it failed is noted.
    private func heeded<Result>(
        _ call: () async throws(KeyValueStoreError) -> Result
    ) async throws(KeyValueStoreError) -> Result {
        do {
            return try await call()
        } catch {
            if node.isAlive { app?.storeFailed(error) }
            throw error
        }
    }

    /// What a process hears that has died meanwhile nobody knows.
    private func note(_ state: SyncState) {
        guard node.isAlive, let app else { return }
        app.memory.keep(state)
        app.choices.isSpoilt = false
    }
}
