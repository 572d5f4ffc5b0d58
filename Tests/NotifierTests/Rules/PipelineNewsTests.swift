import Platform
import Testing

@testable import Notifier

private func makeRow(_ id: Int64, _ status: String) -> PipelineRow {
    PipelineRow(id: id, status: status, updatedAt: nil)
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

    @Test func `several ends are told oldest first, and a page without change is quiet`() {
        let page = [makeRow(3, "success"), makeRow(2, "failed")]
        #expect(news(of: [page]) == [["2 failed 1", "3 success 1"]])
        let known = PipelineNews(known: [], isRead: true).read(page, .all).known
        #expect(PipelineNews(known: known, isRead: true).isQuiet(page))
        #expect(!PipelineNews(known: known, isRead: false).isQuiet(page))
        #expect(!PipelineNews(known: known, isRead: true).isQuiet([makeRow(3, "running")]))
    }
}
