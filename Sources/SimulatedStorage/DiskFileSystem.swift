import CSQLite
import Glibc
import Synchronization

/// The file system that SQLite reaches simulated disks through (sqlite.org/vfs.html): `/disk-7/notifier` is the file `notifier` of the
/// seventh disk of this process.
enum DiskFileSystem {
    /// A disk as the table of disks knows it: it does not keep it.
    private struct Known {
        weak var disk: DiskFiles?
    }

    private static let name = "simulated-disk"
    private static let disks = Mutex<[Int: Known]>([:])
    /// Tells disks and openings apart; shows nowhere outside this process.
    private static let made = Atomic(0)
    private static let isRegistered: Bool = register()

    static func nextNumber() -> Int { made.add(1, ordering: .relaxed).newValue }

    static func add(_ disk: DiskFiles, number: Int) {
        precondition(isRegistered, "SQLite takes a file system of a name of its own")
        disks.withLock { $0[number] = Known(disk: disk) }
    }

    static func remove(number: Int) {
        disks.withLock { $0[number] = nil }
    }

    /// What SQLite calls that file.
    static func path(of name: String, onDisk number: Int) -> String { "file:/disk-\(number)/\(name)?vfs=\(Self.name)" }

    private static func find(_ path: UnsafePointer<CChar>?) -> (disk: DiskFiles, name: String)? {
        guard let path else { return nil }
        let parts = String(cString: path).split(separator: "/")
        guard parts.count == 2, let number = Int(parts[0].dropFirst("disk-".count)) else { return nil }
        return disks.withLock { $0[number]?.disk }.map { ($0, String(parts[1])) }
    }

    private static func open(_ path: UnsafePointer<CChar>?, _ handle: UnsafeMutablePointer<FileHandle>, _ flags: Int32)
        -> Int32
    {
        // SQLite closes what has methods, also when opening failed.
        handle.pointee.base.pMethods = nil
        let number = nextNumber()
        let opened: OpenFile
        if path == nil {
            opened = OpenFile(DiskFile(), on: nil, number: number)
        } else {
            guard let (disk, name) = DiskFileSystem.find(path),
                let file = disk.open(name, creating: flags & SQLITE_OPEN_CREATE != 0)
            else { return SQLITE_CANTOPEN }
            opened = OpenFile(file, on: disk, number: number)
        }
        handle.pointee.opened = Unmanaged.passRetained(opened)
        handle.pointee.base.pMethods = FileHandle.methods
        return SQLITE_OK
    }

    private static func register() -> Bool {
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        system.initialize(to: sqlite3_vfs())
        system.pointee.iVersion = 2
        system.pointee.szOsFile = Int32(MemoryLayout<FileHandle>.stride)
        system.pointee.mxPathname = 512
        system.pointee.zName = UnsafePointer(strdup(name))
        addFileMethods(to: &system.pointee)
        addMachineMethods(to: &system.pointee)
        return sqlite3_vfs_register(system, 0) == SQLITE_OK
    }

    private static func addFileMethods(to system: inout sqlite3_vfs) {
        system.xOpen = { _, path, file, flags, outFlags in
            outFlags?.pointee = flags
            return DiskFileSystem.open(path, file.unsafelyUnwrapped.handle, flags)
        }
        system.xDelete = { _, path, syncsFolder in
            guard let (disk, name) = DiskFileSystem.find(path) else { return ResultCode.delete }
            return disk.delete(name, durably: syncsFolder != 0) ? SQLITE_OK : ResultCode.deleteNoEntry
        }
        system.xAccess = { _, path, _, isThere in
            isThere.unsafelyUnwrapped.pointee =
                DiskFileSystem.find(path).map { $0.disk.has($0.name) } == true ? 1 : 0
            return SQLITE_OK
        }
        system.xFullPathname = { _, path, count, full in
            strncpy(full.unsafelyUnwrapped, path.unsafelyUnwrapped, Int(count))
            return SQLITE_OK
        }
    }

    /// SQLite asks the file system that is registered as the default for random numbers, and nobody here asks SQL for the time.
    private static func addMachineMethods(to system: inout sqlite3_vfs) {
        system.xRandomness = { _, count, bytes in
            memset(bytes.unsafelyUnwrapped, 0, Int(count))
            return count
        }
        system.xSleep = { _, microseconds in microseconds }
        system.xCurrentTimeInt64 = { _, instant in
            // Julian day of 1970-01-01, in milliseconds.
            instant.unsafelyUnwrapped.pointee = 210_866_760_000_000
            return SQLITE_OK
        }
        system.xGetLastError = { _, _, _ in 0 }
    }
}
