package import Platform
package import SQLite

/// A machine's disk in memory, on which real SQLite keeps its databases with a write-ahead log: a process may end anywhere, and the
/// power may go, with whatever a sound disk then does to bytes that no sync has made sure of.
///
/// Unchecked: handed over: one thread uses a disk at a time; in a simulation, the simulation's.
package final class SimulatedDisk: @unchecked Sendable {
    /// A connection that the disk keeps open and, in the end, closes.
    private struct Held {
        let name: String
        let connection: Connection
    }

    private let files: DiskFiles
    private let number: Int
    private var held: [Held] = []

    /// An empty disk, apart from every other one.
    ///
    /// - Parameter random: decides what a loss of power leaves, and which operations a fault strikes.
    package init(random: RandomStream = RandomStream(seed: 0, stream: "disk")) {
        files = DiskFiles(random: random)
        number = DiskFileSystem.nextNumber()
        DiskFileSystem.add(files, number: number)
    }

    deinit {
        DiskFileSystem.remove(number: number)
    }

    /// Hears of each operation on a file that has a name, before it is carried out; it may end the process there.
    package var onOperation: ((DiskOperation) -> Void)? {
        get { files.onOperation }
        set { files.onOperation = newValue }
    }

    /// Opens or creates the database called `name`, made of letters, digits and `-`, for a process that runs from now on.
    ///
    /// - Throws: as `Database.init` does.
    package func openDatabase(
        named name: String,
        options: DatabaseOptions = DatabaseOptions(busyTimeout: .zero)
    ) throws -> Database {
        files.isInUse = true
        let connection = try Connection(path: path(of: name), busyTimeout: .zero)
        held.append(Held(name: name, connection: connection))
        return try Database(connection, options: options)
    }

    /// A process runs from now on that opens its databases itself, under `path(of:)`, and closes them.
    package func beginProcess() { files.isInUse = true }

    /// What SQLite calls the database called `name`, for a statement that copies into it, or for a process that opens it itself.
    package func path(of name: String) -> String { DiskFileSystem.path(of: name, onDisk: number) }

    /// From now on operations meet that fault; with nil all are carried out again.
    package func meet(_ fault: DiskFault?) {
        files.fault = fault
    }

    /// The process has ended, wherever it stood: what it wrote stays, its locks are gone, and what it had open answers nothing but errors.
    package func endProcess() {
        files.endProcess()
    }

    /// The power goes: of what no sync had made sure of, the disk keeps what `fate` says. The process has ended.
    package func losePower(_ fate: UnsyncedWrites) {
        files.losePower(fate)
    }

    /// One block of the database called `name`, by chance, holds any bytes from now on. Nobody may be using it.
    package func damageBlock(of name: String) {
        files.damageBlock(of: name)
    }

    /// How many bytes the database called `name` has without its log; nil when there is none.
    package func size(of name: String) -> Int? { files.size(of: name) }

    /// Makes sure of all that was written to the database called `name`, and of the folder it is in.
    package func sync(named name: String) {
        files.sync(named: name)
    }

    /// Calls the database `name` otherwise, with its log, for good. Nobody may be using it.
    package func rename(_ name: String, to other: String) {
        files.rename(database: name, to: other)
    }

    /// Closes what was opened of the database called `name`, which nobody may use any more, and forgets it.
    package func removeDatabase(named name: String) {
        for held in held where held.name == name { held.connection.close() }
        held.removeAll { $0.name == name }
        files.remove(database: name)
    }

    /// Closes every connection, also abandoned ones, and frees the memory. The disk is empty then and can be used anew.
    ///
    /// Only for the end of a run, when no job that knows one of the databases can run any more; using such a database
    /// afterwards traps.
    package func discard() {
        // Nothing is worth being written any more.
        files.endProcess()
        for held in held { held.connection.close() }
        held = []
        files.removeAll()
    }
}
