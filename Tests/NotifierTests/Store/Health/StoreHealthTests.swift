import Platform
import SQLite
import Testing

@testable import Notifier

struct StoreHealthTests {
    private let start = MonotonicInstant(nanoseconds: 0)

    private func at(_ seconds: Int64) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    @Test func `the first failure tells, the same again does not, another reason does`() {
        var health = StoreHealth(at: start)
        #expect(health.failed(.full, at: at(1)) == .failing(.full))
        #expect(health.failed(.full, at: at(2)) == nil)
        #expect(health.failed(.ioError, at: at(3)) == .failing(.ioError))
        #expect(health.state == .failing(.ioError, since: at(1)))
    }

    @Test func `a commit between failures is no recovery, one after a calm minute is`() {
        var health = StoreHealth(at: start)
        _ = health.failed(.full, at: at(10))
        #expect(health.committed(at: at(20)) == nil)
        _ = health.failed(.full, at: at(50))
        #expect(health.committed(at: at(109)) == nil)
        #expect(health.reason == .full)
        #expect(health.committed(at: at(110)) == .recovered(after: .seconds(100)))
        #expect(health.reason == nil)
    }

    @Test func `a damaged file stays damaged whatever is committed`() {
        var health = StoreHealth(at: start)
        _ = health.failed(.full, at: at(1))
        #expect(health.failed(.damaged, at: at(2)) == .failing(.damaged))
        #expect(health.committed(at: at(7_200)) == nil)
        #expect(health.failed(.full, at: at(7_201)) == nil)
        #expect(health.reason == .damaged)
    }

    @Test func `a damaged file may take writes all the same, one that fails does not`() {
        var health = StoreHealth(at: start)
        #expect(health.takesWrites(at: at(0)))
        _ = health.failed(.full, at: at(1))
        _ = health.committed(at: at(30))
        #expect(!health.takesWrites(at: at(100)))
        _ = health.failed(.damaged, at: at(100))
        #expect(!health.takesWrites(at: at(500)))
        _ = health.committed(at: at(110))
        #expect(!health.takesWrites(at: at(159)))
        #expect(health.takesWrites(at: at(160)))
        _ = health.failed(.damaged, at: at(200))
        #expect(!health.takesWrites(at: at(500)))
    }

    @Test func `a probe is due a minute after the last outcome, sooner while writing fails`() {
        var health = StoreHealth(at: start)
        #expect(health.nextProbe == at(60))
        _ = health.committed(at: at(40))
        #expect(health.nextProbe == at(100))
        _ = health.failed(.readOnly, at: at(50))
        #expect(health.nextProbe == at(65))
    }

    private static let reasons: [(SQLiteError, StoreHealth.Reason?)] = [
        (.full, .full), (.ioError(code: 778), .ioError), (.cannotOpen, .ioError), (.readOnly, .readOnly),
        (.busy, .locked), (.corrupt, .damaged), (.other(code: 7), .other), (.other(code: 1), nil),
        (.constraint(.unique, subject: ""), nil),
        (.invalidSQL(message: ""), nil), (.misuse, nil),
    ]

    @Test(arguments: reasons)
    func `what lies with the file or disk has a reason, what lies with the question has none`(
        error: SQLiteError,
        reason: StoreHealth.Reason?
    ) {
        #expect(error.storeTrouble == reason)
    }
}
