/// A file on a simulated disk: what the running machine reads, what the medium has, and the writes between the two.
final class DiskFile {
    /// A change that no sync has made sure of yet.
    enum Write {
        case bytes(offset: Int, [UInt8])
        case truncation(size: Int)

        func apply(to bytes: inout [UInt8]) {
            switch self {
            case .bytes(let offset, let new): DiskFile.put(new, at: offset, in: &bytes)
            case .truncation(let size): if bytes.count > size { bytes.removeLast(bytes.count - size) }
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

        func apply(to bytes: inout [UInt8]) {
            DiskFile.put(old, at: offset, in: &bytes)
            if bytes.count > size { bytes.removeLast(bytes.count - size) }
        }
    }

    /// What the running machine reads.
    private(set) var bytes: [UInt8] = []
    /// Writes since the last sync, in their order.
    private(set) var unsynced: [Write] = []
    /// How to take them back, while they are all that the medium lacks: a database is not held twice for the sake of a few pages.
    private var undo: [Undo] = []
    /// What the medium has for certain, once a failed sync has made it another thing than the file without its last writes.
    private var apart: [UInt8]?
    /// False until the folder that names the file has reached the medium.
    var hasDurableName = false
    var locks = FileLocks()
    var index = SharedIndex()

    /// Every connection to the file has let go of it, those that a killed process left behind included.
    deinit { index.discard() }

    /// Copies what stands at `offset` into `buffer`, zeros where nothing does; false when some of it was missing.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let found = max(0, min(buffer.count, bytes.count - offset))
        if found > 0 { bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + found])) } }
        if found < buffer.count { buffer[found...].initializeMemory(as: UInt8.self, repeating: 0) }
        return found == buffer.count
    }

    /// What the medium has for certain.
    var durable: [UInt8] {
        if let apart { return apart }
        var durable = bytes
        for step in undo.reversed() { step.apply(to: &durable) }
        return durable
    }

    func write(_ new: UnsafeRawBufferPointer, at offset: Int) {
        willChange(offset..<offset + new.count)
        Self.put(new, at: offset, in: &bytes)
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
        let there = places.clamped(to: 0..<bytes.count)
        undo.append(Undo(size: bytes.count, offset: there.lowerBound, old: Array(bytes[there])))
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
    func recover(_ survivors: [UInt8]) {
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

    static func put(_ new: some Collection<UInt8>, at offset: Int, in bytes: inout [UInt8]) {
        if bytes.count < offset { bytes.append(contentsOf: repeatElement(0, count: offset - bytes.count)) }
        let over = min(new.count, bytes.count - offset)
        if over > 0 {
            bytes.withUnsafeMutableBytes { target in
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + over]).copyBytes(
                    from: new.prefix(over)
                )
            }
        }
        bytes.append(contentsOf: new.dropFirst(over))
    }
}
