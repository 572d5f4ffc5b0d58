import HTTP
import Platform
import Testing

@testable import Notifier

private func makePage(_ number: Int, _ ids: [Int64], next: Int? = nil, total: Int? = nil) -> Page<NoteRow> {
    Page(
        number: number,
        rows: ids.map { NoteRow(id: $0, body: "", author: nil, createdAt: nil) },
        head: PageHead(nextPage: next, total: total)
    )
}

private func makeEvents(_ number: Int, _ ids: [Int64], next: Int? = nil, total: Int? = nil) -> Page<StateEventRow> {
    Page(
        number: number,
        rows: ids.map { StateEventRow(id: $0, user: nil, createdAt: nil, state: "closed") },
        head: PageHead(nextPage: next, total: total)
    )
}

private func makeTodos(_ number: Int, _ ids: [Int64], next: Int? = nil, total: Int? = nil) -> Page<TodoRow> {
    let rows = ids.map { id in
        TodoRow(
            id: id,
            project: nil,
            author: nil,
            actionName: "assigned",
            targetType: "Issue",
            target: nil,
            targetURL: nil,
            body: "",
            createdAt: nil
        )
    }
    return Page(number: number, rows: rows, head: PageHead(nextPage: next, total: total))
}

struct NotesScanTests {
    @Test func `trap 2: a page with news is followed by the next, to the last`() {
        var scan = NotesScan(extent: .untilKnown, floor: 50)
        let known = IDSet(1...100)
        #expect(scan.take(makePage(1, [201, 200], next: 2), known: known) == .read(page: 2))
        #expect(scan.take(makePage(2, [199, 100], next: 3), known: known) == .read(page: 3))
        #expect(scan.take(makePage(3, [50, 49], next: 4), known: known) == .finished)
        #expect(scan.found.map(\.id) == [201, 200, 199])
    }

    @Test func `trap 3: a short or empty page is not the end`() {
        var scan = NotesScan(extent: .untilKnown, floor: 50)
        #expect(scan.take(makePage(1, [], next: 2), known: IDSet(1...60)) == .read(page: 2))
        #expect(scan.take(makePage(2, [70], next: 3), known: IDSet(1...60)) == .read(page: 3))
        #expect(scan.take(makePage(3, []), known: IDSet(1...60)) == .finished)
        #expect(scan.found.map(\.id) == [70])
    }

    @Test func `trap 4: known rows above the floor do not end the scan`() {
        var scan = NotesScan(extent: .untilKnown, floor: 90)
        let known = IDSet((1...100).filter { $0 != 95 })
        #expect(scan.take(makePage(1, [100, 99], next: 2), known: known) == .read(page: 2))
        #expect(scan.take(makePage(2, [98, 95], next: 3), known: known) == .read(page: 3))
        #expect(scan.take(makePage(3, [94, 90], next: 4), known: known) == .finished)
        #expect(scan.found.map(\.id) == [95])
    }

    @Test func `a page that ends below the floor makes a reading by itself, whatever becomes of the next`() {
        for extent in [NotesScan.Extent.untilKnown, .everything] {
            var scan = NotesScan(extent: extent, floor: 90)
            let known = IDSet((1...97).map { $0 })
            // The small id at the top is of a clock that was ahead once.
            #expect(scan.take(makePage(1, [5, 100, 99], next: 2), known: known) == .read(page: 2))
            #expect(!scan.isSufficient)
            #expect(scan.take(makePage(2, [98, 97, 90], next: 3), known: known) == .read(page: 3))
            #expect(scan.isSufficient)
            #expect(scan.found.map(\.id) == [100, 99, 98])
        }
        var unknown = NotesScan(extent: .everything)
        _ = unknown.take(makePage(1, [100, 99], next: 2), known: IDSet())
        #expect(!unknown.isSufficient)
    }

