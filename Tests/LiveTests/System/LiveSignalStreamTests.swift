import Testing

@testable import Live

struct LiveSignalStreamTests {
    @Test func `a stop is not lost behind requests to read again`() async {
        var queue = LiveSignalStream.Queue()
        queue.append(.reload)
        queue.append(.stop)
        for _ in 1...40 { queue.append(.reload) }
        var requests = queue.requests.makeAsyncIterator()
        #expect(await requests.next() == .reload)
        #expect(await requests.next() == .stop)
    }

    @Test func `of requests to read again the newest wait, and a stop behind them`() async {
        var queue = LiveSignalStream.Queue()
        for _ in 1...40 { queue.append(.reload) }
        queue.append(.stop)
        var requests = queue.requests.makeAsyncIterator()
        for _ in 1...15 { #expect(await requests.next() == .reload) }
        #expect(await requests.next() == .stop)
    }
}
