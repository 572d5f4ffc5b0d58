import FoundationEssentials
import KitSQLite
import Live
import Platform
import Synchronization

@testable import NotifierKit
@testable import TerminalClient

/// A machine on which commands run one after the other, each as a process of its own that finds what the one before has kept.
final class TestMachine: Sendable {
    /// What a command left behind.
    struct Outcome: Equatable {
        var status: Int32
        var printed: String
        var noted: String
    }

    let clock = Clock()
    private let keys = MemoryKeyStore()
    private let store = MemoryKeyValueStore()
    private let path = FileManager.default.temporaryDirectory.path + "/terminal-\(LiveEntropy().uuidString()).db"
    private let server: any Transport
    /// Whether a `tail` runs beside the commands.
    let hasTail = Mutex(false)

    /// Signed in at `server`.
    init(_ server: any Transport) async throws {
        self.server = server
        let credentials = Credentials(
            server: try ServerAddress("https://notifier.example.com"),
            token: "token",
            refreshToken: "refresh",
            expiresAt: .distantFuture
        )
        try await CredentialStore(keys).write(credentials)
    }

    deinit { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }

    func run(_ arguments: String...) async -> Outcome { await run(arguments) }

    func run(_ arguments: [String]) async -> Outcome {
        let console = Page()
        let program = TerminalProgram(
            arguments,
            TerminalProgram.Surroundings(
                console: console,
                clock: clock,
                chance: LiveSurroundings.Chance(),
                keys: keys,
                store: store,
                localStore: SQLiteLocalStore(path: path),
                transport: { [server] _ in server },
                claim: { [self] _ in hasTail.withLock { $0 } ? nil : Terminal.Claim(release: {}) },
                interruption: {}
            )
        )
        let status = await program.run()
        return console.text.withLock { Outcome(status: status, printed: $0.printed, noted: $0.noted) }
    }

    /// Stands until it is moved.
    final class Clock: KitClock {
        private static let start: Date = .init(timeIntervalSince1970: 1_772_442_000)
        private let instant = Mutex(start)

        /// 2026-03-02T09:00:00Z at first.
        var now: Date { instant.withLock { $0 } }

        func advance(by seconds: Double) { instant.withLock { $0 += seconds } }

        func sleep(for duration: Duration) async throws {}
    }

    private final class Page: Console {
        let text = Mutex((printed: "", noted: ""))

        var usesColour: Bool { false }

        func print(_ text: String) { self.text.withLock { $0.printed += text } }

        func note(_ text: String) { self.text.withLock { $0.noted += text } }

        func askSecret(_ question: String) -> String? { nil }

        func readFile(_ path: String) throws(TerminalError) -> String { throw .usage("there are no files here") }
    }
}
