import Platform
import Testing

@testable import Notifier

/// Of rows that were written one after the other.
private func makePage(_ number: Int, _ ids: [Int64], next: Int? = nil, total: Int) -> Page<NoteRow> {
    Page(
        number: number,
        rows: ids.map { NoteRow(id: $0, body: "", author: nil, createdAt: WallTime(secondsSinceEpoch: $0)) },
        head: PageHead(nextPage: next, total: total)
    )
}

struct NotesRestScanTests {
    @Test func `what comes in front of a rest is read before it, and what lies between is passed over`() {
        var first = NotesScan(extent: .untilKnown, floor: 0, rest: ListRest(page: 5, total: 12))
        #expect(first.take(makePage(1, [14, 13], next: 2, total: 14), known: IDSet(5...12)) == .read(page: 2))
        let rest = first.rest(from: 2)
        let end = WallTime(secondsSinceEpoch: 13)
        #expect(rest == ListRest(page: 2, total: 14, then: 5, frontEnd: end))
        var second = NotesScan(extent: .untilKnown, floor: 0, rest: rest, beginsAtRest: true)
        let known = IDSet(5...14)
        #expect(second.rest(from: 3) == ListRest(page: 3, total: 14, then: 5, frontEnd: end))
        #expect(second.take(makePage(2, [12, 11], next: 3, total: 14), known: known) == .read(page: 5))
        #expect(second.take(makePage(5, [6, 5], next: 6, total: 14), known: known) == .read(page: 6))
        #expect(second.rest(from: 6) == ListRest(page: 6, total: 14))
    }

    @Test(arguments: [8, ListRest.end])
    func `what was dealt with in front of a rest and has moved down there hides nothing behind it`(place: Int) {
        // The first page showed 20 and 19; what was there before begins with 10, and two have come since.
        let end = WallTime(secondsSinceEpoch: 19)
        let rest = ListRest(page: 2, total: 20, then: place, frontEnd: end)
        var scan = NotesScan(extent: .untilKnown, floor: 0, rest: rest, beginsAtRest: true)
        let dealtWith: [Int64] = [20, 19] + Array(1...10)
        let known = IDSet(dealtWith)
        #expect(scan.take(makePage(2, [20, 19], next: 3, total: 22), known: known) == .read(page: 3))
        #expect(scan.rest(from: 3) == ListRest(page: 3, total: 22, then: place, frontEnd: end))
        #expect(scan.take(makePage(3, [18, 17], next: 4, total: 22), known: known) == .read(page: 4))
        let step: ScanStep = place == ListRest.end ? .finished : .read(page: 8)
        #expect(scan.take(makePage(4, [10, 9], next: 5, total: 22), known: known) == step)
        #expect(scan.found.map(\.id) == [18, 17])
    }
}