    @Test func `without a floor every page is read`() {
        var scan = NotesScan(extent: .untilKnown, floor: nil)
        #expect(scan.take(makePage(1, [3, 2], next: 2), known: IDSet([1, 2, 3])) == .read(page: 2))
        #expect(scan.take(makePage(2, [1]), known: IDSet([1, 2, 3])) == .finished)
        #expect(scan.found.isEmpty)
    }

    @Test func `trap 29: a list that shrank under way is read again, and not for ever`() {
        var scan = NotesScan(extent: .everything, limits: ScanLimits(pages: 100, restarts: 2))
        #expect(scan.take(makePage(1, [9, 8], next: 2, total: 4), known: IDSet()) == .read(page: 2))
        #expect(scan.take(makePage(2, [6], total: 3), known: IDSet()) == .read(page: 1))
        #expect(scan.take(makePage(1, [9, 7], next: 2, total: 3), known: IDSet()) == .read(page: 2))
        #expect(scan.take(makePage(2, [6], total: 2), known: IDSet()) == .read(page: 1))
        #expect(scan.take(makePage(1, [9, 7], next: 2, total: 3), known: IDSet()) == .read(page: 2))
        #expect(scan.take(makePage(2, [6], total: 2), known: IDSet()) == .failed(.unstable))
        #expect(scan.found.map(\.id) == [9, 8, 6, 7])
    }

    @Test func `too many pages fail aloud`() {
        var scan = NotesScan(extent: .everything, limits: ScanLimits(pages: 2))
        #expect(scan.take(makePage(1, [9], next: 2), known: IDSet()) == .read(page: 2))
        #expect(scan.take(makePage(2, [8], next: 3), known: IDSet()) == .failed(.tooManyPages(pages: 2)))
    }

    @Test(arguments: [(100, 400), (25, 400), (10, 1_000), (3, 3_334), (1, 10_000)])
    func `short pages make no shorter list`(rowsPerPage: Int, pages: Int) {
        #expect(ScanLimits(rowsPerPage: rowsPerPage).pages == pages)
    }

    @Test func `a reading goes on where a limit has ended another, behind what came since`() {
        var first = NotesScan(extent: .untilKnown, floor: 0)
        #expect(first.take(makePage(1, [9, 8], next: 2, total: 9), known: IDSet()) == .read(page: 2))
        #expect(first.take(makePage(2, [7, 6], next: 3, total: 9), known: IDSet()) == .read(page: 3))
        #expect(first.take(makePage(3, [5, 4], next: 4, total: 9), known: IDSet()) == .read(page: 4))
        #expect(first.rest(from: 1) == nil)
        let rest = first.rest(from: 4)
        #expect(rest == ListRest(page: 4, total: 9))
        let known = IDSet(4...9)
        var second = NotesScan(extent: .untilKnown, floor: 0, rest: rest)
        #expect(second.take(makePage(1, [11, 10], next: 2, total: 11), known: known) == .read(page: 2))
        #expect(second.take(makePage(2, [9, 8], next: 3, total: 11), known: known) == .read(page: 4))
        #expect(second.take(makePage(4, [5, 4], next: 5, total: 11), known: known) == .read(page: 5))
        #expect(second.rest(from: 5) == ListRest(page: 5, total: 11))
        #expect(second.take(makePage(5, [3, 2], next: 6, total: 11), known: known) == .read(page: 6))
        #expect(second.take(makePage(6, [1], total: 11), known: known) == .finished)
        #expect(second.found.map(\.id) == [11, 10, 3, 2, 1])
        #expect(second.isWhole)
    }

    @Test func `a known first page is no end while the rest is unread, and one without rows shows nothing`() {
        let rest = ListRest(page: 4, total: 9)
        var known = NotesScan(extent: .untilKnown, floor: 50, rest: rest)
        #expect(known.take(makePage(1, [9, 8], next: 2, total: 9), known: IDSet(4...9)) == .read(page: 4))
        var hidden = NotesScan(extent: .untilKnown, floor: 50, rest: rest)
        #expect(hidden.take(makePage(1, [], next: 2, total: 9), known: IDSet(4...9)) == .read(page: 2))
    }

