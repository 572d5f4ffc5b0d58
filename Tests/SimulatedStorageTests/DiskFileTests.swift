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
            Self.apply(write, to: &bytes)
            unsynced.append(write)
        }

        mutating func sync() {
            for write in unsynced { Self.apply(write, to: &durable) }
            unsynced = []
        }

        private static func apply(_ write: DiskFile.Write, to bytes: inout [UInt8]) {
            switch write {
            case .bytes(let offset, let new):
                let missing = max(0, offset + new.count - bytes.count)
                bytes += Array(repeating: 0, count: missing)
                bytes.replaceSubrange(offset..<offset + new.count, with: new)
            case .truncation(let size): bytes = Array(bytes.prefix(size))
            }
        }
    }

    /// At the beginning of a piece of the file, or close to where two meet.
    private func offset(_ random: inout RandomStream) -> Int {
        let border = Int(random.next(below: 3)) * DiskBytes.pieceLength
        return max(0, border + Int(random.next(below: 40)) - 20)
    }

    private func change(_ file: DiskFile, _ plain: inout Plain, _ random: inout RandomStream) {
        switch random.next(below: 12) {
        case 0...6:
            let offset = offset(&random)
            let length = random.next(below: 8) == 0 ? UInt64(DiskBytes.pieceLength) + 30 : random.next(below: 20)
            let new = (0..<length).map { UInt8(truncatingIfNeeded: UInt64(offset) &+ $0 &* 7) }
            new.withUnsafeBytes { file.write($0, at: offset) }
            plain.take(.bytes(offset: offset, new))
        case 7, 8:
            let size = offset(&random)
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

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `what the medium has is what a second copy would hold, also after a sync that failed`(seed: UInt64) {
        var random = RandomStream(seed: seed, stream: "file")
        let file = DiskFile()
        var plain = Plain()
        for _ in 0..<60 {
            change(file, &plain, &random)
            #expect(file.bytes.bytes(0..<file.bytes.count) == plain.bytes)
            #expect(file.durable.bytes(0..<file.durable.count) == plain.durable)
        }
        file.recover(file.durable)
        #expect(file.bytes == DiskBytes(plain.durable))
        #expect(file.durable == DiskBytes(plain.durable))
    }
}
