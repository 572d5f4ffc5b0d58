import Dispatch
import Testing

/// What fuzzers started from and what they found, once more and without them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReplayTests {
    private static let mutantsPerTarget = 100

    @Test(arguments: FuzzTarget.all)
    func `every file of the corpus keeps the promises`(target: FuzzTarget) async throws {
        let files = try Corpus.files(of: target)
        #expect(!files.isEmpty, "\(target.name) has no corpus")
        for (name, bytes) in files {
            // A broken promise ends the process, so the last line of the output says by what.
            print("\(target.name)/\(name)", terminator: " ")
            await target.take(bytes)
        }
    }

    /// What `make fuzz` does for hours with a library that knows which ways were taken, done blindly and for seconds.
    @Test(arguments: FuzzTarget.all)
    func `bytes that are a little other than those of the corpus do, too`(target: FuzzTarget) async throws {
        var mutator = InputMutator(try Corpus.files(of: target).map(\.bytes), seed: 1)
        for number in 0..<Self.mutantsPerTarget {
            let bytes = mutator.next()
            print("\(target.name)/mutant \(number): \(bytes.count) bytes", terminator: " ")
            await target.take(bytes)
        }
    }

    @Test func `every folder of the corpus belongs to a target`() throws {
        #expect(try Corpus.folders() == FuzzTarget.all.map(\.name).sorted())
    }
}

extension FuzzTarget {
    /// Off the shared threads: some targets wait for servers that run on them.
    fileprivate func take(_ bytes: [UInt8]) async {
        await withCheckedContinuation { waiter in
            DispatchQueue(label: name).async {
                feed(bytes)
                waiter.resume()
            }
        }
    }
}
