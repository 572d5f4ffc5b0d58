import Platform
import Testing

@testable import Notifier

/// When somebody is reminded of a day, decision by decision.
struct DueDatePolicyTests {
    private func makePolicy(_ zone: String = "Europe/Berlin", leadTime: Duration = .hours(15)) throws -> DueDatePolicy {
        DueDatePolicy(leadTime: leadTime, zone: try #require(TimeZone(zone, from: FixedZones())))
    }

    private func day(_ text: String = "2026-03-29") throws -> DueDay { try #require(DueDay(text)) }

    private func instant(_ text: String) throws -> WallTime { try #require(ISO8601.wallTime(text)) }

    private func decide(
        at now: String,
        told: Set<DueStep> = [],
        isWanted: Bool = true,
        quietUntil: String? = nil,
        dueAt: String? = nil,
        heldSince: String? = nil,
        readAt: String? = nil
    ) throws -> DueDatePolicy.Decision {
        try makePolicy().decide(
            day(),
            told: told,
            DueDatePolicy.Circumstances(
                isWanted: isWanted,
                quietUntil: quietUntil.map(instant),
                dueAt: instant(dueAt ?? now),
                heldSince: heldSince.map(instant),
                readAt: instant(readAt ?? now)
            ),
            at: instant(now)
        )
    }

    @Test(arguments: [
        // Nine in the morning of the day before and of the day after, by the clock on the wall: winter before, summer behind.
        (
            "Europe/Berlin", 15, "2026-03-29", "2026-03-28T08:00:00Z", "2026-03-29T22:00:00Z",
            "2026-03-30T07:00:00Z"
        ),
        (
            "Europe/Berlin", 39, "2026-03-30", "2026-03-28T08:00:00Z", "2026-03-30T22:00:00Z",
            "2026-03-31T07:00:00Z"
        ),
        (
            "Europe/Berlin", 15, "2026-10-25", "2026-10-24T07:00:00Z", "2026-10-25T23:00:00Z",
            "2026-10-26T08:00:00Z"
        ),
        (
            "America/New_York", 15, "2026-03-29", "2026-03-28T13:00:00Z", "2026-03-30T04:00:00Z",
            "2026-03-30T13:00:00Z"
        ),
        ("UTC", 0, "2026-03-29", "2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z", "2026-03-30T00:00:00Z"),
        ("UTC", 24, "2026-03-01", "2026-02-28T00:00:00Z", "2026-03-02T00:00:00Z", "2026-03-02T00:00:00Z"),
        ("Asia/Kolkata", 336, "2026-03-29", "2026-03-14T18:30:00Z", "2026-03-29T18:30:00Z", "2026-03-29T18:30:00Z"),
    ])
    func `a reminder comes ahead of the day and one after it, at one time of the person's day`(
        zone: String,
        hours: Int,
        due: String,
        ahead: String,
        end: String,
        overdue: String
    ) throws {
        let slots = try makePolicy(zone, leadTime: .hours(hours)).slots(of: day(due))
        #expect(slots.map(\.step) == [.ahead, .overdue])
        #expect(slots.map(\.from) == [try instant(ahead), try instant(overdue)])
        #expect(slots.map(\.until) == [try instant(end), try instant(overdue).advanced(by: .days(1))])
    }

    @Test func `each is told once, in its time`() throws {
        #expect(try decide(at: "2026-03-28T07:59:59Z") == .wait(until: instant("2026-03-28T08:00:00Z")))
        #expect(try decide(at: "2026-03-28T08:00:00Z") == .send(.ahead, skipped: []))
        let told: Set<DueStep> = [.ahead]
        #expect(try decide(at: "2026-03-28T08:01:00Z", told: told) == .wait(until: instant("2026-03-30T07:00:00Z")))
        #expect(try decide(at: "2026-03-30T07:00:00Z", told: told) == .send(.overdue, skipped: []))
        #expect(try decide(at: "2026-03-30T07:00:01Z", told: [.ahead, .overdue]) == .wait(until: nil))
    }

    @Test func `whoever learns late is told at once while the day lasts, and of what is overdue within a day`() throws {
        #expect(try decide(at: "2026-03-29T21:59:59Z") == .send(.ahead, skipped: []))
        let overdue = try instant("2026-03-30T07:00:00Z")
        #expect(try decide(at: "2026-03-29T22:00:00Z") == .wait(until: overdue), "the day is over, and not yet overdue")
        #expect(try decide(at: "2026-03-30T08:00:00Z") == .send(.overdue, skipped: [.ahead]), "the two are one")
        #expect(try decide(at: "2026-03-31T06:59:59Z", told: [.ahead]) == .send(.overdue, skipped: []))
        // Nothing is put down as dealt with: a clock may be far ahead for a while.
        #expect(try decide(at: "2026-03-31T07:00:00Z", told: [.ahead]) == .wait(until: nil))
        #expect(try decide(at: "2026-05-01T00:00:00Z") == .wait(until: nil))
    }

    @Test func `what nobody wants, or is quiet, or nobody knows is not told`() throws {
        let now = "2026-03-28T08:00:00Z"
        #expect(try decide(at: now, isWanted: false) == .skip([.ahead]))
        let end = "2026-03-28T09:30:00Z"
        #expect(try decide(at: now, quietUntil: end) == .postpone(until: instant(end)))
        #expect(try decide(at: now, readAt: "2026-03-28T07:59:59Z") == .hold(until: instant("2026-03-28T08:00:15Z")))
    }

    @Test func `a look at GitLab that began since it was due is waited for, five minutes at most`() throws {
        let due = "2026-03-28T08:00:00Z"
        func later(_ now: String, readAt: String) throws -> DueDatePolicy.Decision {
            try decide(at: now, dueAt: now, heldSince: due, readAt: readAt)
        }
        #expect(try later("2026-03-28T08:00:45Z", readAt: "2026-03-28T08:00:30Z") == .send(.ahead, skipped: []))
        #expect(
            try later("2026-03-28T08:04:50Z", readAt: "2026-03-28T07:59:00Z")
                == .hold(until: instant("2026-03-28T08:05:00Z"))
        )
        #expect(try later("2026-03-28T08:05:00Z", readAt: "2026-03-28T07:59:00Z") == .send(.ahead, skipped: []))
    }

    @Test func `the next is the first that is not told and of use`() throws {
        let policy = try makePolicy()
        func next(_ told: Set<DueStep>, _ now: String) throws -> WallTime? {
            try policy.next(day(), told: told, at: instant(now))
        }
        #expect(try next([], "2026-03-01T00:00:00Z") == instant("2026-03-28T08:00:00Z"))
        #expect(try next([], "2026-03-29T12:00:00Z") == instant("2026-03-28T08:00:00Z"), "due since then")
        #expect(try next([.ahead], "2026-03-01T00:00:00Z") == instant("2026-03-30T07:00:00Z"))
        #expect(try next([], "2026-03-31T06:00:00Z") == instant("2026-03-30T07:00:00Z"))
        #expect(try next([], "2026-03-31T07:00:00Z") == nil)
    }
}
