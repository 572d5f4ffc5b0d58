import Platform
import Testing

@testable import SimulatedStorage

/// Holds a file against the plainest way to keep it: one copy for the running machine, one for the medium.
struct DiskFileTests {
    private struct Plain {
        var bytes: [UInt8] = []
        var durable: [UInt8] = []
        var unsynced: [DiskFile.Write] = []

        mutating func take(_ write: DiskFile.Write) {
            write.apply(to: &bytes)
            unsynced.append(write)
        }

        mutating func sync() {
            for write in unsynced { write.apply(to: &durable) }
            unsynced = []
        }
    }

    private func change(_ file: DiskFile, _ plain: inout Plain, _ random: inout RandomStream) {
        switch random.next(below: 12) {
        case 0...6:
            let offset = Int(random.next(below: 40))
            let new = (0..<random.next(below: 20)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            new.withUnsafeBytes { file.write($0, at: offset) }
            plain.take(.bytes(offset: offset, new))
        case 7, 8:
            let size = Int(random.next(below: 50))
            file.truncate(to: size)
            plain.take(.truncation(size: size))
        case 9, 10:
            file.sync()
            plain.sync()
        default:
            file.failSync()
            plain.unsynced = []
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `what the medium has is what a second copy would hold, also after a sync that failed`(seed: UInt64) {
        var random = RandomStream(seed: seed, stream: "file")
        let file = DiskFile()
        var plain = Plain()
        for _ in 0..<60 {
            change(file, &plain, &random)
            #expect(file.bytes == plain.bytes)
            #expect(file.durable == plain.durable)
        }
        file.recover(file.durable)
        #expect(file.bytes == plain.durable)
        #expect(file.durable == plain.durable)
    }
}
