import HTTP
import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)
/// 2026-03-02 08:00:00 UTC.
private let date = "Mon, 02 Mar 2026 08:00:00 GMT"
private let seconds: Int64 = 1_772_438_400

private func fields(remaining: String?, reset: String?, date: String? = date) -> HTTPFields {
    var fields = HTTPFields()
    if let remaining { fields.append("RateLimit-Remaining", remaining) }
    if let reset { fields.append("RateLimit-Reset", reset) }
    if let date { fields.append("Date", date) }
    return fields
}

private func announce(_ remaining: Int, untilReset: Int64) throws -> RateQuota.Announcement {
    try #require(RateQuota.Announcement(fields(remaining: "\(remaining)", reset: "\(seconds + untilReset)")))
}

struct RateQuotaTests {
    @Test func `the reset counts by GitLab's own clock`() throws {
        let announcement = try announce(120, untilReset: 1_800)
        #expect(announcement.remaining == 120 && announcement.untilReset == .seconds(1_800))
    }

    private static let meaningless: [HTTPFields] = [
        fields(remaining: nil, reset: "\(seconds + 60)"), fields(remaining: "12", reset: nil),
        fields(remaining: "12", reset: "\(seconds + 60)", date: nil),
        fields(remaining: "12", reset: "\(seconds + 60)", date: "yesterday"),
        fields(remaining: "-1", reset: "\(seconds + 60)"), fields(remaining: "many", reset: "\(seconds + 60)"),
        fields(remaining: "12", reset: "soon"), fields(remaining: "12", reset: "\(seconds)"),
        fields(remaining: "12", reset: "\(seconds - 1)"), fields(remaining: "12", reset: "\(seconds + 86_401)"),
        fields(remaining: "12", reset: "\(Int64.max)"), fields(remaining: "12", reset: "\(Int64.min)"),
    ]

    @Test(arguments: meaningless) func `what nobody can reckon with says nothing`(fields: HTTPFields) {
        #expect(RateQuota.Announcement(fields) == nil)
    }

    @Test func `more requests than anybody can ask for make nobody wait`() throws {
        var quota = RateQuota()
        quota.take(try announce(.max, untilReset: 60), at: start)
        quota.takeCycle(of: 7)
        #expect(quota.wait(at: start) < .milliseconds(1))
    }

    @Test func `where nothing was said nobody waits`() throws {
        #expect(try makeQuota(of: 7).wait(at: start) == .zero)
        var quota = RateQuota()
        quota.take(try announce(10, untilReset: 60), at: start)
        #expect(quota.wait(at: start) == .zero)
    }

    @Test func `what is left lasts until the reset, but for a tenth`() throws {
        let quota = try makeQuota(of: 6, announce(100, untilReset: 1_600))
        // 90 requests are 15 cycles of 6; the sixteenth comes after the reset.
        #expect(quota.wait(at: start) == .seconds(100))
        #expect(quota.wait(at: start.advanced(by: .seconds(800))) == .seconds(50))
    }

    @Test func `the last cycle comes halfway to the reset`() throws {
        #expect(try makeQuota(of: 6, announce(6, untilReset: 1_800)).wait(at: start) == .seconds(900))
    }

    @Test(arguments: [0, 5]) func `what does not suffice for a cycle waits for the reset`(remaining: Int) throws {
        let quota = try makeQuota(of: 6, announce(remaining, untilReset: 1_800))
        #expect(quota.wait(at: start.advanced(by: .seconds(300))) == .seconds(1_500))
    }

    @Test func `a cycle with much news says little of the next`() throws {
        var quota = try makeQuota(of: 8, announce(90, untilReset: 900))
        quota.takeCycle(of: 16)
        // 9 requests a cycle, 81 of them to spend.
        #expect(quota.wait(at: start) == .seconds(90))
        quota.takeCycle(of: 0)
        #expect(quota.wait(at: start) == .seconds(90))
    }

    @Test func `after the reset nothing is known until GitLab says it anew`() throws {
        var quota = try makeQuota(of: 6, announce(0, untilReset: 60))
        let later = start.advanced(by: .seconds(60))
        #expect(quota.wait(at: later) == .zero)
        quota.take(try announce(660, untilReset: 3_600), at: later)
        #expect(quota.wait(at: later) == .seconds(36))
    }

    @Test func `an answer that was overtaken gives nothing back`() throws {
        var quota = try makeQuota(of: 18, announce(40, untilReset: 600))
        quota.take(try announce(500, untilReset: 600), at: start.advanced(by: .milliseconds(5)))
        #expect(quota.wait(at: start) == .seconds(200))
    }

    private func makeQuota(of requests: Int, _ announcement: RateQuota.Announcement? = nil) throws -> RateQuota {
        var quota = RateQuota()
        quota.takeCycle(of: requests)
        if let announcement { quota.take(announcement, at: start) }
        return quota
    }
}
