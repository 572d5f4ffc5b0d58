import CSQLite

/// One opening of a file by SQLite, which outlives its process when that is killed: from then on it answers nothing but errors.
final class OpenFile {
    let file: DiskFile
    /// Tells openings of one file apart.
    let number: Int
    /// Nil for a temporary file, which nobody sees but the connection that made it.
    let disk: DiskFiles?
    private let incarnation: Int
    private var level = SQLITE_LOCK_NONE

    init(_ file: DiskFile, on disk: DiskFiles?, number: Int) {
        (self.file, self.disk, self.number) = (file, disk, number)
        incarnation = disk?.incarnation ?? 0
    }

    /// Whether the process that opened it is gone.
    var isStale: Bool { incarnation != disk?.incarnation ?? 0 }

    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
        guard !isStale else { return ResultCode.read }
        return file.read(at: offset, into: buffer) ? SQLITE_OK : ResultCode.shortRead
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
        if let refusal = refusal(of: .write) { return refusal }
        file.write(bytes, at: offset)
        return SQLITE_OK
    }

    func truncate(to size: Int) -> Int32 {
        if refusal(of: .write) != nil { return ResultCode.truncate }
        file.truncate(to: size)
        return SQLITE_OK
    }

    func sync() -> Int32 {
        if let refusal = refusal(of: .sync) {
            if !isStale { file.failSync() }
            return refusal
        }
        disk?.sync(file)
        return SQLITE_OK
    }

    func size(_ size: inout Int64) -> Int32 {
        size = Int64(file.bytes.count)
        return isStale ? ResultCode.size : SQLITE_OK
    }

    func lock(_ wanted: Int32) -> Int32 {
        guard !isStale else { return ResultCode.lock }
        guard level < wanted else { return SQLITE_OK }
        level = file.locks.raise(number, from: level, to: wanted)
        return level == wanted ? SQLITE_OK : SQLITE_BUSY
    }

    func unlock(_ wanted: Int32) -> Int32 {
        guard !isStale, level > wanted else { return SQLITE_OK }
        file.locks.lower(number, to: wanted)
        level = wanted
        return SQLITE_OK
    }

    func region(_ number: Int, size: Int, extends: Bool) -> (code: Int32, region: UnsafeMutableRawPointer?) {
        guard !isStale else { return (ResultCode.sharedMap, nil) }
        return (SQLITE_OK, file.index.region(number, size: size, extends: extends))
    }

    func lockRegions(_ places: Range<Int>, flags: Int32) -> Int32 {
        guard !isStale else { return ResultCode.sharedLock }
        guard flags & SQLITE_SHM_UNLOCK == 0 else {
            file.index.unlock(places, number)
            return SQLITE_OK
        }
        let isExclusive = flags & SQLITE_SHM_EXCLUSIVE != 0
        return file.index.lock(places, number, exclusively: isExclusive) ? SQLITE_OK : SQLITE_BUSY
    }

    func close() {
        _ = unlock(SQLITE_LOCK_NONE)
    }

    /// What an operation is answered with instead of being carried out; nil when nothing is in its way. Whoever watches the disk hears of
    /// the operation first, and may end the process there.
    private func refusal(of operation: DiskOperation) -> Int32? {
        let failed = operation == .write ? ResultCode.write : ResultCode.sync
        guard !isStale else { return failed }
        guard let disk else { return nil }
        disk.onOperation?(operation)
        return isStale ? failed : disk.refusal(of: operation)
    }
}
