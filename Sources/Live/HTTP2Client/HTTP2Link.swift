import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import CNGHTTP2
import Glibc
import HTTP
import Platform

/// One connection with its HTTP/2 session: moves bytes between the two, and knows what the connection can be trusted with.
///
/// Isolation: the lane's thread.
final class HTTP2Link {
    /// So much is taken out of the session before the connection has taken it: a record of TLS.
    private static let outputLimitBytes = 16_384
    /// Reads at a time at most, so that a server that talks without end holds up nothing.
    private static let readLimit = 16

    /// How a link stands.
    enum State {
        case connecting, open, closed
    }

    private(set) var state = State.connecting
    /// Known before it is open.
    let connection: CurlConnection
    private let session: HTTP2ClientSession
    private var window: StreamWindow
    private var descriptor: Int32 = -1
    private var output: [UInt8] = []
    private var outputStart = 0
    private var isReadable = false
    /// True once the connection takes nothing more; what it still has to say is read to the end.
    private var isBroken = false

    /// Nil when there is no memory for it.
    init?(_ connection: CurlConnection, _ configuration: HTTP2Client.Configuration, now: MonotonicInstant) {
        guard let session = HTTP2ClientSession() else { return nil }
        self.connection = connection
        self.session = session
        window = StreamWindow(limit: configuration.exchangeLimit, silence: configuration.silence, openedAt: now)
    }

    // MARK: Standing

    /// The connection is there.
    func open(at now: MonotonicInstant) {
        guard let descriptor = connection.descriptor else { return close() }
        self.descriptor = descriptor
        window.heard(at: now)
        state = .open
    }

    /// No more bytes; every call that is open has an unknown outcome, which ``takeEndings()`` tells.
    func close() {
        state = .closed
        session.breakOff { $0.brokenOff }
    }

    /// Says goodbye as far as that is possible without waiting, and closes.
    func leave(_ outcome: (HTTP2Call) -> HTTPOutcome) {
        session.breakOff(outcome)
        if state == .open {
            session.goAway()
            write()
        }
        close()
    }

    var openCount: Int { session.openCount }
    /// True once a request has been answered.
    var isProven: Bool { window.isProven }
    /// False when further calls need another link.
    var takesCalls: Bool { state != .closed && !isBroken && session.takesCalls }
    /// How many more calls may begin now.
    var room: Int {
        state == .open && takesCalls ? window.room(open: openCount, allowed: session.allowedStreams) : 0
    }
    var nextDeadline: MonotonicInstant? { session.nextDeadline }

    // MARK: Calls

    /// False when the session takes none, and then ``takesCalls`` is false.
    func begin(_ call: HTTP2Call) -> Bool { session.begin(call) }

    /// Gives a call up, unless it has ended or is another link's.
    func cancel(_ call: HTTP2Call, _ outcome: HTTPOutcome) { session.cancel(call, outcome) }

    /// Ends calls whose time is over. What did not answer them is asked whether it is alive (APNs facts §17.8).
    func endOverdue(at now: MonotonicInstant) {
        let overdue = session.overdue { $0.nextDeadline <= now }
        guard !overdue.isEmpty else { return }
        for call in overdue { session.cancel(call, .unknown(.timedOut)) }
        ask(at: now)
    }

    func takeEndings() -> [(call: HTTP2Call, ending: HTTP2ClientSession.Ending)] {
        let endings = session.takeEndings()
        for (_, ending) in endings {
            switch ending {
            case .outcome(.response(let response)): window.answered(isSuccess: (200...299).contains(response.status))
            case .outcome: break
            case .refused: window.refused()
            }
        }
        return endings
    }

    // MARK: Proof of life

    /// Sends a PING when one must go before further requests.
    func askBeforeUse(at now: MonotonicInstant) {
        if window.mustAsk(at: now) { ask(at: now) }
    }

    /// Sends a PING that is due; closes a connection that did not answer the last one.
    func checkLife(at now: MonotonicInstant) {
        if window.isDead(at: now) { return close() }
        if window.shouldAsk(at: now) { ask(at: now) }
    }

    private func ask(at now: MonotonicInstant) {
        guard state == .open else { return }
        session.ping()
        window.asked(at: now)
    }

    /// When to look at it again, whatever happens on the connection.
    var nextLook: MonotonicInstant { window.nextLook }

    // MARK: Bytes

    /// What to wait for on the connection.
    var interest: pollfd {
        let events = Int16(POLLIN) | (outputStart < output.count && !isBroken ? Int16(POLLOUT) : 0)
        return pollfd(fd: descriptor, events: events, revents: 0)
    }

    /// True when a read would find something without waiting.
    var hasInput: Bool { isReadable }

    /// The connection is ready for something.
    func becameReady() { isReadable = true }

    /// Reads what has come. Also one that nobody said is ready may have come to its end unnoticed, which matters where nothing is under way.
    func read(_ buffer: UnsafeMutableRawBufferPointer, now: MonotonicInstant) {
        guard state == .open, isReadable || openCount == 0 else { return }
        isReadable = true
        for _ in 0..<Self.readLimit where state == .open {
            switch connection.read(into: buffer) {
            case .moved(let count):
                window.heard(at: now)
                let isLive = session.receive(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
                if !isLive { close() }
            case .blocked:
                isReadable = false
                return isBroken ? close() : ()
            case .ended: close()
            }
        }
    }

    /// Writes what there is to write, as far as the connection takes it.
    func write() {
        while state == .open, !isBroken {
            if outputStart == output.count {
                output.removeAll(keepingCapacity: true)
                outputStart = 0
                guard session.fill(&output, upTo: Self.outputLimitBytes) else { return close() }
                if output.isEmpty {
                    if !session.isLive { close() }
                    return
                }
            }
            let progress = output.withUnsafeBytes {
                connection.write(UnsafeRawBufferPointer(rebasing: $0[outputStart...]))
            }
            switch progress {
            case .moved(let count): outputStart += count
            case .blocked: return
            case .ended:
                // Answers may have come before the end.
                isBroken = true
                isReadable = true
            }
        }
    }
}
