/// The bytes of a file in pieces of one length, so that a database that grows is never copied to a larger place, and lies in no place of
/// twice its size.
struct DiskBytes: Equatable {
    static let pieceLength = 65_536

    /// All of one length; zeros stand beyond the end.
    private var pieces: [[UInt8]] = []
    private(set) var count = 0

    init() {}

    init(_ bytes: some Collection<UInt8>) {
        put(Array(bytes), at: 0)
    }

    /// Copies what stands at `offset` into `buffer`, as far as it reaches; the number of bytes.
    func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let found = max(0, min(buffer.count, count - offset))
        Self.eachPart(of: offset..<offset + found) { piece, places, done in
            pieces[piece].withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + places.count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[places]))
            }
        }
        return found
    }

    /// Puts `new` at `offset`; zeros where nothing stood before it.
    mutating func put(_ new: UnsafeRawBufferPointer, at offset: Int) {
        extend(to: offset + new.count)
        Self.eachPart(of: offset..<offset + new.count) { piece, places, done in
            pieces[piece].withUnsafeMutableBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: bytes[places])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: new[done..<done + places.count]))
            }
        }
    }

    mutating func put(_ new: [UInt8], at offset: Int) {
        new.withUnsafeBytes { put($0, at: offset) }
    }

    /// Forgets what stands at `size` and behind it.
    mutating func shorten(to size: Int) {
        guard size < count else { return }
        pieces.removeLast(pieces.count - (size + Self.pieceLength - 1) / Self.pieceLength)
        let rest = size % Self.pieceLength
        if rest > 0 {
            let zeros = repeatElement(UInt8(0), count: Self.pieceLength - rest)
            pieces[pieces.count - 1].replaceSubrange(rest..., with: zeros)
        }
        count = size
    }

    /// A copy of what stands in these places, as far as the file goes.
    func bytes(_ places: Range<Int>) -> [UInt8] {
        let there = places.clamped(to: 0..<count)
        return Array(unsafeUninitializedCapacity: there.count) { buffer, length in
            length = copy(from: there.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    private mutating func extend(to size: Int) {
        guard size > count else { return }
        while pieces.count * Self.pieceLength < size { pieces.append(Array(repeating: 0, count: Self.pieceLength)) }
        count = size
    }

    /// Gives `body` each piece that `places` lie in, the places within it, and how many bytes come before them.
    private static func eachPart(
        of places: Range<Int>,
        _ body: (_ piece: Int, _ places: Range<Int>, _ done: Int) -> Void
    ) {
        var next = places.lowerBound
        while next < places.upperBound {
            let (piece, start) = next.quotientAndRemainder(dividingBy: pieceLength)
            let end = min(pieceLength, start + places.upperBound - next)
            body(piece, start..<end, next - places.lowerBound)
            next += end - start
        }
    }
}