    @Test(arguments: [8, nil] as [Int?])
    func `where rows may have gone since, the list is read from end to end instead`(total: Int?) {
        var scan = NotesScan(extent: .untilKnown, floor: 50, rest: ListRest(page: 4, total: 9))
        let known = IDSet(4...9)
        #expect(scan.take(makePage(1, [9, 8], next: 2), known: known) == .read(page: 4))
        #expect(scan.take(makePage(4, [2, 1], next: 5, total: total), known: known) == .read(page: 1))
        #expect(scan.take(makePage(1, [9, 8], next: 2, total: 8), known: known) == .read(page: 2))
        #expect(scan.take(makePage(2, [6, 5], next: 3, total: 8), known: known) == .read(page: 3))
    }

    @Test func `fewer rows than an earlier reading was told of are no reason to read the first page twice`() {
        var scan = NotesScan(extent: .untilKnown, floor: 50, rest: ListRest(page: 4, total: 9))
        #expect(scan.take(makePage(1, [10, 9], next: 2, total: 8), known: IDSet(4...9)) == .read(page: 2))
        #expect(scan.rest(from: 2) == ListRest(page: 2, total: 8, isOfEverything: true))
        #expect(scan.take(makePage(2, [8, 7], next: 3, total: 8), known: IDSet(4...9)) == .read(page: 3))
    }

    @Test func `a reading that begins with the rest leaves the first page to the next, which finishes with it`() {
        let rest = ListRest(page: 2, total: 6)
        let known = IDSet([6, 5])
        var behind = NotesScan(extent: .untilKnown, floor: 4, rest: rest, beginsAtRest: true)
        #expect(behind.firstPage == 2)
        #expect(behind.take(makePage(2, [4, 3], next: 3, total: 6), known: known) == .read(page: 3))
        #expect(behind.front?.page == ListRest.end)
        #expect(!behind.isSufficient)
        #expect(behind.take(makePage(3, [2, 1], total: 6), known: known) == .finished)
        #expect(behind.found.map(\.id) == [4, 3, 2, 1])
        var first = NotesScan(extent: .untilKnown, floor: 0, rest: behind.front)
        #expect(first.take(makePage(1, [6, 5], next: 2, total: 6), known: IDSet(1...6)) == .finished)
        #expect(first.front == nil)
        #expect(first.end?.page == ListRest.end)
        #expect(!first.isWhole, "only a reading of everything says so")
    }

    @Test func `rows that have gone lead from the rest to the first page`() {
        var scan = NotesScan(extent: .untilKnown, floor: 0, rest: ListRest(page: 3, total: 9), beginsAtRest: true)
        #expect(scan.take(makePage(3, [4, 3], next: 4, total: 8), known: IDSet(6...9)) == .read(page: 1))
        #expect(scan.firstPage == 1)
        #expect(scan.rest(from: 1) == ListRest(page: 1, total: 0, isOfEverything: true))
        #expect(scan.take(makePage(1, [9, 8], next: 2, total: 8), known: IDSet(6...9)) == .read(page: 2))
        #expect(scan.front == nil)
    }

    @Test func `the rest of a reading from end to end is read to the end by whoever goes on with it`() {
        var everything = NotesScan(extent: .everything, floor: 50)
        #expect(everything.take(makePage(1, [9, 8], next: 2, total: 6), known: IDSet(1...9)) == .read(page: 2))
        var scan = NotesScan(extent: .untilKnown, floor: 50, rest: everything.rest(from: 2))
        #expect(scan.take(makePage(1, [9, 8], next: 2, total: 6), known: IDSet(4...9)) == .read(page: 2))
        #expect(scan.take(makePage(2, [7, 6], next: 3, total: 6), known: IDSet(4...9)) == .read(page: 3))
        #expect(scan.take(makePage(3, [5, 3], total: 6), known: IDSet(4...9)) == .finished)
        #expect(scan.found.map(\.id) == [3])
        #expect(scan.isWhole)
    }

