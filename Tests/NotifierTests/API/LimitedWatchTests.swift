import HTTP
import Platform
import Synchronization
import Testing

@testable import Notifier

/// Watches that apps ask for while a limit of GitLab's lets through one request at a time.
struct LimitedWatchTests {
    private let bench: ServerBench
    private let session: String

    init() throws {
        bench = try ServerBench()
        session = try bench.register()
    }

    /// Asks for a watch that was chosen at `time`, where GitLab answers one request about its project.
    private func watch(chosenAt time: String) throws -> Int {
        let single = ServerBench.singleObjects()
        let left = Mutex(1)
        bench.gitlab.trouble { request in
            guard request.path.hasPrefix("/api/v4/projects/42/") else { return single(request) }
            let isAnswered = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isAnswered ? single(request) : .response(makeText(429, "Retry later", [("Retry-After", "2")]))
        }
        let body = """
            {"projectId": 42, "itemType": "merge_request", "itemIid": 847, "changedAt": "\(time)"}
            """
        return try bench.call(.post, "/watch", body, session: session).status
    }

    @Test func `an app that asks again goes on where a limit has ended the reading`() throws {
        let statuses = try (1...3).map { _ in try watch(chosenAt: "2026-03-02T08:00:00Z") }
        #expect(statuses.map { $0 == 201 } == [false, false, true])
    }

    @Test func `another choice begins from the beginning`() throws {
        for _ in 1...2 { #expect(try watch(chosenAt: "2026-03-02T08:00:00Z") != 201) }
        let statuses = try (1...3).map { _ in try watch(chosenAt: "2026-03-02T08:01:00Z") }
        #expect(statuses.map { $0 == 201 } == [false, false, true])
    }
}
