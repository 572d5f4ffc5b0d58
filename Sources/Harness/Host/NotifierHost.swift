package import FakeGitLab
package import HTTP
package import Platform
package import Scenarios
package import SimulatedStorage
package import Simulation

/// The machine the notifier runs on: its clock and disk, which outlive the process, and the process.
///
/// Isolation: used by the simulation's thread.
package protocol NotifierHost: AnyObject, Sendable {
    /// The machine's clock.
    var clock: NodeClock { get }

    /// The number of the present process in the trace.
    var nodeNumber: UInt32 { get }

    /// True while the process runs, stalled or not.
    var isRunning: Bool { get }

    /// Starts the process on what the disk holds.
    ///
    /// - Throws: `SQLiteError` when the disk keeps it from starting, `Maintenance.DatabaseFault` when it refuses its database, otherwise
    ///   `RunError.notifierRefused`.
    func start() throws

    /// Asks the process to end in order, as a terminating signal does.
    func stop()

    /// Ends the process where it stands.
    func crash()

    /// Takes the machine's power away, and the process with it; of what is not synced the disk keeps what `fate` says.
    func losePower(_ fate: UnsyncedWrites)

    /// Hears of each operation on the machine's disk before it is carried out; nil ends it. Never called where the disk is this
    /// machine's.
    func watchDisk(_ watcher: ((DiskOperation) -> Void)?)

    /// Nothing of the process runs for that long.
    func stall(for length: Duration)

    /// From now on the machine's disk answers with that fault; with nil it works again.
    func meet(_ fault: DiskFault?)

    /// From now on each piece of work on the database takes so long, in this process and in those that follow; with zero none takes any time.
    /// Never called where the disk is this machine's.
    func slowDisk(by delay: Duration)

    /// Spoils a block of the database, by chance. Nothing of the process may run. Never called where the disk is this machine's.
    func damageDisk()

    /// Makes a backup of the database, as the notifier's own command does beside the process that runs. Never called where the disk is
    /// this machine's.
    ///
    /// - Throws: `SQLiteError`, `BackupError`.
    func backUp(as name: String) throws

    /// Puts that backup in the place of the database, as the notifier's own command does. Nothing of the process may run.
    ///
    /// - Throws: `SQLiteError`, `BackupError`.
    func restore(_ name: String) throws

    /// A new process on the same machine; what is left of the former one is killed.
    ///
    /// - Throws: as `start` does.
    func startAgain() throws

    /// Asks the process for a page that anybody may read as a program on the same machine would, past every link. Never answered by a process
    /// that is down, and late by one that stalls.
    func ask(_ target: String, _ take: @escaping @Sendable (HTTPResponse) -> Void)

    /// Announces something to one person, as the notifier's own command does beside the process; nil where there is no such person. Never
    /// called where the database is this machine's.
    ///
    /// - Returns: on how many devices they are told, and whether that waits for the end of their quiet hours.
    /// - Throws: `SQLiteError`, `BackupError`.
    func announce(_ title: String, to username: String) throws -> (devices: Int, isHeld: Bool)?

    /// What the operator would send with an incident report now: lines of JSON. Only of a notifier that was asked to keep a record of
    /// it.
    ///
    /// - Throws: `SQLiteError` or `RunError` when it cannot be read.
    func exportIncident() throws -> [String]

    /// Gives back what the disk takes. Only when nothing of the notifier can run any more.
    func discardDisk()
}

extension NotifierHost {
    /// Asks for its metrics: `take` gets the page's text.
    func scrapeMetrics(_ take: @escaping @Sendable (String) -> Void) {
        ask("/metrics") { answer in
            guard answer.status == 200 else { return }
            take(String(decoding: answer.body, as: UTF8.self))
        }
    }
}

/// What a notifier is put into.
package struct NotifierSite {
    package var overrides: NotifierOverrides
    package var secrets: WorldSecrets
    package var simulation: Simulation
    package var apiLatency: QuantileTable
    package var recorder: Recorder
    /// Whether a record is kept for an incident report.
    var keepsIncident: Bool
}

/// What a world is made of besides its scenario: a simulated one of nothing but memory, a live one of sockets and processes.
package struct WorldParts {
    /// Where the notifier reaches GitLab.
    var gitlabOrigin: HTTPOrigin
    /// - Throws: `RunError.notifierRefused`.
    var makeNotifier: (NotifierSite) throws -> any NotifierHost
    /// Where GitLab's own hook goes.
    package var hook = Webhook(
        origin: WorldBuilder.webhookOrigin,
        target: "/webhooks/gitlab",
        secret: WorldSecrets.webhook
    )
    /// Who carries webhooks; nil for the simulated network.
    package var hookCourier: (any HookCourier)?
    /// How many pushes, requests and events of one device the fake APNs keeps for whoever asks; nil for as many as it does by itself. In a
    /// run that is judged nobody asks: a few are kept, and of a day of three hundred people not each payload.
    package var apnsLedgerLimit: Int? = 16

    /// The parts of a simulated world, but for those that are given.
    ///
    /// `makeNotifier` throws `RunError.notifierRefused`.
    package init(
        gitlabOrigin: HTTPOrigin = WorldBuilder.gitlabOrigin,
        makeNotifier: @escaping (NotifierSite) throws -> any NotifierHost = SimulatedNotifier.init
    ) {
        self.gitlabOrigin = gitlabOrigin
        self.makeNotifier = makeNotifier
    }
}
