import FoundationEssentials
import NotifierKit
import Synchronization
import Testing

@testable import TerminalClient

/// When a command waits for a server that asks for patience.
struct PatientTransportTests {
    private let exchange = Exchange()

    private func status(_ answers: [TransportResponse]) async throws -> Int {
        exchange.state.withLock { $0.answers = answers }
        let request = TransportRequest(method: "GET", server: try ServerAddress("http://127.0.0.1"), target: "/ping")
        return try await PatientTransport(transport: exchange, clock: exchange).send(request).status
    }

    private static func refused(after seconds: String?) -> TransportResponse {
        TransportResponse(status: 429, fields: seconds.map { [HeaderField("retry-after", $0)] } ?? [])
    }

    @Test func `a short pause is waited and the request sent again`() async throws {
        #expect(
            try await status([Self.refused(after: "1"), Self.refused(after: "5"), TransportResponse(status: 200)])
                == 200
        )
        #expect(exchange.pauses == [.seconds(1), .seconds(5)])
    }

    @Test(arguments: ["6", "600", "soon", nil]) func `a long pause, or none that is said, is the person's to wait`(
        _ pause: String?
    ) async throws {
        #expect(try await status([Self.refused(after: pause), TransportResponse(status: 200)]) == 429)
        #expect(exchange.pauses == [])
    }

    @Test func `other answers come at once, whatever they say of pauses`() async throws {
        let busy = TransportResponse(status: 503, fields: [HeaderField("Retry-After", "1")])
        #expect(try await status([busy, TransportResponse(status: 200)]) == 503)
        #expect(exchange.pauses == [])
    }

    @Test func `it gives up after so many`() async throws {
        let refusals = [TransportResponse](repeating: Self.refused(after: "1"), count: PatientTransport.mostAttempts)
        #expect(try await status(refusals + [TransportResponse(status: 200)]) == 429)
        #expect(exchange.pauses.count == PatientTransport.mostAttempts - 1)
    }

    @Test func `who interrupts does not wait`() async throws {
        exchange.state.withLock { $0.isInterrupted = true }
        await #expect(throws: TransportFailure.cancelled) {
            _ = try await status([Self.refused(after: "1"), TransportResponse(status: 200)])
        }
    }

    /// Answers from a list, and notes pauses without waiting.
    private final class Exchange: Transport, KitClock {
        let state = Mutex((answers: [TransportResponse](), pauses: [Duration](), isInterrupted: false))

        var now: Date { .distantPast }
        var pauses: [Duration] { state.withLock { $0.pauses } }

        func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
            state.withLock { $0.answers.removeFirst() }
        }

        func sleep(for duration: Duration) async throws {
            let isInterrupted = state.withLock { state in
                state.pauses.append(duration)
                return state.isInterrupted
            }
            if isInterrupted { throw CancellationError() }
        }
    }
}
