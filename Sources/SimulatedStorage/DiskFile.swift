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

    /// What the running machine reads.
    private(set) var bytes: [UInt8] = []
    /// What the medium has for certain.
    private(set) var durable: [UInt8] = []
    /// Writes since the last sync, in their order.
    private(set) var unsynced: [Write] = []
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

    func write(_ new: UnsafeRawBufferPointer, at offset: Int) {
        Self.put(new, at: offset, in: &bytes)
        unsynced.append(.bytes(offset: offset, Array(new)))
    }

    func truncate(to size: Int) {
        let write = Write.truncation(size: size)
        write.apply(to: &bytes)
        unsynced.append(write)
    }

    func sync() {
        for write in unsynced { write.apply(to: &durable) }
        unsynced.removeAll(keepingCapacity: true)
    }

    /// A sync that failed: the medium has none of the writes and never gets them, although the running machine goes on reading them, as
    /// Linux does (Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020).
    func failSync() {
        unsynced.removeAll(keepingCapacity: true)
    }

    /// From now on the file holds what outlived a loss of power.
    func recover(_ survivors: [UInt8]) {
        (bytes, durable) = (survivors, survivors)
        unsynced = []
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
