import Platform
import Testing

@testable import Notifier

private func makeRow(_ id: Int64, _ status: String, at second: Int64? = nil) -> PipelineRow {
    PipelineRow(id: id, status: status, updatedAt: second.map { WallTime(secondsSinceEpoch: $0) })
}

/// Reads one page after the other, each from what the one before left behind.
private func news(of pages: [[PipelineRow]], isRead: Bool = true) -> [[String]] {
    var news = PipelineNews(known: [], isRead: isRead)
    return pages.map { page in
        let result = news.read(page, news.isRead ? .all : .since(nil))
        news = PipelineNews(known: result.known, isRead: true)
        return result.news.map { "\($0.row.id) \($0.row.status) \($0.run)" }
    }
}

/// GitLab facts §11.3.
struct PipelineNewsTests {
    @Test func `only the end of a pipeline is news, and once`() {
        let pages = ["created", "running", "success", "success"].map { [makeRow(1, $0)] }
        #expect(news(of: pages) == [[], [], ["1 success 1"], []])
    }

    @Test func `a retry runs again under the same id`() {
        let pages = ["failed", "running", "failed", "running", "success"].map { [makeRow(1, $0)] }
        #expect(news(of: pages) == [["1 failed 1"], [], ["1 failed 2"], [], ["1 success 3"]])
    }

    @Test func `a retry that nobody saw running is told when it ends otherwise`() {
        #expect(news(of: [[makeRow(1, "failed")], [makeRow(1, "success")]]) == [["1 failed 1"], ["1 success 2"]])
    }

    @Test func `a retry that nobody saw running is told when it ends alike at a later time`() {
        for end in ["failed", "success"] {
            let pages = [10, 10, 20, 10, 20, 30].map { [makeRow(1, end, at: $0)] }
            #expect(news(of: pages) == [["1 \(end) 1"], [], ["1 \(end) 2"], [], [], ["1 \(end) 3"]])
            // What the first reading shows is the run that counts from then on.
            let known = PipelineNews(known: [], isRead: false).read(pages[0], .since(nil)).known
            #expect(PipelineNews(known: known, isRead: true).isQuiet(pages[0]))
            #expect(!PipelineNews(known: known, isRead: true).isQuiet(pages[2]))
        }
        #expect(news(of: [[makeRow(1, "failed")], [makeRow(1, "failed", at: 20)]]) == [["1 failed 1"], []])
        #expect(news(of: [10, 20].map { [makeRow(1, "canceled", at: $0)] }) == [[], []])
    }

    @Test(
        arguments: [
            ("failed", 20, 2), ("failed", 30, 3), ("success", 30, 3), ("running", 30, 3), ("canceled", 30, 3),
        ] as [(String, Int64, Int64)]
    )
    func `what was told before the watch began is counted on`(status: String, second: Int64, run: Int64) {
        let told = [Int64(1): ToldRun(run: 2, endedAt: WallTime(secondsSinceEpoch: 20))]
        let unread = PipelineNews(known: [], isRead: false).counting(on: told)
        let first = [makeRow(1, status, at: second), makeRow(2, "failed", at: second)]
        #expect(unread.unknown(of: first) == [1, 2])
        let known = unread.read(first, .since(nil)).known
        #expect(known.map(\.run) == [run, 1])
        let next = PipelineNews(known: known, isRead: true)
        #expect(next.unknown(of: first).isEmpty)
        let wasEnd = PipelineNews.isEnd(status)
        #expect(next.read([makeRow(1, "failed", at: 40)], .all).news.map(\.run) == [wasEnd ? run + 1 : run])
    }

    @Test func `jobs fail from when their pipeline was made on, and those of a retry since the end before`() {
        let second = { WallTime(secondsSinceEpoch: $0) }
        var row = makeRow(1, "failed", at: 60)
        row.createdAt = second(10)
        let first = PipelineNews(known: [], isRead: true).read([row], .all)
        #expect(first.news.map(\.since) == [second(10)])
        row.updatedAt = second(90)
        let again = PipelineNews(known: first.known, isRead: true).read([row], .all)
        #expect(again.news.map(\.since) == [second(60)])
        // Of a list that was not read before nobody knows which run it shows.
        let begun = PipelineNews(known: [], isRead: false).read([row], .since(second(50)...second(100)))
        #expect(begun.news.map(\.since) == [second(50)])
        #expect(PipelineNews(known: [], isRead: true).read([makeRow(2, "failed", at: 60)], .all).news[0].since == nil)
    }

