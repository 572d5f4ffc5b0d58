import Crypto
import HTTP
import Testing

@testable import Notifier

struct ListReaderTests {
    /// Gives one empty page of so many bytes.
    private struct Padded: HTTPClient {
        var bytes: Int

        func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
            .response(makeJSON(200, "[" + String(repeating: " ", count: bytes - 2) + "]"))
        }
    }

    @Test(arguments: [(2, 0), (262_144, 0), (262_145, 1), (2_621_440, 9)])
    func `a large page costs its account more than one request`(bytes: Int, extra: Int) async throws {
        let time = ManualTime()
        let gate = RequestGate(budget: RequestBudget(limitPerHour: 1_000, now: time.monotonicNow), time: time)
        let client = GitLabClient(
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            credential: .personalAccessToken(Secret("glpat-1")),
            http: Padded(bytes: bytes)
        )
        let reader = ListReader(client: client, gate: gate)
        gate.openCycle(patience: 0)
        _ = try await reader.read(client.list(.todos), by: TodosScan(), known: IDSet(), memory: nil)
        // A hundred at once.
        for _ in 0..<(99 - extra) { try await gate.admit() }
        #expect(gate.count.waits == 0)
        // Cancelled at once: it is counted before it waits.
        let next = Task { try? await gate.admit() }
        next.cancel()
        _ = await next.value
        #expect(gate.count.waits == 1)
    }
}
