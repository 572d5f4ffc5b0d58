import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)

private func at(_ seconds: Int64) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

struct SweepProgressTests {
    private let server = WallTime(secondsSinceEpoch: 10_000)

    private func answer(
        _ progress: inout SweepProgress,
        _ question: SweepProgress.Question,
        serverTime: WallTime?,
        at now: MonotonicInstant
    ) {
        progress.take(answerTo: question, serverTime: serverTime, overlap: .minutes(5), at: now, next: .minutes(4))
    }

    @Test func `everything is asked first and then every few minutes, changes in between`() {
        var progress = SweepProgress()
        #expect(progress.question(at: start) == .everything)
        answer(&progress, .everything, serverTime: server, at: start)
        let since = server.advanced(by: .minutes(-5))
        #expect(progress.question(at: at(30)) == .changes(since: since))
        answer(&progress, .changes(since: since), serverTime: server.advanced(by: .seconds(30)), at: at(30))
        #expect(progress.question(at: at(210)) == .changes(since: since))
        #expect(progress.question(at: at(240)) == .everything)
    }

    @Test func `everything may be left to others once as long again, and not after a failure`() {
        var progress = SweepProgress()
        #expect(!progress.mayLeaveEverything(at: start, admittedAt: start))
        answer(&progress, .everything, serverTime: server, at: start)
        #expect(progress.mayLeaveEverything(at: at(479), admittedAt: nil))
        #expect(!progress.mayLeaveEverything(at: at(480), admittedAt: nil))
        // What changes between says nothing of everything.
        answer(&progress, .changes(since: server), serverTime: server, at: at(470))
        #expect(!progress.mayLeaveEverything(at: at(480), admittedAt: nil))
        progress.takeFailure(at: at(300), pace: .seconds(60))
        #expect(!progress.mayLeaveEverything(at: at(310), admittedAt: at(300)))
    }

    @Test
    func
        `everything may be left to others for longer by who is shown what only those see who may see it, an hour at most`()
    {
        var progress = SweepProgress()
        answer(&progress, .everything, serverTime: server, at: start)
        #expect(progress.mayLeaveEverything(at: at(779), admittedAt: at(300)))
        #expect(!progress.mayLeaveEverything(at: at(780), admittedAt: at(300)))
        // What was shown before says nothing more.
        #expect(progress.mayLeaveEverything(at: at(479), admittedAt: at(-300)))
        #expect(progress.mayLeaveEverything(at: at(3_599), admittedAt: at(3_590)))
        #expect(!progress.mayLeaveEverything(at: at(3_600), admittedAt: at(3_590)))
        answer(&progress, .everything, serverTime: server, at: at(3_600))
        #expect(progress.mayLeaveEverything(at: at(4_000), admittedAt: at(3_590)))
    }

    @Test func `merge requests are seen as a whole, and issues one by one`() {
        let project = ProjectID(rawValue: 1)
        #expect(SweepScope(project: project, kind: .mergeRequest, iids: [1]).isSeenAsAWhole)
        #expect(!SweepScope(project: project, kind: .issue, iids: [1]).isSeenAsAWhole)
    }

    @Test func `trap 8: the bound comes from the server's clock or not at all`() {
        var progress = SweepProgress()
        answer(&progress, .everything, serverTime: nil, at: start)
        #expect(progress.question(at: at(30)) == .everything)
    }

    @Test func `everything is asked when the server's clock was set back behind the bound`() {
        var progress = SweepProgress()
        answer(&progress, .everything, serverTime: server, at: start)
        let since = server.advanced(by: .minutes(-5))
        answer(&progress, .changes(since: since), serverTime: since, at: at(30))
        #expect(progress.question(at: at(60)) == .changes(since: since))
        answer(&progress, .changes(since: since), serverTime: server.advanced(by: .minutes(-45)), at: at(60))
        #expect(progress.question(at: at(90)) == .everything)
    }

    @Test func `an unchanged answer about everything leaves the bound where it is`() {
        var progress = SweepProgress()
        answer(&progress, .everything, serverTime: server, at: start)
        answer(&progress, .everything, serverTime: nil, at: at(240))
        #expect(progress.question(at: at(270)) == .changes(since: server.advanced(by: .minutes(-5))))
    }

    @Test func `after a failure everything is asked, and one that goes on failing is left out longer and longer`() {
        var progress = SweepProgress()
        answer(&progress, .everything, serverTime: server, at: start)
        progress.takeFailure(at: start, pace: .seconds(60))
        #expect(!progress.isAnswered)
        #expect(progress.question(at: start) == .everything)
        var pauses: [Int64] = []
        for _ in 0..<6 {
            progress.takeFailure(at: start, pace: .seconds(60))
            pauses.append((0...700).first { progress.question(at: at($0)) != nil } ?? -1)
        }
        #expect(pauses == [60, 120, 240, 480, 600, 600])
        progress.forgive()
        #expect(progress.question(at: start) == .everything)
        answer(&progress, .everything, serverTime: server, at: start)
        #expect(progress.isAnswered)
    }
}
