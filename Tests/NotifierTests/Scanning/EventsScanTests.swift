import Testing

@testable import Notifier

private func makePage(_ number: Int, _ ids: [Int64], next: Int? = nil, total: Int? = nil) -> Page<EventRow> {
    Page(
        number: number,
        rows: ids.map { EventRow(id: $0, projectID: 1, actionName: "closed", author: nil, createdAt: nil) },
        head: PageHead(nextPage: next, total: total)
    )
}

struct EventsScanTests {
    @Test func `the feed is read until nothing late can follow`() {
        var scan = EventsScan(floor: 50, rowsPerPage: 100)
        #expect(scan.take(makePage(1, [60, 55], next: 2), known: IDSet([55])) == .read(page: 2))
        #expect(scan.take(makePage(2, [54, 51], next: 3), known: IDSet([51, 54])) == .read(page: 3))
        #expect(scan.take(makePage(3, [50, 40], next: 4), known: IDSet([40, 50])) == .finished)
        #expect(scan.found.map(\.id) == [60])
    }

    @Test func `trap 3: a page of hidden rows is not the end`() {
        var scan = EventsScan(floor: 50, rowsPerPage: 100)
        #expect(scan.take(makePage(1, [], next: 2), known: IDSet()) == .read(page: 2))
    }

    @Test func `at its bound the reading ends with what it has`() {
        var scan = EventsScan(floor: nil, limits: ScanLimits(pages: 2))
        #expect(scan.take(makePage(1, [9], next: 2), known: IDSet()) == .read(page: 2))
        #expect(scan.take(makePage(2, [8], next: 3), known: IDSet()) == .finished)
        #expect(scan.found.map(\.id) == [9, 8])
    }

    @Test func `trap 29: a feed that shrank under way is read again`() {
        var scan = EventsScan(floor: nil, rowsPerPage: 100)
        #expect(scan.take(makePage(1, [9, 8], next: 2, total: 4), known: IDSet()) == .read(page: 2))
        #expect(scan.take(makePage(2, [6], total: 3), known: IDSet()) == .read(page: 1))
    }
}
