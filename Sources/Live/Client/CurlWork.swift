import CCurl
import HTTP
import Platform

/// What a lane's thread does with libcurl's connections.
///
/// A lane begins with a single exchange, also after a while without one: a server may allow no more on a connection that has proven
/// nothing yet. The others follow when it has been answered.
struct CurlWork: LaneWork {
    /// After this time without an exchange the connection proves itself again (APNs facts §8, idle loss).
    private static let proofLifetime = Duration.seconds(10)
    /// How often deadlines of those that wait their turn are looked at.
    private static let expiryInterval = Duration.milliseconds(100)

    /// How soon an exchange over HTTP/2 is looked at without a sign from libcurl; each time in vain, twice as late, up to the limit.
    private static let firstLook: Int32 = 20
    private static let lastLook: Int32 = 640
    /// Handles kept for further exchanges at most: making one costs as much as using it.
    private static let spareLimit = 64

    private let multi: CurlMulti
    private let configuration: CurlClient.Configuration
    /// In the order of arrival.
    private var waiting: ArraySlice<CurlTransfer> = []
    /// By the address of their handle, under which libcurl tells of them.
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    /// Handles for further exchanges.
    private var spares: [UnsafeMutableRawPointer] = []
    /// How many of those under way have a deadline for their first byte.
    private var impatientCount = 0
    private var window: LaneWindow
    /// Given to libcurl and not seen to start yet.
    private var unstarted: [UnsafeMutableRawPointer] = []
    /// Over, and their callers are to be told: after the next ones have started, so that the connection does not wait for that.
    private var ended: [(CurlTransfer, HTTPOutcome)] = []
    /// When the lane last carried nothing any more.
    private var idleSince: MonotonicInstant?
    private var nextExpiryLook: MonotonicInstant?
    /// Milliseconds to the next look.
    private var untilLook = firstLook

    init(multi: CurlMulti, configuration: CurlClient.Configuration) {
        self.multi = multi
        self.configuration = configuration
        window = LaneWindow(limit: configuration.exchangeLimit, connectionLimit: configuration.connectionLimit)
    }

    var isIdle: Bool { waiting.isEmpty && running.isEmpty }

    mutating func enqueue(_ transfers: [CurlTransfer]) {
        guard !transfers.isEmpty else { return }
        forgetOldProof()
        untilLook = Self.firstLook
        for transfer in transfers {
            if transfer.pending.isCancelled {
                transfer.finish(.notSent(.cancelled))
            } else {
                waiting.append(transfer)
            }
        }
    }

    mutating func cancel(_ transfer: CurlTransfer) {
        if let index = waiting.firstIndex(where: { $0 === transfer }) {
            waiting.remove(at: index).finish(.notSent(.cancelled))
        } else if let handle = running.first(where: { $0.value === transfer })?.key {
            end(handle, transfer, transfer.isSent ? .unknown(.cancelled) : .notSent(.cancelled))
        }
    }

    /// Starts what may start, moves bytes, and ends what has ended.
    mutating func advance() {
        dropExpired()
        nudge()
        start()
        perform()
        takeBack()
        if canStart, !waiting.isEmpty {
            // What has ended left room.
            start()
            perform()
            takeBack()
        }
        endSilent()
        tellEnded()
        prepareNext()
        if isIdle, idleSince == nil { idleSince = LiveTime().monotonicNow }
    }

    /// Lets libcurl look again at an exchange that waits inside it for a connection, as one does that was refused. 7.88 looks at one of
    /// them whenever a handle goes, and sometimes too early.
    private mutating func nudge() {
        guard window.isMultiplexed, !running.isEmpty, let spare = spares.last else { return }
        curl_multi_add_handle(multi.handle, spare)
        curl_multi_remove_handle(multi.handle, spare)
    }

