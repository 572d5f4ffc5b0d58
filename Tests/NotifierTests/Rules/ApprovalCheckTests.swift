import FoundationEssentials
import Platform
import Testing

@testable import Notifier

private func makeAnswer(_ people: Int64...) -> ApprovalsResponse {
    ApprovalsResponse(people.map { .init(user: UserRow(id: $0, username: "user\($0)", name: "User \($0)")) })
}

extension ApprovalsResponse {
    fileprivate init(_ entries: [Entry]) {
        self.init(entries: entries)
    }
}

/// GitLab facts §11.1, trap 15.
struct ApprovalCheckTests {
    /// The appearances of each answer, as person and time.
    private func appearances(_ answers: [ApprovalsResponse]) -> [[String]] {
        var check = ApprovalCheck()
        return answers.map { answer in
            let result = check.read(answer)
            check = ApprovalCheck(known: result.known, isRead: true)
            return result.appeared.map { "\($0.entry.user.id) \($0.times)" }
        }
    }

    @Test func `what was told before the watch began is counted on`() {
        let told = [
            KnownApproval(person: 8, isListed: false, times: 3), KnownApproval(person: 9, isListed: false, times: 1),
        ]
        let known = ApprovalCheck.beginning(with: [8, 7], after: told)
        #expect(
            known == [
                KnownApproval(person: 8, isListed: true, times: 3), KnownApproval(person: 9, isListed: false, times: 1),
                KnownApproval(person: 7, isListed: true, times: 1),
            ]
        )
        let result = ApprovalCheck(known: known, isRead: true).read(makeAnswer(7, 8, 9))
        #expect(result.appeared.map(\.times) == [2])
    }

    @Test func `only an appearance is news, and nothing of the first look`() {
        #expect(appearances([makeAnswer(9), makeAnswer(9), makeAnswer(9, 8)]) == [[], [], ["8 1"]])
    }

    @Test func `what notes tell is what the list is to show`() {
        let known = [
            KnownApproval(person: 8, isListed: true, times: 1), KnownApproval(person: 9, isListed: false, times: 2),
        ]
        let check = ApprovalCheck(known: known, isRead: true)
        func told(_ notes: [(Int64, Bool)]) -> [String] {
            check.taking(notes.map { ToldApproval(person: $0.0, isGiven: $0.1) }).known
                .map { "\($0.person) \($0.isListed) \($0.times)" }
        }
        #expect(told([]) == ["8 true 1", "9 false 2"])
        #expect(told([(8, true), (9, true)]) == ["8 true 1", "9 true 3"])
        #expect(told([(8, false), (7, true)]) == ["8 false 1", "9 false 2", "7 true 1"])
        #expect(told([(7, true), (7, false), (6, false)]) == ["8 true 1", "9 false 2", "7 false 1"])
    }

    @Test func `a reset is no news, and approving again is`() {
        #expect(appearances([makeAnswer(), makeAnswer(9), makeAnswer(), makeAnswer(9)]) == [[], ["9 1"], [], ["9 2"]])
    }

    @Test(arguments: [
        (#"{"approved":true,"approved_by":[{"user":{"id":9,"username":"ben","name":"Ben"}}]}"#, false),
        (
            #"{"id":1,"iid":3,"approved_by":[{"user":{"id":9,"username":"ben","name":"Ben"},"#
                + #""approved_at":"2027-01-15T08:00:00.000Z"}],"approvals_left":0}"#, true
        ),
    ])
    func `the bodies of both editions are read`(json: String, tellsTime: Bool) throws {
        let answer = try JSONDecoder().decode(ApprovalsResponse.self, from: Data(json.utf8))
        #expect(answer.entries.map(\.user.id) == [9])
        #expect((answer.entries.first?.approvedAt != nil) == tellsTime)
    }

    @Test func `what a look shows first was given since the look before, by whatever GitLab's clock showed at either`()
    {
        func look(after minutes: Int, clockAhead: Int = 0) -> ApprovalsLook {
            ApprovalsLook(
                at: MonotonicInstant(nanoseconds: 0).advanced(by: .minutes(minutes)),
                gitlabTime: WallTime(secondsSinceEpoch: 1_800_000_000).advanced(by: .minutes(minutes + clockAhead))
            )
        }
        let before = look(after: 0)
        #expect(look(after: 15).earliestNews(after: before) == before.gitlabTime)
        #expect(look(after: 15, clockAhead: 45).earliestNews(after: before) == before.gitlabTime)
        #expect(
            look(after: 15, clockAhead: -45).earliestNews(after: before) == look(after: 0, clockAhead: -45).gitlabTime
        )
        // A clock that was set back by two days, and a look that is two days old: a day before the new one at most.
        let late = look(after: 48 * 60, clockAhead: -50 * 60)
        #expect(late.earliestNews(after: before) == late.gitlabTime.advanced(by: .hours(-24)))
        #expect(look(after: 15).earliestNews(after: nil) == look(after: 15 - 24 * 60).gitlabTime)
    }
}