    @Test func `a row that a shift shows twice is found once`() {
        var scan = NotesScan(extent: .everything)
        _ = scan.take(makePage(1, [9, 8], next: 2), known: IDSet())
        _ = scan.take(makePage(2, [8, 7]), known: IDSet())
        #expect(scan.found.map(\.id) == [9, 8, 7])
    }
}

struct TodosScanTests {
    @Test func `every page is read, however well known the first`() {
        var scan = TodosScan()
        #expect(scan.take(makeTodos(1, [9, 8], next: 2), known: IDSet([8, 9])) == .read(page: 2))
        #expect(scan.take(makeTodos(2, [3]), known: IDSet([8, 9])) == .finished)
        #expect(scan.found.map(\.id) == [3])
        #expect(scan.listedIDs == [9, 8, 3])
        #expect(scan.firstPageIDs == [9, 8])
    }

    @Test func `a reading that goes on lists what it was shown before, and finds what is still unknown of it`() {
        var scan = TodosScan()
        #expect(scan.take(makeTodos(1, [9, 8], next: 2), known: IDSet()) == .read(page: 2))
        #expect(scan.rest(from: 2) == nil, "without a total nobody knows whether rows have gone")
        #expect(scan.take(makeTodos(2, [7, 6], next: 3, total: 5), known: IDSet()) == .read(page: 3))
        #expect(scan.rest(from: 3) == ListRest(page: 3, total: 5))
        var next = scan.goingOn(at: 3, known: IDSet([9, 8, 7]))
        #expect(next.firstPage == 3)
        #expect(next.found.map(\.id) == [6])
        var shifted = next
        #expect(next.take(makeTodos(3, [5], total: 5), known: IDSet([9, 8, 7])) == .finished)
        #expect(next.listedIDs == [9, 8, 7, 6, 5])
        #expect(next.firstPageIDs == [9, 8])
        #expect(shifted.take(makeTodos(3, [], total: 4), known: IDSet([9, 8, 7])) == .read(page: 1))
        #expect(shifted.rest(from: 1) == ListRest(page: 1, total: 0))
    }

    @Test func `what has left the list while it was read is not listed`() {
        var scan = TodosScan()
        let known = IDSet([9, 8, 7])
        #expect(scan.take(makeTodos(1, [9, 8], next: 2, total: 3), known: known) == .read(page: 2))
        #expect(scan.take(makeTodos(2, [], total: 2), known: known) == .read(page: 1))
        #expect(scan.take(makeTodos(1, [8, 7], total: 2), known: known) == .finished)
        #expect(scan.listedIDs == [8, 7])
    }

    /// One list proves nothing (``MissingTodos``): 8 is done, 5 comes back, and 7 has moved to the page before.
    @Test func `a to-do item may slip between two parts of a list`() {
        var scan = TodosScan()
        _ = scan.take(makeTodos(1, [9, 8], next: 2, total: 4), known: IDSet([9, 8, 7, 6]))
        scan = scan.goingOn(at: 2, known: IDSet([9, 8, 7, 6]))
        #expect(scan.take(makeTodos(2, [6, 5], total: 4), known: IDSet([9, 8, 7, 6])) == .finished)
        #expect(scan.listedIDs == [9, 8, 6, 5] && scan.found.map(\.id) == [5])
    }

    @Test func `a first page that is as it was lists what it listed then`() {
        var scan = TodosScan(firstPageIDs: [9, 8])
        let request = HTTPRequest(
            method: .get,
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            target: "/api/v4/todos"
        )
        let memory = ListMemory(request: request, entityTag: "a")
        #expect(scan.takeUnchanged(memory, PageHead(nextPage: 2)) == .read(page: 2))
        #expect(scan.take(makeTodos(2, [3]), known: IDSet([3, 8, 9])) == .finished)
        #expect(scan.listedIDs == [9, 8, 3])
        #expect(scan.firstPageIDs == [9, 8])
    }
}

