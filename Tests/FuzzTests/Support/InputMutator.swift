import Platform

/// Makes inputs out of those of a corpus: a few small changes each, by a seed, so that every run makes the same.
struct InputMutator {
    private static let longest = 4_096
    /// What readers of texts and numbers have their rules for.
    private static let tokens = [
        "\"", "\\", "{", "}", "[", "]", "null", "-1", "18446744073709551616", "\r\n", "\0", "%00", "é", "1e999",
    ].map { Array($0.utf8) }

    private let corpus: [[UInt8]]
    private var random: RandomStream

    /// Begins with a corpus of one input at least.
    init(_ corpus: [[UInt8]], seed: UInt64) {
        precondition(!corpus.isEmpty, "there is something to begin with")
        self.corpus = corpus
        random = RandomStream(seed: seed)
    }

    /// The next input, 4,096 bytes at most.
    mutating func next() -> [UInt8] {
        var bytes = corpus[index(below: corpus.count)]
        for _ in 0...index(below: 4) { change(&bytes) }
        return Array(bytes.prefix(Self.longest))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = index(below: bytes.count + 1)
        let end = min(bytes.count, place + 1 + index(below: 8))
        switch index(below: 6) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(index(below: 8))
        case 1 where place < bytes.count: bytes[place] = UInt8(index(below: 256))
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4: bytes.insert(contentsOf: Self.tokens[index(below: Self.tokens.count)], at: place)
        default: splice(&bytes, at: place)
        }
    }

    /// The beginning of one input and the end of another.
    private mutating func splice(_ bytes: inout [UInt8], at place: Int) {
        let other = corpus[index(below: corpus.count)]
        bytes = Array(bytes[..<place] + other[index(below: other.count + 1)...])
    }

    private mutating func index(below bound: Int) -> Int { Int(random.next(below: UInt64(bound))) }
}
