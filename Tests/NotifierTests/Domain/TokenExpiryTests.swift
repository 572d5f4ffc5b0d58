import Platform
import Testing

@testable import Notifier

private let date = "2027-01-31"

/// So long before the token is dead.
private func makeInstant(before left: Duration) throws -> WallTime {
    try #require(TokenExpiry.deadFrom(date)).advanced(by: .zero - left)
}

struct TokenExpiryTests {
    @Test func `GitLab facts §2: a token is dead from midnight UTC of its date on`() {
        #expect(TokenExpiry.deadFrom("2027-01-31") == WallTime(secondsSinceEpoch: 1_801_353_600))
        let beyondCalendars = "9223372036854775807-01-01"
        for text in ["", "2027-02-30", "2027-1", "soon", "2027-01-31-01", "31.01.2027", beyondCalendars] {
            #expect(TokenExpiry.deadFrom(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        (Duration.days(8), TokenExpiry.Warning?.none), (.days(7), .ahead), (.days(2), .ahead), (.days(1), .lastDay),
        (.seconds(1), .lastDay), (.zero, nil), (.zero - .days(3), nil),
    ])
    func `the first warning due is the one for the time that is left`(
        left: Duration,
        expected: TokenExpiry.Warning?
    ) throws {
        let expiry = TokenExpiry(expiresOn: date)
        #expect(expiry.warning(daysAhead: 7, at: try makeInstant(before: left)) == expected)
    }

    @Test func `each warning is given once`() throws {
        var expiry = TokenExpiry(expiresOn: date)
        expiry.recordNotified(.ahead)
        #expect(expiry.warning(daysAhead: 7, at: try makeInstant(before: .days(3))) == nil)
        #expect(expiry.warning(daysAhead: 7, at: try makeInstant(before: .hours(20))) == .lastDay)
        expiry.recordNotified(.lastDay)
        #expect(expiry.warning(daysAhead: 7, at: try makeInstant(before: .hours(1))) == nil)
    }

    @Test func `another date begins anew, the same does not`() throws {
        var expiry = TokenExpiry(expiresOn: date, warned: .ahead)
        let now = try makeInstant(before: .days(3))
        expiry.read(date, at: now)
        #expect(expiry.warning(daysAhead: 7, at: now) == nil)
        expiry.read("2027-02-02", at: now)
        #expect(expiry.warning(daysAhead: 7, at: now) == .ahead)
        expiry.read(nil, at: now)
        #expect(expiry.warning(daysAhead: 7, at: now) == nil)
    }

    @Test func `a token that cannot be asked keeps its date, and how far the person was warned of it`() throws {
        let now = try makeInstant(before: .days(3))
        var expiry = TokenExpiry(expiresOn: date, warned: .ahead)
        expiry.keep(at: now)
        #expect(expiry == TokenExpiry(expiresOn: date, warned: .ahead, readAt: now))
        #expect(expiry.warning(daysAhead: 7, at: try makeInstant(before: .hours(20))) == .lastDay)
    }

    @Test func `GitLab is asked daily, and again before each warning`() throws {
        let start = try makeInstant(before: .days(7) + .hours(1))
        #expect(TokenExpiry(expiresOn: date).isReadDue(daysAhead: 7, at: start))
        let expiry = TokenExpiry(expiresOn: date, readAt: start)
        #expect(!expiry.isReadDue(daysAhead: 7, at: start.advanced(by: .minutes(59))))
        #expect(expiry.isReadDue(daysAhead: 7, at: start.advanced(by: .hours(1))))
        let asked = TokenExpiry(expiresOn: date, warned: .ahead, readAt: start.advanced(by: .hours(1)))
        #expect(!asked.isReadDue(daysAhead: 7, at: start.advanced(by: .hours(24))))
        #expect(asked.isReadDue(daysAhead: 7, at: start.advanced(by: .hours(25))))
    }

    @Test func `a clock that was set back keeps nothing away`() throws {
        let start = try makeInstant(before: .days(30))
        let expiry = TokenExpiry(expiresOn: date, readAt: start)
        #expect(expiry.isReadDue(daysAhead: 7, at: start.advanced(by: .zero - .hours(1))))
    }
}
