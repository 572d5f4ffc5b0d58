import CSQLite

/// The memory that connections to one file share as the index of its write-ahead log, with its eight locks
/// (sqlite.org/walformat.html §2).
struct SharedIndex {
    private var regions: [UnsafeMutableRawPointer] = []
    /// Regions of processes that are gone, whose connections were never closed and may still point there.
    private var abandoned: [UnsafeMutableRawPointer] = []
    private var readers = [Set<Int>](repeating: [], count: Int(SQLITE_SHM_NLOCK))
    private var writers = [Int?](repeating: nil, count: Int(SQLITE_SHM_NLOCK))

    /// The region of that number; nil when there is none and none is to be made. It never moves.
    mutating func region(_ number: Int, size: Int, extends: Bool) -> UnsafeMutableRawPointer? {
        while regions.count <= number {
            guard extends else { return nil }
            let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            region.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            regions.append(region)
        }
        return regions[number]
    }

    /// False when another holder is in the way.
    mutating func lock(_ places: Range<Int>, _ holder: Int, exclusively: Bool) -> Bool {
        for place in places {
            if let writer = writers[place], writer != holder { return false }
            if exclusively, !readers[place].subtracting([holder]).isEmpty { return false }
        }
        for place in places {
            if exclusively { writers[place] = holder } else { readers[place].insert(holder) }
        }
        return true
    }

    mutating func unlock(_ places: Range<Int>, _ holder: Int) {
        for place in places {
            readers[place].remove(holder)
            if writers[place] == holder { writers[place] = nil }
        }
    }

    /// The locks go with their process; the next one makes its index anew from the log.
    mutating func forgetProcess() {
        abandoned += regions
        regions = []
        for place in writers.indices {
            readers[place] = []
            writers[place] = nil
        }
    }

    /// Gives the memory back. Only when every connection is closed.
    mutating func discard() {
        for region in regions + abandoned { region.deallocate() }
        (regions, abandoned) = ([], [])
    }
}