struct StateEventsScanTests {
    @Test func `trap 14: the scan goes on from the last page to the end`() {
        let resume = StateEventsScan.Resume(page: 2, rowCount: 3, rowsOnPage: 1)
        var scan = StateEventsScan(resume: resume, rowsPerPage: 2)
        #expect(scan.firstPage == 2)
        #expect(scan.take(makeEvents(2, [3, 4], next: 3, total: 5), known: IDSet([1, 2, 3])) == .read(page: 3))
        #expect(scan.take(makeEvents(3, [5], total: 5), known: IDSet([1, 2, 3])) == .finished)
        #expect(scan.found.map(\.id) == [4, 5])
        #expect(scan.resume == StateEventsScan.Resume(page: 3, rowCount: 5, rowsOnPage: 1))
    }

    @Test func `behind a full page the next one is asked for`() {
        var scan = StateEventsScan(resume: nil, rowsPerPage: 2)
        #expect(scan.take(makeEvents(1, [1, 2], total: 2), known: IDSet()) == .finished)
        #expect(scan.resume == StateEventsScan.Resume(page: 2, rowCount: 2, rowsOnPage: 0))
    }

    @Test func `a late row that moved known ones makes the scan walk back`() {
        // 1 and 3 filled page 1; then 2 appeared between them and pushed 3 to page 2.
        let resume = StateEventsScan.Resume(page: 2, rowCount: 3, rowsOnPage: 1)
        var scan = StateEventsScan(resume: resume, rowsPerPage: 2)
        let known = IDSet([1, 3, 4])
        #expect(scan.take(makeEvents(2, [3, 4]), known: known) == .read(page: 1))
        #expect(scan.take(makeEvents(1, [1, 2], next: 2), known: known) == .read(page: 2))
        #expect(scan.take(makeEvents(2, [3, 4]), known: known) == .finished)
        #expect(scan.found.map(\.id) == [2])
        #expect(scan.restarts == 1)
    }

    @Test func `a row removed from an earlier page makes the scan walk back`() {
        let resume = StateEventsScan.Resume(page: 2, rowCount: 3, rowsOnPage: 1)
        var scan = StateEventsScan(resume: resume, rowsPerPage: 2)
        let known = IDSet([1, 2, 3])
        // 1 is gone, 4 is new: 2 and 3 fill page 1, and page 2 shows 4 alone.
        #expect(scan.take(makeEvents(2, [4], total: 3), known: known) == .read(page: 1))
        #expect(scan.take(makeEvents(1, [2, 3], next: 2, total: 3), known: known) == .read(page: 2))
        #expect(scan.take(makeEvents(2, [4], total: 3), known: known) == .finished)
        #expect(scan.found.map(\.id) == [4])
        #expect(scan.resume == StateEventsScan.Resume(page: 2, rowCount: 3, rowsOnPage: 1))
    }
}

struct SeenIDsTests {
    private let now = MonotonicInstant(nanoseconds: 0)
    private let wall = WallTime(secondsSinceEpoch: 1_000_000)

    @Test func `trap 36: the floor follows what was seen longer ago than the overlap`() {
        var seen = SeenIDs([], wallNow: wall, now: now, overlap: .minutes(5))
        seen.insert([10, 11], at: now)
        seen.insert([9], at: now.advanced(by: .minutes(1)))
        #expect(seen.floor == nil)
        seen.raiseFloor(at: now.advanced(by: .minutes(5)), overlap: .minutes(5))
        #expect(seen.floor == 11)
        seen.raiseFloor(at: now.advanced(by: .minutes(9)), overlap: .minutes(5))
        #expect(seen.floor == 11)
        #expect(seen.ids.contains(9) && !seen.ids.contains(12))
    }

