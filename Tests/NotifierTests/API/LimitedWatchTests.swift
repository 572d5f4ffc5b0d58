import FoundationEssentials
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
    private func watch(chosenAt time: String?) throws -> Int {
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
        let instant = time.map { #", "changedAt": "\#($0)""# } ?? ""
        let body = #"{"projectId": 42, "itemType": "merge_request", "itemIid": 847\#(instant)}"#
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

    @Test(arguments: [("2026-03-03T08:00:00Z", true), (nil, false)] as [(String?, Bool)])
    func `so does one whose clock is ahead, and none that does not say when it was chosen`(
        time: String?,
        goesOn: Bool
    ) throws {
        var statuses: [Int] = []
        for _ in 1...3 {
            statuses.append(try watch(chosenAt: time))
            bench.world.advance(by: .seconds(5))
        }
        #expect(statuses.map { $0 == 201 } == [false, false, goesOn])
    }

    @Test func `of too many that goes which was kept first`() throws {
        let json = #"{"iid":847,"project_id":42,"title":"Auth refactor","state":"opened"}"#
        var progress = BaselineProgress()
        progress.details = try JSONDecoder().decode(ItemDetails.self, from: Data(json.utf8))
        let (watches, now) = (BegunWatches(), MonotonicInstant(nanoseconds: 0))
        let choices = (0...BegunWatches.limit).map { number in
            BegunWatches.Choice(
                account: AccountID(rawValue: 1),
                gitlabUserID: 7,
                item: ItemReference(project: ProjectID(rawValue: 42), kind: .mergeRequest, iid: 847),
                saidAt: WallTime(secondsSinceEpoch: Int64(number))
            )
        }
        for choice in choices { watches.keep(progress, for: choice, at: now) }
        #expect(watches.take(choices[0], at: now).details == nil)
        #expect(watches.take(choices[1], at: now).details != nil)
        #expect(watches.take(choices[BegunWatches.limit], at: now).details != nil)
    }
}
