import Configuration
import Glibc
import HTTP
import Harness
import Live
import Notifier
import Platform
import Scenarios
import SimulatedStorage
import Simulation
import Verdict

/// `notifierd` in a process of its own, under a clock that keeps step with the world.
///
/// Unchecked: simulation thread: that of the served world.
final class LiveNotifier: NotifierHost, @unchecked Sendable {
    let clock: NodeClock

    /// How long its command may take that tells what an incident report needs.
    private static let exportLimit = Duration.seconds(60)

    private let site: NotifierSite
    private let installation: LiveInstallation
    private let driver: LiveWorldDriver
    private let bridge: LiveBridge
    private var node: Node
    private var process: LiveProcess?
    private var unread = LineBuffer()
    /// What the process wrote last that was no entry of its log.
    private var lastWords = ""
    /// True once the process is meant to end.
    private var mayEnd = false

    /// - Throws: `RunError.notifierRefused` for a configuration the notifier does not accept.
    init(_ site: NotifierSite, _ installation: LiveInstallation, driver: LiveWorldDriver) throws {
        self.site = site
        self.installation = installation
        self.driver = driver
        bridge = LiveBridge(driver)
        node = site.simulation.makeNode("notifier")
        clock = node.clock
        do {
            site.recorder.requestsPerHour = try site.overrides.configuration().requestsPerHour
        } catch {
            throw RunError.notifierRefused("\(error)")
        }
    }

    var nodeNumber: UInt32 { node.number }

    var isRunning: Bool { node.isAlive }

    func start() throws {
        for origin in [WorldBuilder.notifierOrigin, WorldBuilder.webhookOrigin] {
            site.simulation.network.listen(
                origin,
                link: (origin == WorldBuilder.webhookOrigin ? Link.webhook : Link.api).rawValue,
                latency: site.apiLatency,
                handler: bridge,
                on: node
            )
        }
        do {
            let process = try LiveProcess(try installation.launch())
            (self.process, unread, mayEnd) = (process, LineBuffer(), false)
            driver.watch(process.errors) { [weak self] in self?.readLog() }
        } catch let error as SystemFailure {
            throw RunError.notifierRefused(error.programError.message)
        }
    }

    /// Blocks until the program serves.
    ///
    /// - Throws: `RunError.notifierRefused` when it does not within `limit` of the machine's time.
    func waitUntilReady(within limit: Duration) throws {
        let end = LiveClock.now.advanced(by: limit)
        while !isReady, let process, LiveClock.now < end {
            var set = [pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0)]
            poll(&set, 1, 100)
            readLog()
        }
        guard isReady else {
            throw RunError.notifierRefused(lastWords.isEmpty ? "it was not ready within \(limit)" : lastWords)
        }
    }

    private(set) var isReady = false

    func stop() {
        mayEnd = true
        signal(SIGTERM)
    }

    func crash() {
        node.crash()
        endProcess()
    }

    func stall(for length: Duration) {
        guard let stalled = process?.identifier else { return }
        signal(SIGSTOP)
        site.simulation.schedule(after: length) { [weak self] in
            guard let self, process?.identifier == stalled else { return }
            signal(SIGCONT)
        }
    }

    /// Never asked for: see ``LivePlan``.
    func losePower(_ fate: UnsyncedWrites) {
        preconditionFailure("the power of a live notifier is the machine's")
    }

    /// Never asked for: see ``LivePlan``.
    func meet(_ fault: DiskFault?) {
        preconditionFailure("the disk of a live notifier is the machine's")
    }

    /// Never asked for: see ``LivePlan``.
    func slowDisk(by delay: Duration) {
        preconditionFailure("the disk of a live notifier is the machine's")
    }

    /// Never asked for: see ``LivePlan``.
    func damageDisk() {
        preconditionFailure("the disk of a live notifier is the machine's")
    }

    /// Never asked for: see ``LivePlan``.
    func backUp(as name: String) {
        preconditionFailure("the database of a live notifier is on the machine's disk")
    }

    /// Never asked for: see ``LivePlan``.
    func announce(_ title: String, to username: String) -> (devices: Int, isHeld: Bool)? {
        preconditionFailure("the database of a live notifier is on the machine's disk")
    }

    /// Never asked for: see ``LivePlan``.
    func restore(_ name: String) {
        preconditionFailure("the database of a live notifier is on the machine's disk")
    }

    func watchDisk(_ watcher: ((DiskOperation) -> Void)?) {}

    func startAgain() throws {
        crash()
        node = site.simulation.makeNode("notifier", clock: clock)
        try start()
    }

    func ask(_ target: String, _ take: @escaping @Sendable (HTTPResponse) -> Void) {
        guard node.isAlive else { return }
        node.serve { [bridge] in
            let answer = await bridge.handle(
                HTTPRequest(method: .get, origin: WorldBuilder.notifierOrigin, target: target),
                from: HTTPPeer(address: "scraper", connection: 0)
            )
            take(answer)
        }
    }

    /// Nothing where the program gives none: the run is over, and its report does not hang on it.
    func exportIncident() -> [String] {
        let file = "\(installation.folder)/incident.jsonl"
        guard let process = try? LiveProcess(installation.exportIncident(to: file)) else { return [] }
        let end = LiveClock.now.advanced(by: Self.exportLimit)
        while !process.hasEnded, LiveClock.now < end { poll(nil, 0, 20) }
        guard process.end() == .exited(status: 0),
            let bytes = try? FileBytes.read(path: file, limitBytes: IncidentBundle.limitBytes)
        else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func discardDisk() {
        endProcess()
    }

    /// Lets the program's wall clock be as wrong as the machine's is meant to be.
    func keepClock() {
        installation.clock.setOffset(site.simulation.clock.wallNow.duration(to: clock.wallNow))
    }

    /// Lets the program's wall clock show the world's present instant.
    func setClock(at instant: MonotonicInstant) {
        installation.clock.set(to: site.simulation.clock.wallNow, at: instant)
    }

    private func signal(_ number: Int32) {
        guard let process else { return }
        kill(process.identifier, number)
    }

    private func endProcess() {
        guard let process else { return }
        mayEnd = true
        driver.unwatch(process.errors)
        bridge.lead(to: nil)
        (self.process, isReady) = (nil, false)
        process.end()
    }

    // MARK: The log

    private func readLog() {
        guard let process else { return }
        while let bytes = LivePipe.read(process.errors) {
            guard !bytes.isEmpty else { return ended(process) }
            unread.append(bytes)
            while let line = unread.next() { take(String(decoding: line, as: UTF8.self)) }
            if unread.pendingBytes > LogLine.limitBytes { unread = LineBuffer() }
        }
    }

    private func take(_ text: String) {
        guard let line = LogLine(text) else { return lastWords = String(text.suffix(500)) }
        if let port = line.servingPort {
            isReady = true
            bridge.lead(to: port)
        }
        site.recorder.observe(line, text: text, node: node.number)
    }

    private func ended(_ process: LiveProcess) {
        let wasMeant = mayEnd
        endProcess()
        guard !wasMeant else { return }
        if lastWords.isEmpty { lastWords = "it ended by itself \(process.end()), and said nothing" }
        site.recorder.notifierEnded(lastWords)
    }
}
