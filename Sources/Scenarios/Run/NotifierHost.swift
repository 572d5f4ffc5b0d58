import FoundationEssentials
import HTTP
import Notifier
import Platform
import SQLite
import Simulation

/// The machine the notifier runs on: its clock and disk, which outlive the process, and the process.
///
/// Isolation: used by the simulation's thread.
final class NotifierHost: @unchecked Sendable {
    // @unchecked: touched only by the thread that runs the simulation.

    /// The machine's clock.
    let clock: NodeClock

    private let configuration: NotifierConfiguration
    let secrets: NotifierSecrets
    private let simulation: Simulation
    private let apiLatency: QuantileTable
    private let recorder: Recorder
    private let disk = MemoryDisk()
    private var node: Node
    private var process: Notifier?

    /// - Throws: `RunError.notifierRefused` for a configuration the notifier does not accept.
    init(
        overrides: NotifierOverrides,
        secrets: WorldSecrets,
        simulation: Simulation,
        apiLatency: QuantileTable,
        recorder: Recorder
    ) throws {
        do {
            configuration = try overrides.configuration()
        } catch {
            throw RunError.notifierRefused("\(error)")
        }
        self.secrets = secrets.notifier
        self.simulation = simulation
        self.apiLatency = apiLatency
        self.recorder = recorder
        node = simulation.makeNode("notifier")
        clock = node.clock
        recorder.requestsPerHour = configuration.requestsPerHour
    }

    /// The number of the present process in the trace.
    var nodeNumber: UInt32 { node.number }

    /// True while the process runs, stalled or not.
    var isRunning: Bool { node.isAlive }

    /// Starts the process on what the disk holds.
    ///
    /// - Throws: `RunError.notifierRefused`.
    func start() throws {
        do {
            let notifier = try Notifier(
                configuration: configuration,
                secrets: secrets,
                environment: NotifierEnvironment(
                    time: node.clock,
                    entropy: node.entropy,
                    http: simulation.network.client(for: node),
                    database: try disk.openDatabase(named: "notifier"),
                    storeExecutor: node.serialExecutor,
                    log: NodeLog(recorder: recorder, node: node.number),
                    timeZones: SimulatedZones()
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
                handler: notifier.api,
                on: node
            )
            process = notifier
            node.start { [recorder] in
                do {
                    try await notifier.run()
                } catch is CancellationError {
                    // Asked to stop.
                } catch {
                    recorder.notifierEnded("\(error)")
                }
            }
        } catch {
            throw RunError.notifierRefused("\(error)")
        }
    }

    /// Asks the process to end in order, as a terminating signal does.
    func stop() {
        process?.stop()
    }

    /// Ends the process where it stands.
    func crash() {
        node.crash()
        process = nil
    }

    /// Nothing of the process runs for that long.
    func stall(for length: Duration) {
        node.stall(for: length)
    }

    /// Asks the process for its metrics as a scraper on the same machine would, past every link: `take` gets the page's text. Never
    /// answered by a process that is down, and late by one that stalls.
    func scrapeMetrics(_ take: @escaping @Sendable (String) -> Void) {
        guard let process, node.isAlive else { return }
        let request = HTTPRequest(method: .get, origin: WorldBuilder.notifierOrigin, target: "/metrics")
        node.serve {
            let answer = await process.api.handle(request, from: HTTPPeer(address: "scraper", connection: 0))
            guard answer.status == 200 else { return }
            take(String(decoding: answer.body, as: UTF8.self))
        }
    }

    /// A connection of one's own to what the machine's disk holds.
    ///
    /// - Throws: `SQLiteError`.
    func inspectDisk() throws -> Database {
        try disk.openDatabase(named: "notifier")
    }

    /// Gives the memory of the disk back. Only when nothing of the notifier can run any more.
    func discardDisk() {
        disk.discard()
    }

    /// A new process on the same machine; what is left of the former one is killed.
    ///
    /// - Throws: `RunError.notifierRefused`.
    func startAgain() throws {
        node.crash()
        node = simulation.makeNode("notifier", clock: clock)
        try start()
    }
}

/// Takes the notifier's log into the record and the trace.
private struct NodeLog: LogSink {
    let recorder: Recorder
    let node: UInt32

    // Debug entries come with every request; they tell nothing that the network's record does not.
    var minimumLevel: LogLevel { .info }

    func write(_ entry: LogEntry) {
        recorder.observe(entry, node: node)
    }
}