    @Test func `a stored id counts as old only as far as the clock can be believed`() {
        let sightings = [
            SeenIDs.Sighting(id: 1, at: wall.advanced(by: .seconds(-3_600))),
            SeenIDs.Sighting(id: 2, at: wall.advanced(by: .seconds(-60))),
            // The wall clock has been set back since.
            SeenIDs.Sighting(id: 3, at: wall.advanced(by: .seconds(3_600))),
        ]
        var seen = SeenIDs(sightings, wallNow: wall, now: now, overlap: .minutes(5))
        #expect(seen.floor == 1)
        seen.raiseFloor(at: now.advanced(by: .minutes(4)), overlap: .minutes(5))
        #expect(seen.floor == 2)
        seen.raiseFloor(at: now.advanced(by: .minutes(5)), overlap: .minutes(5))
        #expect(seen.floor == 3)
    }

    @Test func `what was seen after the last complete reading is no floor at a start, however old it is`() {
        let sightings = [
            SeenIDs.Sighting(id: 1, at: wall.advanced(by: .seconds(-7_200))),
            SeenIDs.Sighting(id: 9, at: wall.advanced(by: .seconds(-3_600))),
        ]
        let completeAt = wall.advanced(by: .seconds(-3_601))
        var seen = SeenIDs(sightings, completeAt: completeAt, wallNow: wall, now: now, overlap: .minutes(5))
        #expect(seen.floor == 1)
        #expect(seen.ids.contains(9))
        seen.raiseFloor(at: now, overlap: .minutes(5))
        #expect(seen.floor == 9)
    }

    @Test func `ids up to a bound are known without being kept, and no late row is expected below it`() {
        var seen = SeenIDs([], andUpTo: 60, wallNow: wall, now: now, overlap: .minutes(5))
        #expect(seen.floor == 60)
        #expect(seen.ids.contains(60) && seen.ids.contains(-3) && !seen.ids.contains(61))
        #expect(seen.ids.largest == 60 && !seen.ids.isEmpty && seen.ids.count == 0)
        seen.insert([59, 62, 61], at: now)
        #expect(seen.ids.sorted == [61, 62])
        seen.raiseFloor(at: now.advanced(by: .minutes(5)), overlap: .minutes(5))
        #expect(seen.floor == 62)
    }

    @Test func `ids are kept once and found whatever their order`() {
        var ids = IDSet([5, 1, 5, 3])
        #expect(ids.sorted == [1, 3, 5])
        let inserted = [4, 3, 9].map { ids.insert($0) }
        #expect(inserted == [true, false, true])
        #expect(ids.sorted == [1, 3, 4, 5, 9])
        #expect(!ids.contains(2))
        #expect(ids.largest == 9)
    }
}

struct ListMemoryTests {
    private let list = ListRequest(
        firstPage: HTTPRequest(method: .get, origin: HTTPOrigin(scheme: "https", host: "h"), target: "/l?per_page=2"),
        rowsPerPage: 2
    )

    private func makeMemory(_ page: Page<NoteRow>) -> ListMemory? {
        var page = page
        page.head.entityTag = "W/\"1\""
        return ListMemory(page.mark, of: list)
    }

    @Test func `a full last page is read in full, since a row on the next page would not change it`() {
        #expect(makeMemory(makePage(1, [2, 1], total: 2)) == nil)
        #expect(makeMemory(makePage(1, [2])) == nil)
        #expect(makeMemory(makePage(1, [2], total: 1)) != nil)
        #expect(makeMemory(makePage(1, [2, 1], next: 2, total: 3)) != nil)
        #expect(ListMemory(makePage(1, [2], total: 1).mark, of: list) == nil)
    }

    @Test func `the conditional request is built once`() {
        let memory = makeMemory(makePage(2, [2], total: 3))
        #expect(memory?.request.target == "/l?per_page=2&page=2")
        #expect(memory?.request.fields["If-None-Match"] == "W/\"1\"")
        #expect(memory?.head(PageHead()) == PageHead(entityTag: "W/\"1\""))
    }
}