    private mutating func perform() {
        var count: Int32 = 0
        curl_multi_perform(multi.handle, &count)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.handle, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = running[handle]
            else { continue }
            let outcome = transfer.outcome(wb_curl_message_result(message))
            if case .response = outcome { learn(from: transfer) } else { window.failed() }
            end(handle, transfer, outcome)
        }
    }

    private mutating func learn(from transfer: CurlTransfer) {
        let isMultiplexed = transfer.version == .two
        if window.isMultiplexed, transfer.hasConnected { window.lostConnection() }
        if isMultiplexed, !window.isMultiplexed { multi.useOneConnection() }
        window.answered(isMultiplexed: isMultiplexed)
    }

    /// Takes back what was given to libcurl and did not start.
    private mutating func takeBack() {
        unstarted.removeAll { running[$0].map(\.isSent) ?? true }
        // Over HTTP/1.1 they wait for connections of their own; where none has started, for the one connection.
        guard window.isMultiplexed, !unstarted.isEmpty else { return }
        let started = running.count - unstarted.count
        let surplus = Array(unstarted.dropFirst(started == 0 ? 1 : 0))
        surplus.reversed().forEach { takeBack($0) }
        if !surplus.isEmpty { window.met(started: started) }
    }

    private mutating func takeBack(_ handle: UnsafeMutableRawPointer) {
        unstarted.removeAll { $0 == handle }
        guard let transfer = running.removeValue(forKey: handle) else { return }
        if transfer.isImpatient { impatientCount -= 1 }
        curl_multi_remove_handle(multi.handle, handle)
        waiting.insert(transfer, at: waiting.startIndex)
    }

    /// Waits until something happens on a socket, somebody wakes the thread, or libcurl has a timer to serve.
    mutating func wait() {
        // With nothing under way only a wake ends the wait; the bound is for the deadlines of those that wait their turn.
        let isWatched = window.isMultiplexed && !running.isEmpty
        let limit = isWatched ? min(untilSilent, untilLook) : waiting.isEmpty ? untilSilent : 100
        var count: Int32 = 0
        curl_multi_poll(multi.handle, nil, 0, running.isEmpty && !waiting.isEmpty ? 0 : limit, &count)
        untilLook = isWatched && count == 0 ? min(2 * untilLook, Self.lastLook) : Self.firstLook
    }

    /// Ends exchanges of which nothing has come back in time.
    private mutating func endSilent() {
        guard impatientCount > 0 else { return }
        let now = LiveTime().monotonicNow
        for (handle, transfer) in running where transfer.firstByteDeadline.map({ $0 <= now }) ?? false {
            end(handle, transfer, transfer.isSent ? .unknown(.timedOut) : .notSent(.connectTimedOut))
        }
    }

    /// Milliseconds until the next such deadline.
    private var untilSilent: Int32 {
        guard impatientCount > 0, let next = running.values.compactMap(\.firstByteDeadline).min() else { return 60_000 }
        return Int32(clamping: max(1, LiveTime().monotonicNow.duration(to: next).wholeMilliseconds + 1))
    }

    /// Ends everything at once.
    mutating func abandon() {
        for (handle, transfer) in running {
            end(handle, transfer, transfer.isSent ? .unknown(.cancelled) : .notSent(.cancelled))
        }
        tellEnded()
        waiting.forEach { $0.finish(.notSent(.cancelled)) }
        waiting = []
        dropSpares()
    }

    private mutating func tellEnded() {
        for (transfer, outcome) in ended { transfer.finish(outcome) }
        ended.removeAll(keepingCapacity: true)
    }

    /// Prepares the next one while nothing else is to be done, so that it goes at once when there is room.
    private mutating func prepareNext() {
        guard window.isMultiplexed, let next = waiting.first, !next.isPrepared else { return }
        prepare(next)
    }

    private mutating func prepare(_ transfer: CurlTransfer) {
        transfer.prepare(configuration, spare: spares.popLast())
    }

    private var canStart: Bool { running.count < window.size }

    /// A lane that was unused for a while may have lost its connection without knowing.
    private mutating func forgetOldProof() {
        guard let idleSince else { return }
        if idleSince.duration(to: LiveTime().monotonicNow) > Self.proofLifetime { window.forget() }
        self.idleSince = nil
    }

    private mutating func start() {
        while !waiting.isEmpty, canStart {
            let transfer = waiting.removeFirst()
            if !window.isMultiplexed { transfer.dropUsedHandle() }
            if !transfer.isPrepared { prepare(transfer) }
            guard let handle = transfer.start() else {
                transfer.finish(.notSent(.cancelled))
                continue
            }
            running[handle] = transfer
            unstarted.append(handle)
            if transfer.isImpatient { impatientCount += 1 }
            curl_multi_add_handle(multi.handle, handle)
        }
    }

    private mutating func dropExpired() {
        guard !waiting.isEmpty else { return }
        let now = LiveTime().monotonicNow
        guard nextExpiryLook.map({ $0 <= now }) ?? true else { return }
        nextExpiryLook = now.advanced(by: Self.expiryInterval)
        for transfer in waiting where transfer.deadline <= now { transfer.finish(.notSent(.timedOut)) }
        waiting.removeAll { $0.deadline <= now }
    }

    private mutating func end(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer, _ outcome: HTTPOutcome) {
        running[handle] = nil
        if transfer.isImpatient { impatientCount -= 1 }
        curl_multi_remove_handle(multi.handle, handle)
        keepHandle(of: transfer)
        ended.append((transfer, outcome))
    }

    /// Keeps the handle for another exchange where HTTP/2 is spoken, and has none left where HTTP/1 is.
    ///
    /// libcurl 7.88 adds a folded line to the field before it; right behind the status line of an exchange by a used handle, that is a
    /// field of the exchange before, which it has freed. Only HTTP/1 has folded lines.
    private mutating func keepHandle(of transfer: CurlTransfer) {
        switch transfer.version {
        case .two: if spares.count < Self.spareLimit, let spare = transfer.takeHandle() { spares.append(spare) }
        case .one: dropSpares()
        case nil: break
        }
    }

    private mutating func dropSpares() {
        spares.forEach { curl_easy_cleanup($0) }
        spares = []
    }
}
