import Glibc
import Testing

@testable import Daemon

struct PollMarksFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var database: String { "\(folder.path)/notifier.db" }

    @Test func `what was being read is known to the next process, once`() throws {
        let first = try #require(PollMarksFile(beside: database))
        #expect(first.takeInterrupted() == [])
        for account: Int64 in [7, 5, 9, 5] { first.begin(account) }
        first.end(9)
        first.begin(4)
        // The process dies here: nothing is closed.
        let second = try #require(PollMarksFile(beside: database))
        #expect(second.takeInterrupted() == [4, 5, 7])
        #expect(second.takeInterrupted() == [])
        let third = try #require(PollMarksFile(beside: database))
        #expect(third.takeInterrupted() == [])
    }

    @Test func `who ends in order leaves nothing`() throws {
        let first = try #require(PollMarksFile(beside: database))
        for account in Int64(1)...100 { first.begin(account) }
        for account in Int64(1)...100 { first.end(account) }
        first.end(3)
        #expect(try #require(PollMarksFile(beside: database)).takeInterrupted() == [])
    }

    @Test func `the file has a bound`() throws {
        let first = try #require(PollMarksFile(beside: database))
        for account in Int64(1)...20_000 { first.begin(account) }
        var status = stat()
        #expect(stat("\(database).polls", &status) == 0 && status.st_size == 16_384 * 8)
        #expect(try #require(PollMarksFile(beside: database)).takeInterrupted().count == 16_384)
    }

    @Test func `a damaged file or a missing folder stops nobody`() throws {
        try folder.write("not eight", to: "notifier.db.polls")
        #expect(try #require(PollMarksFile(beside: database)).takeInterrupted().count <= 1)
        #expect(PollMarksFile(beside: "\(folder.path)/none/notifier.db") == nil)
    }
}
