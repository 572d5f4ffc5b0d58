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

    /// How many processes have ended on it.
    private(set) var incarnation = 0
    /// Hears of each operation on a file that has a name, before it is carried out; it may end the process there.
    package var onOperation: ((DiskOperation) -> Void)?

    private let number: Int
    private var files: [String: DiskFile] = [:]
    /// Files whose removal has not reached the medium.
    private var removed: [String: DiskFile] = [:]
    private var held: [Held] = []
    private var fault: DiskFault?
    private var random: RandomStream

    /// An empty disk, apart from every other one.
    ///
    /// - Parameter random: decides what a loss of power leaves, and which operations a fault strikes.
    package init(random: RandomStream = RandomStream(seed: 0, stream: "disk")) {
        self.random = random
        number = DiskFileSystem.nextNumber()
        DiskFileSystem.add(self, number: number)
    }

    deinit {
        discard()
        DiskFileSystem.remove(number: number)
    }

    /// Opens or creates the database called `name`, made of letters, digits and `-`.
    ///
    /// - Throws: as `Database.init` does.
    package func openDatabase(
        named name: String,
        options: DatabaseOptions = DatabaseOptions(busyTimeout: .zero)
    ) throws -> Database {
        let connection = try Connection(path: path(of: name), busyTimeout: .zero)
        held.append(Held(name: name, connection: connection))
        return try Database(connection, options: options)
    }

    /// What SQLite calls the database called `name`, for a statement that copies into it.
    package func path(of name: String) -> String { DiskFileSystem.path(of: name, onDisk: number) }

    /// From now on operations meet that fault; with nil all are carried out again.
    package func meet(_ fault: DiskFault?) {
        self.fault = fault
    }

    /// The process has ended, wherever it stood: what it wrote stays, its locks are gone, and what it had open answers nothing but errors.
    package func endProcess() {
        incarnation += 1
        for file in files.values { file.forgetProcess() }
    }

    /// The power goes: of what no sync had made sure of, the disk keeps what `fate` says. The process has ended.
    package func losePower(_ fate: UnsyncedWrites) {
        incarnation += 1
        var loss = PowerLoss(fate: fate, random: random)
        for (name, file) in removed.sorted(by: { $0.key < $1.key }) where files[name] == nil && !loss.keeps() {
            files[name] = file
        }
        removed = [:]
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            if file.hasDurableName || loss.keeps() {
                file.recover(loss.survivors(of: file))
            } else {
                files[name] = nil
            }
        }
        random = loss.random
    }

    /// Makes sure of all that was written to the database called `name`, and of the folder it is in.
    package func sync(named name: String) {
        files[name]?.sync()
        syncFolder()
    }

    /// Closes what was opened of the database called `name`, which nobody may use any more, and forgets it.
    package func removeDatabase(named name: String) {
        for held in held where held.name == name { held.connection.close() }
        held.removeAll { $0.name == name }
        for file in files.keys where file == name || file.hasPrefix("\(name)-") { files[file] = nil }
    }

    /// Closes every connection, also abandoned ones, and frees the memory. The disk is empty then and can be used anew.
    ///
    /// Only for the end of a run, when no job that knows one of the databases can run any more; using such a database
    /// afterwards traps.
    package func discard() {
        // Nothing is worth being written any more.
        incarnation += 1
        for held in held { held.connection.close() }
        held = []
        for file in Array(files.values) + Array(removed.values) { file.index.discard() }
        (files, removed) = ([:], [:])
    }
}

/// What SQLite asks of the disk.
extension SimulatedDisk {
    func hasFile(named name: String) -> Bool { files[name] != nil }

    func file(named name: String, creating: Bool) -> DiskFile? {
        if let file = files[name] { return file }
        guard creating else { return nil }
        let file = DiskFile()
        files[name] = file
        return file
    }

    /// False when there is no such file.
    func delete(_ name: String, durably: Bool) -> Bool {
        guard let file = files.removeValue(forKey: name) else { return false }
        removed[name] = durably || !file.hasDurableName ? nil : file
        return true
    }

    /// The first sync of a file takes its folder to the medium, as SQLite's own file systems do, and with it every name.
    func sync(_ file: DiskFile) {
        file.sync()
        if !file.hasDurableName { syncFolder() }
    }

    /// Every name, and every name that is gone, is on the medium.
    private func syncFolder() {
        for file in files.values { file.hasDurableName = true }
        removed = [:]
    }

    /// What the fault in force makes of an operation; nil when it is carried out.
    func refusal(of operation: DiskOperation) -> Int32? { fault?.refusal(of: operation, drawing: &random) }
}