    @Test(arguments: ["canceled", "skipped", "manual", "scheduled", "waiting_for_resource", "unheard_of"])
    func `no other status is news`(status: String) {
        #expect(news(of: [[makeRow(1, status)]]) == [[]])
    }

    @Test func `what the first reading shows is known`() {
        let pages = [[makeRow(2, "running"), makeRow(1, "failed")], [makeRow(2, "failed"), makeRow(1, "failed")]]
        #expect(news(of: pages, isRead: false) == [[], ["2 failed 1"]])
    }

    @Test func `a first reading tells what has ended since the watch began`() {
        let begin = WallTime(secondsSinceEpoch: 1_000)
        let rows = [999, 1_000, 1_010, 1_011].map { second in
            PipelineRow(id: second, status: "failed", updatedAt: WallTime(secondsSinceEpoch: second))
        }
        let result = PipelineNews(known: [], isRead: false).read(rows, .since(begin...begin.advanced(by: .seconds(10))))
        #expect(result.news.map(\.row.id) == [1_010, 1_000])
        #expect(result.known.count == 4)
    }

    @Test func `trap 36: a pipeline that a replica shows as it stood before has not run again`() {
        let running = [makeRow(1, "running", at: 10)]
        let failed = [makeRow(1, "failed", at: 20)]
        let again = [makeRow(1, "running", at: 30)]
        #expect(news(of: [running, failed, running, failed]) == [[], ["1 failed 1"], [], []])
        #expect(
            news(of: [failed, again, failed, [makeRow(1, "failed", at: 40)]])
                == [["1 failed 1"], [], [], ["1 failed 2"]]
        )
        let known = PipelineNews(known: [], isRead: true).read(failed, .all).known
        #expect(PipelineNews(known: known, isRead: true).isQuiet(running))
    }

    @Test func `a pipeline ends also by a clock that was set back`() {
        let known = PipelineNews(known: [], isRead: true).read([makeRow(1, "running", at: 3_600)], .all).known
        let row = makeRow(1, "success", at: 60)
        let setBack = PipelineNews(known: known, isRead: true).read([row], .all, at: WallTime(secondsSinceEpoch: 70))
        #expect(setBack.news.map(\.run) == [1])
        let behind = PipelineNews(known: known, isRead: true).read([row], .all, at: WallTime(secondsSinceEpoch: 3_700))
        #expect(behind.news.isEmpty)
    }

    @Test func `what has left the page and comes back is no news, nor is what lay behind it`() {
        let page = { (ids: ClosedRange<Int64>) in ids.reversed().map { makeRow($0, "success", at: $0) } }
        let pages = [page(101...120), page(102...121), page(101...120), page(100...119)]
        #expect(news(of: pages, isRead: false) == [[], ["121 success 1"], [], []])
        // A late row is news: there are more than were known.
        #expect(news(of: [page(2...3), page(1...3)], isRead: false) == [[], ["1 success 1"]])
        #expect(PipelineNews(known: [], isRead: true).read(page(1...60), .all).known.map(\.id) == Array(21...60))
    }

    @Test func `several ends are told oldest first, and a page without change is quiet`() {
        let page = [makeRow(3, "success"), makeRow(2, "failed")]
        #expect(news(of: [page]) == [["2 failed 1", "3 success 1"]])
        let known = PipelineNews(known: [], isRead: true).read(page, .all).known
        #expect(PipelineNews(known: known, isRead: true).isQuiet(page))
        #expect(!PipelineNews(known: known, isRead: false).isQuiet(page))
        #expect(!PipelineNews(known: known, isRead: true).isQuiet([makeRow(3, "running")]))
    }
}
