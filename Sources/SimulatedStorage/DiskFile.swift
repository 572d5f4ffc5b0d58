/// A file on a simulated disk: what the running machine reads, what the medium has, and the writes between the two.
final class DiskFile {
    /// A change that no sync has made sure of yet.
    enum Write {
        case bytes(offset: Int, [UInt8])
        case truncation(size: Int)

        func apply(to bytes: inout DiskBytes) {
            switch self {
            case .bytes(let offset, let new): bytes.put(new, at: offset)
            case .truncation(let size): bytes.shorten(to: size)
            }
        }
    }

    /// How to take a write back.
    private struct Undo {
        /// How long the file was before.
        var size: Int
        /// What stood there before, as far as the file went.
        var offset: Int
        var old: [UInt8]

        func apply(to bytes: inout DiskBytes) {
            bytes.put(old, at: offset)
            bytes.shorten(to: size)
        }
    }

    /// What the running machine reads.
    private(set) var bytes = DiskBytes()
    /// Writes since the last sync, in their order.
    private(set) var unsynced: [Write] = []
    /// How to take them back, while they are all that the medium lacks: a database is not held twice for the sake of a few pages.
    private var undo: [Undo] = []
    /// What the medium has for certain, once a failed sync has made it another thing than the file without its last writes.
    private var apart: DiskBytes?
    /// False until the folder that names the file has reached the medium.
    var hasDurableName = false
    var locks = FileLocks()
    var index = SharedIndex()

    /// Every connection to the file has let go of it, those that a killed process left behind included.
    deinit { index.discard() }

    /// Copies what stands at `offset` into `buffer`, zeros where nothing does; false when some of it was missing.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let found = bytes.copy(from: offset, into: buffer)
        if found < buffer.count { buffer[found...].initializeMemory(as: UInt8.self, repeating: 0) }
        return found == buffer.count
    }

    /// What the medium has for certain.
    var durable: DiskBytes {
        if let apart { return apart }
        var durable = bytes
        for step in undo.reversed() { step.apply(to: &durable) }
        return durable
    }

    func write(_ new: UnsafeRawBufferPointer, at offset: Int) {
        willChange(offset..<offset + new.count)
        bytes.put(new, at: offset)
        unsynced.append(.bytes(offset: offset, Array(new)))
    }

    func truncate(to size: Int) {
        let write = Write.truncation(size: size)
        willChange(size..<max(size, bytes.count))
        write.apply(to: &bytes)
        unsynced.append(write)
    }

    func sync() {
        if var medium = apart.take() {
            for write in unsynced { write.apply(to: &medium) }
            apart = medium
        }
        forgetWrites()
    }

    /// Remembers what stands there.
    private func willChange(_ places: Range<Int>) {
        guard apart == nil else { return }
        let offset = min(places.lowerBound, bytes.count)
        undo.append(Undo(size: bytes.count, offset: offset, old: bytes.bytes(places)))
    }

    private func forgetWrites() {
        unsynced.removeAll(keepingCapacity: true)
        undo.removeAll(keepingCapacity: true)
    }

    /// A sync that failed: the medium has none of the writes and never gets them, although the running machine goes on reading them, as
    /// Linux does (Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020).
    func failSync() {
        apart = durable
        forgetWrites()
    }

    /// From now on the file holds what outlived a loss of power.
    func recover(_ survivors: DiskBytes) {
        bytes = survivors
        apart = nil
        forgetWrites()
        forgetProcess()
    }

    /// No process has the file open any more.
    func forgetProcess() {
        locks = FileLocks()
        index.forgetProcess()
    }
}
