import Duties
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// What is done for duties every day, and what zones come to.
struct DutyUpkeepTests {
    @Test func `every day occurrences of one day more are made`() throws {
        let bench = try DutyBench()
        _ = try bench.makeDuty()
        let count = { try bench.server.openDatabase().first("SELECT count(*) FROM duty_occurrences") { $0.int(0) } }
        #expect(try count() == 60)
        bench.server.run(for: .hours(74))
        // After an hour, and every day from there.
        #expect(try count() == 63)
    }

    @Test func `what was due a year ago is forgotten, and nobody's turn changes by it`() throws {
        let bench = try DutyBench()
        let duty = try bench.makeDuty(["Carla", "Dora"])
        try bench.call(.post, "/occurrences/\(DutyBench.occurrence(duty, 1))/skip", "{}", as: bench.anna)
        let dora = DutyBench.member(duty, "Dora")
        try bench.call(
            .post,
            "/occurrences/\(DutyBench.occurrence(duty, 3))/complete",
            #"{"by": "\#(dora)"}"#,
            as: bench.anna
        )
        let store = Store(try bench.server.openDatabase())
        let record = try #require(try store.duty(number: 1))
        let book = DutyBook(zones: FixedZones())
        let later = bench.server.world.wallNow.advanced(by: .days(400))
        // Looked far enough ahead, with all of the history.
        _ = try book.recompute(record, at: later, in: store)
        let all = try store.occurrences(of: record, from: WallTime(microseconds: .min), limit: 1_000)
        let account = try #require(record.accounts.first)
        let revision = try #require(try store.versions(of: account)).data
        _ = try book.upkeep(1, at: later, in: store)
        let base = try #require(try store.duty(number: 1)).duty.base
        #expect(base.nextIndex == 35 && base.queue.count == 3)
        let rest = try store.occurrences(of: record, from: WallTime(microseconds: .min), limit: 1_000)
        #expect(rest == Array(all.dropFirst(35)) && all.count == 460)
        #expect(try store.database.first("SELECT count(*) FROM duty_events") { $0.int(0) } == 0)
        // Devices hear that they are no more.
        let gone = try store.database.rows(
            "SELECT entity FROM sync_rows WHERE account_id = ? AND revision > ? AND is_deleted = 1 ORDER BY revision",
            account,
            revision
        ) { $0.text(0) }
        #expect(gone.count { $0 == "occurrence" } == 35 && gone.count { $0 == "dutyEvent" } == 2)
        // What happened to one of them now is of nothing that there is.
        let end = "/occurrences/\(DutyBench.occurrence(duty, 1))/complete"
        #expect(try bench.refusal(.post, end, "{}", as: bench.anna) == "occurrence_not_found")
        // Once more changes nothing.
        #expect(try book.upkeep(1, at: later, in: store).isEmpty)
    }

    /// The engine's rule for times that clocks leave out or show twice is that of all other times of a person's.
    @Test func `times of duties are those of the notifier, every minute around a change`() throws {
        for (name, day) in [
            ("Europe/Berlin", "2026-03-29"), ("Europe/Berlin", "2026-10-25"), ("America/New_York", "2026-03-08"),
        ] {
            let zone = try #require(TimeZone(name, from: FixedZones()))
            let start = try #require(CivilDay(day))
            let date = try #require(DueDay(day))
            for minute in 0..<300 {
                let duty = Duty(
                    id: EntityID(high: 0, low: 0),
                    title: "x",
                    recurrence: .everyDays(1),
                    start: start,
                    minute: minute,
                    zone: name,
                    members: []
                )
                let due = AssignmentEngine(duty: duty, events: DutyEvents(), zone: zone).dueAt(0)
                #expect(zone.instant(of: date.clock(after: .minutes(minute))).secondsSinceEpoch == due, "\(minute)")
            }
        }
    }
}
