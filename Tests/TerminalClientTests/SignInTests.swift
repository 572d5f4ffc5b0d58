import NotifierKit
import Synchronization
import Testing

@testable import TerminalClient

/// `login` and `logout`.
struct SignInTests {
    @Test(arguments: [["logout"], ["login", "https://notifier.example.com", "--code", "K7M2QX"]])
    func `while a tail runs nobody signs in or out`(arguments: [String]) async throws {
        let server = DutyServer()
        let machine = try await TestMachine(server)
        machine.hasTail.withLock { $0 = true }
        let outcome = await machine.run(arguments)
        #expect(outcome.status == 1 && outcome.noted.contains("[tail_runs]"), "\(outcome)")
        #expect(server.lines.isEmpty)
        machine.hasTail.withLock { $0 = false }
        #expect(await machine.run(arguments).noted.contains("[tail_runs]") == false)
    }
}
