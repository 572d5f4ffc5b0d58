import Platform

/// What becomes of writes that no sync had made sure of when the power went. All of it is what a sound disk may do: SQLite with a
/// write-ahead log and full synchronisation loses no commit by any of it (sqlite.org/psow.html, sqlite.org/atomiccommit.html).
package enum UnsyncedWrites: String, Sendable, Hashable, CaseIterable {
    /// None is on the medium.
    case nothing
    /// Each is there or is not, by chance and in no order.
    case some
    /// Each is there, is not, or is there in some sectors of 512 bytes.
    case torn
    /// Each leaves the bytes it was to leave, the old ones, or any others, sector by sector.
    case garbage
}

/// Decides which writes outlive a loss of power.
struct PowerLoss {
    var fate: UnsyncedWrites
    var random: RandomStream

    private static let sector = 512

    /// What the medium holds of a file afterwards. Half of the files are struck alike from end to end, the others write by write: the
    /// loss of a whole file's writes would hardly ever come about by chance otherwise.
    mutating func survivors(of file: DiskFile) -> DiskBytes {
        var bytes = file.durable
        guard fate != .nothing, !file.unsynced.isEmpty else { return bytes }
        let whole: Bool? = random.next(below: 2) == 0 ? random.next(below: 2) == 0 : nil
        for write in file.unsynced {
            if whole ?? (random.next(below: 2) == 0) { apply(write, to: &bytes) }
        }
        return bytes
    }

    /// Whether something that no sync has made sure of stays, such as a name.
    mutating func keeps() -> Bool { fate != .nothing && random.next(below: 2) == 0 }

    private mutating func apply(_ write: DiskFile.Write, to bytes: inout DiskBytes) {
        guard case .bytes(let offset, let new) = write, fate != .some else { return write.apply(to: &bytes) }
        for start in stride(from: 0, to: new.count, by: Self.sector) {
            let piece = new[start..<min(start + Self.sector, new.count)]
            switch random.next(below: 4) {
            case 0 where fate == .torn: continue
            case 0:
                let noise = piece.map { _ in UInt8(truncatingIfNeeded: random.next()) }
                bytes.put(noise, at: offset + start)
            case 1: continue
            default: bytes.put(Array(piece), at: offset + start)
            }
        }
    }
}
