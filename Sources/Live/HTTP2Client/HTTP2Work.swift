import CCurl
import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import CNGHTTP2
import Glibc
import HTTP
import Platform

/// What a lane's thread does over HTTP/2: one connection that takes calls, and those it has left that still have answers to give.
struct HTTP2Work: LaneWork {
    /// A call that connections refused so often while they went on is given up. Nothing has acted on it.
    private static let refusalLimit = 8
    /// The longest wait, where nothing is due.
    private static let longestWait = Duration.minutes(1)

    private let connector: CurlConnector
    private let waker: EventWaker
    private let configuration: HTTP2Client.Configuration
    private let buffer = ReadBuffer()
    /// In the order of arrival.
    private var waiting: ArraySlice<HTTP2Call> = []
    /// Where calls go.
    private var link: HTTP2Link?
    /// Take no more calls and still have answers to give.
    private var leaving: [HTTP2Link] = []
    /// Over, and their callers are to be told: after the next ones have started, so that the connection does not wait for that.
    private var ended: [(call: HTTP2Call, outcome: HTTPOutcome)] = []
    /// No connection is opened before.
    private var nextOpening: MonotonicInstant?
    /// No call is over before.
    private var nextDeadline: MonotonicInstant?

    init(connector: CurlConnector, waker: EventWaker, configuration: HTTP2Client.Configuration) {
        self.connector = connector
        self.waker = waker
        self.configuration = configuration
    }

    var isIdle: Bool { waiting.isEmpty && links.allSatisfy { $0.openCount == 0 } }

    private var links: [HTTP2Link] {
        guard let link else { return leaving }
        return leaving.isEmpty ? [link] : leaving + [link]
    }

    mutating func enqueue(_ calls: [HTTP2Call]) {
        for call in calls {
            if call.pending.isCancelled {
                call.finish(.notSent(.cancelled))
            } else {
                waiting.append(call)
                nextDeadline = min(nextDeadline ?? call.nextDeadline, call.nextDeadline)
            }
        }
    }

    mutating func cancel(_ call: HTTP2Call) {
        if let index = waiting.firstIndex(where: { $0 === call }) {
            waiting.remove(at: index).finish(.notSent(.cancelled))
        }
        for link in links { link.cancel(call, .unknown(.cancelled)) }
    }

    mutating func advance() {
        let now = LiveTime().monotonicNow
        if link?.state == .connecting { connect(now) }
        for link in links {
            link.read(buffer.bytes, now: now)
            link.checkLife(at: now)
        }
        gather()
        endOverdue(now)
        start(now)
        links.forEach { $0.write() }
        // A write may have ended calls; what there is room for now goes with the next look, which follows at once.
        gather()
        tellEnded()
    }

    // MARK: Calls

    /// Begins as many calls as there is room for, over a new connection where there is none.
    private mutating func start(_ now: MonotonicInstant) {
        guard let first = waiting.first else { return }
        guard let link else { return open(for: first, now) }
        link.askBeforeUse(at: now)
        var room = link.room
        while room > 0, let call = waiting.first, link.begin(call) {
            waiting.removeFirst()
            room -= 1
        }
        // A slice keeps what was removed from it.
        if waiting.isEmpty { waiting = [] }
    }

    /// Takes what has ended from the links, and forgets links that are over.
    private mutating func gather() {
        var refused: [HTTP2Call] = []
        for link in links {
            for (call, ending) in link.takeEndings() {
                switch ending {
                case .outcome(let outcome): ended.append((call, outcome))
                case .refused:
                    // A connection that ends refuses what it cannot carry any more: no call's own trouble.
                    if link.takesCalls { call.refusalCount += 1 }
                    refused.append(call)
                }
            }
        }
        sendAgain(refused)
        leaving.removeAll { $0.state == .closed || $0.openCount == 0 }
        guard let link, !link.takesCalls else { return }
        if link.openCount > 0 { leaving.append(link) }
        self.link = nil
        // Nothing has ever been answered over it: a further connection would fare no better, and look like an attack.
        if !link.isProven { endWaiting(.connectionReset) }
    }

