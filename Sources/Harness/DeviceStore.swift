import KitSQLite
import NotifierKit
import SimulatedStorage
import Simulation

/// Where one process of an app keeps what all devices keep alike: in the kit's own SQLite file on the device's disk, or, on a device that no fault
/// of the scenario strikes, in memory, which costs a run less.
///
/// Unchecked: simulation thread.
final class DeviceStore: LocalStore, @unchecked Sendable {
    private let memory: DeviceMemory
    private let node: Node
    private weak var app: DeviceApp?
    private let file: SQLiteLocalStore?

    init(of app: DeviceApp, on node: Node) {
        (memory, self.app, self.node) = (app.memory, app, node)
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

    /// As `call`; that the store was begun anew is noted.
    private func heeded<Result>(
        _ call: () async throws(KeyValueStoreError) -> Result
    ) async throws(KeyValueStoreError) -> Result {
        do {
            return try await call()
        } catch {
            if error.hasBegunAnew, node.isAlive { app?.lostStore() }
            throw error
        }
    }

    /// What a process hears that has died meanwhile nobody knows.
    private func note(_ state: SyncState) {
        if node.isAlive { memory.keep(state) }
    }
}
