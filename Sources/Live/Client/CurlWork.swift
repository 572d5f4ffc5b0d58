import CCurl
import HTTP
import Platform

/// What a lane's thread has to do: which exchanges wait, which are under way.
struct CurlWork {
    private let multi: CurlMulti
    private let configuration: CurlClient.Configuration
    /// In the order of arrival.
    private var waiting: [CurlTransfer] = []
    /// By the address of their handle, under which libcurl tells of them.
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    /// True while a single exchange stands for all.
    private var isProving = false

    init(multi: CurlMulti, configuration: CurlClient.Configuration) {
        self.multi = multi
        self.configuration = configuration
    }

    var isIdle: Bool { waiting.isEmpty && running.isEmpty }

    mutating func enqueue(_ transfers: [CurlTransfer]) {
        for transfer in transfers {
            if transfer.isCancelled {
                transfer.finish(.notSent(.cancelled))
            } else {
                waiting.append(transfer)
            }
        }
    }

    mutating func cancel(_ identifier: ObjectIdentifier) {
        if let index = waiting.firstIndex(where: { ObjectIdentifier($0) == identifier }) {
            waiting.remove(at: index).finish(.notSent(.cancelled))
        } else if let (handle, transfer) = running.first(where: { ObjectIdentifier($0.value) == identifier }) {
            end(handle, transfer, transfer.isSent ? .unknown(.cancelled) : .notSent(.cancelled))
        }
    }

    /// Starts what may start, moves bytes, and ends what has ended.
    mutating func advance() {
        dropExpired()
        start()
        var count: Int32 = 0
        curl_multi_perform(multi.handle, &count)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.handle, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = running[handle]
            else { continue }
            end(handle, transfer, transfer.outcome(wb_curl_message_result(message)))
        }
        endSilent()
        if !waiting.isEmpty, canStart { start() }
    }

    /// Waits until something happens on a socket, somebody wakes the thread, or libcurl has a timer to serve.
    func wait() {
        // With nothing under way only a wake ends the wait; the bound is for the deadlines of those that wait their turn.
        let limit: Int32 = waiting.isEmpty ? untilSilent : 100
        curl_multi_poll(multi.handle, nil, 0, running.isEmpty && !waiting.isEmpty ? 0 : limit, nil)
    }

    /// Ends exchanges of which nothing has come back in time.
    private mutating func endSilent() {
        guard running.values.contains(where: { $0.firstByteDeadline != nil }) else { return }
        let now = LiveTime().monotonicNow
        for (handle, transfer) in running where transfer.firstByteDeadline.map({ $0 <= now }) ?? false {
            end(handle, transfer, transfer.isSent ? .unknown(.timedOut) : .notSent(.connectTimedOut))
        }
    }

    /// Milliseconds until the next such deadline.
    private var untilSilent: Int32 {
        guard let next = running.values.compactMap(\.firstByteDeadline).min() else { return 60_000 }
        return Int32(clamping: max(1, LiveTime().monotonicNow.duration(to: next).wholeMilliseconds + 1))
    }

    /// Ends everything at once.
    mutating func abandon() {
        for (handle, transfer) in running {
            end(handle, transfer, transfer.isSent ? .unknown(.cancelled) : .notSent(.cancelled))
        }
        waiting.forEach { $0.finish(.notSent(.cancelled)) }
        waiting = []
    }

    private var canStart: Bool {
        running.isEmpty || !isProving && running.count < configuration.exchangeLimit
    }

    private mutating func start() {
        while !waiting.isEmpty, canStart {
            isProving = running.isEmpty
            let transfer = waiting.removeFirst()
            guard let handle = transfer.prepare(configuration) else {
                transfer.finish(.notSent(.cancelled))
                continue
            }
            running[handle] = transfer
            curl_multi_add_handle(multi.handle, handle)
        }
    }

    private mutating func dropExpired() {
        guard !waiting.isEmpty else { return }
        let now = LiveTime().monotonicNow
        for transfer in waiting where transfer.deadline <= now { transfer.finish(.notSent(.timedOut)) }
        waiting.removeAll { $0.deadline <= now }
    }

    private mutating func end(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer, _ outcome: HTTPOutcome) {
        running[handle] = nil
        // Whatever came back, the connection has shown what it can do.
        isProving = false
        curl_multi_remove_handle(multi.handle, handle)
        transfer.finish(outcome)
    }
}
