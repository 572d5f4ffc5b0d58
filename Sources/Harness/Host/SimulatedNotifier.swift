import Configuration
import Crypto
import FoundationEssentials
import HTTP
import Notifier
import Platform
import SQLite
import Scenarios
import SimulatedStorage
import Simulation
import Synchronization

/// The notifier on a simulated machine: in this process, on the simulation's thread, in virtual time.
///
/// Unchecked: simulation thread.
final class SimulatedNotifier: NotifierHost, @unchecked Sendable {
    let clock: NodeClock

    private let configuration: NotifierConfiguration
    let secrets: NotifierSecrets
    private let simulation: Simulation
    private let apiLatency: QuantileTable
    private let recorder: Recorder
    private let disk: SimulatedDisk
    private let backups: SimulatedBackups
    private let pollMarks = MemoryPollMarks()
    /// Of the commands that give names to what they add: no two may be alike.
    private let commandEntropy = CommandEntropy()
    private var node: Node
    private var process: Notifier?
    private var diskDelay = Duration.zero
    /// Lines for an incident report; nil where none is kept.
    private let traffic: LineList?

    /// - Throws: `RunError.notifierRefused` for a configuration the notifier does not accept.
    init(_ site: NotifierSite) throws {
        do {
            configuration = try site.overrides.configuration()
        } catch {
            throw RunError.notifierRefused("\(error)")
        }
        disk = SimulatedDisk(random: site.simulation.randomStream("disk"))
        backups = SimulatedBackups(on: disk)
        secrets = site.secrets.notifier
        traffic = site.keepsIncident ? LineList() : nil
        simulation = site.simulation
        apiLatency = site.apiLatency
        recorder = site.recorder
        node = simulation.makeNode("notifier")
        clock = node.clock
        recorder.requestsPerHour = configuration.requestsPerHour
    }

    var nodeNumber: UInt32 { node.number }

    var isRunning: Bool { node.isAlive }

    func start() throws {
        try examineDatabase()
        node.delaySerialJobs(by: diskDelay)
        let network = simulation.network.client(for: node)
        let meter = traffic.map { traffic in
            TrafficMeter(
                network,
                apns: [configuration.productionAPNs, configuration.sandboxAPNs],
                time: node.clock,
                write: traffic.append
            )
        }
        do {
            let notifier = try Notifier(
                configuration: configuration,
                secrets: secrets,
                instances: ServedInstances([WorldBuilder.gitlabOrigin]),
                environment: NotifierEnvironment(
                    time: node.clock,
                    entropy: node.entropy,
                    http: meter ?? network,
                    database: try disk.openDatabase(named: "notifier"),
                    storeExecutor: node.serialExecutor,
                    log: NodeLog(recorder: recorder, node: node),
                    timeZones: SimulatedZones(),
                    backups: backups,
                    pollMarks: pollMarks
                )
            )
            simulation.network.listen(
                WorldBuilder.notifierOrigin,
                link: Link.api.rawValue,
                latency: apiLatency,
                handler: notifier.api,
                on: node
            )
            simulation.network.listen(
                WorldBuilder.webhookOrigin,
                link: Link.webhook.rawValue,
                latency: apiLatency,
                handler: meter?.counting(notifier.api) ?? notifier.api,
                on: node
            )
            process = notifier
            meter?.begin()
            node.start { [recorder, node] in
                do {
                    try await notifier.run()
                } catch is CancellationError {
                    // Asked to stop.
                } catch {
                    recorder.notifierEnded("\(error)")
                }
                meter?.end()
                // Whoever asks it for something is refused, as by a port at which nobody listens.
                node.exit()
            }
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw RunError.notifierRefused("\(error)")
        }
    }

    /// As `notifierd` does before it writes anything.
    private func examineDatabase() throws {
        guard let bytes = disk.size(of: "notifier") else { return }
        _ = try Maintenance.examine(bytes: bytes) {
            try disk.openDatabase(named: "notifier", options: DatabaseOptions(busyTimeout: .zero, isReadOnly: true))
        }
    }

    func stop() {
        process?.stop()
    }

    func crash() {
        disk.endProcess()
        endProcess()
    }

    func losePower(_ fate: UnsyncedWrites) {
        disk.losePower(fate)
        endProcess()
    }

    private func endProcess() {
        node.crash()
        process = nil
    }

    func stall(for length: Duration) {
        node.stall(for: length)
    }

    func meet(_ fault: DiskFault?) {
        disk.meet(fault)
    }

    func slowDisk(by delay: Duration) {
        diskDelay = delay
        node.delaySerialJobs(by: delay)
    }

    func damageDisk() {
        disk.damageBlock(of: "notifier")
    }

    /// What a command beside the process does is no step of the process.
    private func asCommand(_ body: () throws -> Void) rethrows {
        let watcher = disk.onOperation
        disk.onOperation = nil
        defer { disk.onOperation = watcher }
        try body()
    }

    func backUp(as name: String) throws {
        try asCommand {
            try copy("notifier", as: name)
            do { try changeKeys(of: name) } catch let error as SQLiteError {
                // The disk that fails has taken the backup and takes no more.
                guard recorder.hasSeenFault(at: [.disk]) else { throw error }
            }
        }
    }

