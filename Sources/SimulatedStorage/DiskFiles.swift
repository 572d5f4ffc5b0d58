import Platform

/// The files of a disk, as SQLite reaches them, and what becomes of them when a process ends or the power goes.
///
/// Unchecked: handed over: with its disk.
final class DiskFiles: @unchecked Sendable {
    /// How many processes have ended on them.
    private(set) var incarnation = 0
    /// Whether a process runs that may open and remove files. What is left of one that has died in the middle of a call may not.
    var isInUse = false
    var onOperation: ((DiskOperation) -> Void)?
    var fault: DiskFault?

    private var files: [String: DiskFile] = [:]
    /// Files whose removal has not reached the medium.
    private var removed: [String: DiskFile] = [:]
    private var random: RandomStream

    init(random: RandomStream) {
        self.random = random
    }

    // MARK: What SQLite asks for

    func has(_ name: String) -> Bool { files[name] != nil }

    /// Nil when there is none and none is to be made, or nobody may open it.
    func open(_ name: String, creating: Bool) -> DiskFile? {
        guard isInUse else { return nil }
        if let file = files[name] { return file }
        guard creating else { return nil }
        let file = DiskFile()
        files[name] = file
        return file
    }

    /// False when there is no such file, or nobody may remove it.
    func delete(_ name: String, durably: Bool) -> Bool {
        guard isInUse, let file = files.removeValue(forKey: name) else { return false }
        removed[name] = durably || !file.hasDurableName ? nil : file
        return true
    }

    /// The first sync of a file takes its folder to the medium, as SQLite's own file systems do, and with it every name.
    func sync(_ file: DiskFile) {
        file.sync()
        if !file.hasDurableName { syncFolder() }
    }

    /// What the fault in force makes of an operation; nil when it is carried out.
    func refusal(of operation: DiskOperation) -> Int32? { fault?.refusal(of: operation, drawing: &random) }

    // MARK: What becomes of them

    func endProcess() {
        incarnation += 1
        isInUse = false
        for file in files.values { file.forgetProcess() }
    }

    func losePower(_ fate: UnsyncedWrites) {
        endProcess()
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

    /// As long as the block of a disk, and a page of SQLite's.
    private static let blockLength = 4_096

    /// Any bytes stand in one block of the file from now on, in the first one (what SQLite reads first) a quarter of the time.
    func damageBlock(of name: String) {
        guard let file = files[name], file.bytes.count > 0 else { return }
        let blocks = (file.bytes.count + Self.blockLength - 1) / Self.blockLength
        let block = random.chance(1, in: 4) ? 0 : Int(random.next(below: UInt64(blocks)))
        let length = min(Self.blockLength, file.bytes.count - block * Self.blockLength)
        let garbage = (0..<length).map { _ in UInt8(random.next(below: 256)) }
        garbage.withUnsafeBytes { file.write($0, at: block * Self.blockLength) }
        file.sync()
    }

    /// How many bytes the file has; nil when there is none.
    func size(of name: String) -> Int? { files[name]?.bytes.count }

    func sync(named name: String) {
        files[name]?.sync()
        syncFolder()
    }

    /// Forgets a database with its log and its index.
    func remove(database name: String) {
        for file in files.keys where file == name || file.hasPrefix("\(name)-") { files[file] = nil }
    }

    /// Moves a database with its log to another name, durably.
    func rename(database name: String, to other: String) {
        for ending in ["", "-wal"] {
            guard let file = files.removeValue(forKey: name + ending) else { continue }
            file.sync()
            files[other + ending] = file
        }
        files["\(name)-shm"] = nil
        syncFolder()
    }

    func removeAll() {
        (files, removed) = ([:], [:])
    }

    /// Every name, and every name that is gone, is on the medium.
    private func syncFolder() {
        for file in files.values { file.hasDurableName = true }
        removed = [:]
    }
}
