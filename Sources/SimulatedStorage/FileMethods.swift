import CSQLite

/// What SQLite holds of an open file: its own part first, ours behind it.
struct FileHandle {
    var base: sqlite3_file
    var opened: Unmanaged<OpenFile>?

    /// The methods of every file (sqlite.org/c3ref/io_methods.html). Version 2 has shared memory, and so a write-ahead log for more than
    /// one connection; nothing is mapped, for which version 3 would be.
    ///
    /// Unchecked: never changes.
    nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 2
        addFileMethods(to: &methods.pointee)
        addLockMethods(to: &methods.pointee)
        addIndexMethods(to: &methods.pointee)
        return UnsafePointer(methods)
    }()

    private static func addFileMethods(to methods: inout sqlite3_io_methods) {
        methods.xClose = { file in
            let handle = file.unsafelyUnwrapped.handle
            file.opened.close()
            handle.pointee.opened?.release()
            handle.pointee.opened = nil
            return SQLITE_OK
        }
        methods.xRead = { file, buffer, count, offset in
            file.opened.read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), at: Int(offset))
        }
        methods.xWrite = { file, bytes, count, offset in
            file.opened.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: Int(offset))
        }
        methods.xTruncate = { file, size in file.opened.truncate(to: Int(size)) }
        methods.xSync = { file, _ in file.opened.sync() }
        methods.xFileSize = { file, size in file.opened.size(&size.unsafelyUnwrapped.pointee) }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4_096 }
        // As SQLite takes every disk to be: bytes beside those that are being written stay as they are (sqlite.org/psow.html).
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    }

    private static func addLockMethods(to methods: inout sqlite3_io_methods) {
        methods.xLock = { file, level in file.opened.lock(level) }
        methods.xUnlock = { file, level in file.opened.unlock(level) }
        methods.xCheckReservedLock = { file, isReserved in
            isReserved.unsafelyUnwrapped.pointee = file.opened.file.locks.isReserved ? 1 : 0
            return SQLITE_OK
        }
    }

    private static func addIndexMethods(to methods: inout sqlite3_io_methods) {
        methods.xShmMap = { file, number, size, extends, place in
            let (code, region) = file.opened.region(Int(number), size: Int(size), extends: extends != 0)
            // Its type says that there always is one; SQLite itself asks for none where it may be missing.
            UnsafeMutableRawPointer(place.unsafelyUnwrapped).storeBytes(of: region, as: UnsafeMutableRawPointer?.self)
            return code
        }
        methods.xShmLock = { file, offset, count, flags in
            file.opened.lockRegions(Int(offset)..<Int(offset + count), flags: flags)
        }
        // One thread uses a disk at a time.
        methods.xShmBarrier = { _ in }
        methods.xShmUnmap = { _, _ in SQLITE_OK }
    }
}

extension UnsafeMutablePointer<sqlite3_file> {
    /// SQLite's file as ours: it keeps as many bytes as ours takes.
    var handle: UnsafeMutablePointer<FileHandle> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: FileHandle.self)
    }
}

extension UnsafeMutablePointer<sqlite3_file>? {
    /// SQLite names an open file in each call.
    fileprivate var opened: OpenFile {
        unsafelyUnwrapped.handle.pointee.opened.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0 }
    }
}
