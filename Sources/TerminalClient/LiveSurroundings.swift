import FoundationEssentials
import Glibc
import KitHTTP
import KitSQLite
import Live
import NotifierKit
import Platform

extension TerminalProgram {
    /// The program as a person starts it. Make it before anything else starts a thread: it catches the signals that end `tail`.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environment: `XDG_STATE_HOME`, `HOME` and `NO_COLOR` count.
    package init(_ arguments: [String], environment: [String: String] = LiveVariables.all()) {
        let folder = LiveSurroundings.folder(environment)
        let clock = LiveSurroundings.Clock()
        let waits = arguments.first == "tail"
        let makeFolder: @Sendable () throws(KeyValueStoreError) -> Void = { () throws(KeyValueStoreError) in
            do throws(LivePrivateFile.Failure) {
                try LivePrivateFile.makeFolder(folder)
            } catch {
                throw KeyValueStoreError(error.text)
            }
        }
        // Every other command ends where it stands.
        let signals = waits ? LiveSignalStream() : nil
        if !waits { signal(SIGPIPE, SIG_IGN) }
        self.init(
            arguments,
            Surroundings(
                console: LiveConsole(refusesColour: !(environment["NO_COLOR"] ?? "").isEmpty),
                clock: clock,
                chance: LiveSurroundings.Chance(),
                keys: LiveKeyFiles(folder: folder, clock: clock),
                store: StateDatabase(path: "\(folder)/state.db", prepare: makeFolder),
                localStore: SQLiteLocalStore(path: "\(folder)/sync.db", prepare: makeFolder),
                transport: { authority in
                    let http = LiveHTTPClient(http2Origins: [], authorityFile: authority)
                    return PatientTransport(transport: HTTPTransport(http: http), clock: clock)
                },
                claim: { name throws(TerminalError) in try LiveSurroundings.claim(name, in: folder) },
                interruption: {
                    guard let signals else { return }
                    for await request in signals.requests where request == .stop { return }
                }
            )
        )
    }
}

/// What of this machine the program uses.
enum LiveSurroundings {
    struct Clock: KitClock {
        private let time = LiveTime()

        var now: Date { Date(timeIntervalSince1970: Double(time.wallNow.microseconds) / 1_000_000) }

        func sleep(for duration: Duration) async throws { try await time.sleep(for: duration) }
    }

    struct Chance: ChanceSource {
        func next() async -> Double { Double(LiveEntropy().nextUInt64() >> 11) / 9_007_199_254_740_992 }
    }

    /// Where sign-in and state are kept (XDG Base Directory Specification).
    static func folder(_ environment: [String: String]) -> String {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/gitlab-notify" }
        return "\(environment["HOME"] ?? "/")/.local/state/gitlab-notify"
    }

    /// The path from the root: the program may be started elsewhere next time.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    static func claim(_ name: String, in folder: String) throws(TerminalError) -> Terminal.Claim? {
        do throws(LivePrivateFile.Failure) {
            // Before the first sign-in there is none.
            try LivePrivateFile.makeFolder(folder)
            guard let descriptor = try LivePrivateFile.lock("\(folder)/\(name).lock") else { return nil }
            return Terminal.Claim { LivePrivateFile.unlock(descriptor) }
        } catch {
            throw TerminalError(.failed, "state_not_kept", error.text)
        }
    }
}