    /// They go before those that have never been sent.
    private mutating func sendAgain(_ refused: [HTTP2Call]) {
        guard !refused.isEmpty else { return }
        for call in refused where call.refusalCount >= Self.refusalLimit {
            ended.append((call, .notSent(.connectionReset)))
        }
        let again = refused.filter { $0.refusalCount < Self.refusalLimit }
        again.forEach { $0.rewind() }
        waiting = again + waiting
    }

    private mutating func endOverdue(_ now: MonotonicInstant) {
        guard let nextDeadline, nextDeadline <= now else { return }
        let isConnected = link?.state == .open
        for call in waiting where call.nextDeadline <= now {
            ended.append((call, .notSent(isConnected ? .timedOut : .connectTimedOut)))
        }
        waiting.removeAll { $0.nextDeadline <= now }
        links.forEach { $0.endOverdue(at: now) }
        self.nextDeadline = (waiting.map(\.nextDeadline) + links.compactMap(\.nextDeadline)).min()
    }

    private mutating func endWaiting(_ failure: HTTPFailure) {
        for call in waiting { ended.append((call, .notSent(failure))) }
        waiting = []
    }

    private mutating func tellEnded() {
        for (call, outcome) in ended { call.finish(outcome) }
        ended.removeAll(keepingCapacity: true)
    }

    // MARK: Connections

    /// Not sooner after the last one than the pause: what opens one connection after the other looks like an attack (APNs facts §8, §17.1).
    private mutating func open(for call: HTTP2Call, _ now: MonotonicInstant) {
        guard nextOpening.map({ $0 <= now }) ?? true else { return }
        nextOpening = now.advanced(by: configuration.reconnectPause)
        guard let connection = connector.connect(to: call.request.origin, within: call.options.connectTimeout),
            let link = HTTP2Link(connection, configuration, now: now)
        else { return endWaiting(.connectionRefused) }
        self.link = link
        connect(now)
        if link.state == .open { start(now) }
    }

    /// Goes on connecting.
    private mutating func connect(_ now: MonotonicInstant) {
        var result: CURLcode?
        connector.advance { handle, code in
            if handle == link?.connection.handle { result = code }
        }
        guard let result, let link else { return }
        guard result == CURLE_OK else {
            self.link = nil
            return endWaiting(CurlFailure.failure(result, isSent: false))
        }
        link.open(at: now)
    }

    // MARK: Waiting

    mutating func wait() {
        let links = links.filter { $0.state == .open }
        var set = [pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0)] + links.map(\.interest)
        let canStart = !waiting.isEmpty && link.map { $0.room > 0 } ?? false
        let milliseconds = canStart || links.contains(where: \.hasInput) ? 0 : untilNextLook(links)
        if link?.state == .connecting {
            connector.wait(for: &set, milliseconds: milliseconds)
        } else {
            poll(&set, nfds_t(set.count), milliseconds)
        }
        if set[0].revents != 0 { waker.clear() }
        for (link, found) in zip(links, set.dropFirst()) where found.revents != 0 { link.becameReady() }
    }

    /// Milliseconds until a deadline or a proof of life is due.
    private func untilNextLook(_ links: [HTTP2Link]) -> Int32 {
        let now = LiveTime().monotonicNow
        let opening = link == nil && !waiting.isEmpty ? nextOpening ?? now : nil
        let others = [nextDeadline, opening, now.advanced(by: Self.longestWait)]
        let instants = links.map(\.nextLook) + others.compactMap { $0 }
        guard let next = instants.min(), next > now else { return 0 }
        return Int32(clamping: now.duration(to: next).wholeMilliseconds + 1)
    }

    // MARK: Ending

    mutating func abandon() {
        links.forEach { $0.leave { _ in .unknown(.cancelled) } }
        gather()
        link = nil
        endWaiting(.cancelled)
        tellEnded()
    }
}

/// Room for what is read at a time.
private final class ReadBuffer {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    deinit {
        bytes.deallocate()
    }
}