    /// As an operator tries `rotate-keys` on a copy: what the new key sealed, it must open alone.
    private func changeKeys(of name: String) throws {
        let copy = "\(name)-with-another-key"
        try self.copy(name, as: copy)
        defer { disk.removeDatabase(named: copy) }
        let new = NotifierSecrets.EncryptionKey(version: 2, key: Secret([UInt8](repeating: 0x5A, count: 32)))
        let came = try Maintenance.reseal(
            disk.openDatabase(named: copy),
            keys: [new] + secrets.encryptionKeys,
            entropy: CommandEntropy(),
            at: clock.wallNow
        )
        guard came.unreadable == 0 else {
            throw RunError.notifierRefused("\(came.unreadable) secrets do not open with the key that sealed them")
        }
    }

    private func copy(_ name: String, as copy: String) throws {
        // What an attempt that failed has left.
        disk.removeDatabase(named: copy)
        try Maintenance.copy(disk.openDatabase(named: name), to: disk.path(of: copy)) {
            try disk.openDatabase(named: copy)
        }
        disk.sync(named: copy)
    }

    func restore(_ name: String) throws {
        try asCommand {
            disk.endProcess()
            let copy = "\(name)-restored"
            try self.copy(name, as: copy)
            try Maintenance.prepare(
                disk.openDatabase(named: copy),
                toReplace: try? disk.openDatabase(named: "notifier"),
                at: clock.wallNow
            )
            disk.endProcess()
            disk.rename("notifier", to: "\(name)-former")
            disk.rename(copy, to: "notifier")
        }
        recorder.restoredBackup()
    }

    func watchDisk(_ watcher: ((DiskOperation) -> Void)?) {
        disk.onOperation = watcher
    }

    func ask(_ target: String, _ take: @escaping @Sendable (HTTPResponse) -> Void) {
        guard let process, node.isAlive else { return }
        let request = HTTPRequest(method: .get, origin: WorldBuilder.notifierOrigin, target: target)
        node.serve {
            take(await process.api.handle(request, from: HTTPPeer(address: "scraper", connection: 0)))
        }
    }

    /// A connection of one's own to what the machine's disk holds.
    ///
    /// - Throws: `SQLiteError`.
    func inspectDisk() throws -> Database {
        try disk.openDatabase(named: "notifier")
    }

    func announce(_ title: String, to username: String) throws -> (devices: Int, isHeld: Bool)? {
        guard let announcement = Announcement(title: title, body: "") else {
            preconditionFailure("a title of a few words can be announced")
        }
        var announced: Maintenance.Announced?
        try asCommand {
            announced = try Maintenance.announce(
                announcement,
                to: username,
                in: disk.openDatabase(named: "notifier"),
                configuration,
                (clock, commandEntropy, SimulatedZones())
            )
        }
        guard let announced, announced.accounts > 0 else { return nil }
        return (announced.devices, announced.waiting > 0)
    }

    func exportIncident() throws -> [String] {
        let now = clock.wallNow
        let head = try IncidentHead(configuration, at: now).json
        var record: [String] = []
        try asCommand { record = try IncidentRecord.lines(of: inspectDisk(), zones: SimulatedZones(), at: now) }
        return [head] + record + (traffic?.lines ?? [])
    }

    func discardDisk() {
        disk.discard()
    }

    func startAgain() throws {
        crash()
        node = simulation.makeNode("notifier", clock: clock)
        try start()
    }
}

/// Lines that outlive the simulated process, as those in a file do.
private final class LineList: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock(\.self) }

    func append(_ line: String) { state.withLock { $0.append(line) } }
}

/// Marks that outlive the simulated process, as those in a file do.
private final class MemoryPollMarks: PollMarks {
    private let accounts = Mutex<Set<Int64>>([])

    func takeInterrupted() -> [Int64] {
        accounts.withLock { accounts in
            defer { accounts = [] }
            return accounts.sorted()
        }
    }

    func begin(_ account: Int64) { accounts.withLock { _ = $0.insert(account) } }
    func end(_ account: Int64) { accounts.withLock { _ = $0.remove(account) } }
}

/// What a command beside the process draws: nothing that anybody else draws from.
private final class CommandEntropy: EntropySource {
    private let stream = Mutex(RandomStream(seed: 1, stream: "command"))

    func nextUInt64() -> UInt64 { stream.withLock { $0.next() } }
}

/// Takes the notifier's log into the record and the trace.
private struct NodeLog: LogSink {
    let recorder: Recorder
    let node: Node
    let minimumLevel: LogLevel

    init(recorder: Recorder, node: Node) {
        (self.recorder, self.node) = (recorder, node)
        minimumLevel = recorder.readsEachStep ? .debug : .info
    }

    // A process that dies in the middle of a commit says no more, although the rest of the commit finds its disk gone.
    func write(_ entry: LogEntry) {
        guard node.isAlive else { return }
        // What comes with every request tells nothing that the network's record does not.
        guard entry.level >= .info else { return recorder.lookThrough(entry) }
        recorder.observe(entry, node: node.number)
    }
}
