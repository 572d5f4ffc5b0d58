import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)

private func account(_ id: Int64) -> AccountID { AccountID(rawValue: id) }

/// Sends what may go, each for as long as it takes; tells what went and when.
private struct Traffic {
    var budget: InstanceBudget
    var now = start
    var sent: [(ticket: InstanceBudget.Ticket, at: MonotonicInstant)] = []

    init(perSecond: Int, atATime: Int = 1_000) {
        budget = InstanceBudget(InstanceBudget.Limits(perSecond: perSecond, atATime: atATime), now: start)
    }

    mutating func ask(_ id: Int64, _ urgency: RequestUrgency = .news, times: Int = 1) {
        for _ in 0..<times { _ = budget.enter(account(id), urgency, since: now) }
    }

    /// Lets `duration` pass; every request is answered at once, and `refill` asks for the next.
    mutating func run(for duration: Duration, refill: ((inout Traffic, InstanceBudget.Ticket) -> Void)? = nil) {
        let end = now.advanced(by: duration)
        while true {
            let grants = budget.grants(at: now)
            for ticket in grants.tickets {
                sent.append((ticket, now))
                budget.leave(ticket, InstanceStrain.Answer(took: .milliseconds(40)), at: now)
                refill?(&self, ticket)
            }
            if !grants.tickets.isEmpty { continue }
            guard let wakeAt = grants.wakeAt, wakeAt <= end else { break }
            now = wakeAt
        }
        now = end
    }

    func count(_ id: Int64) -> Int { sent.count { $0.ticket.account == account(id) } }
    func count(_ urgency: RequestUrgency) -> Int { sent.count { $0.ticket.urgency == urgency } }
}

struct InstanceBudgetTests {
    @Test func `what the rate allows goes at once, the rest evenly`() {
        var traffic = Traffic(perSecond: 2)
        traffic.ask(1, times: 14)
        traffic.run(for: .zero)
        // Five seconds' worth.
        #expect(traffic.sent.count == 10)
        traffic.run(for: .milliseconds(1_499))
        #expect(traffic.sent.count == 12)
        traffic.run(for: .milliseconds(501))
        #expect(traffic.sent.count == 14)
    }

    @Test(arguments: [1, 7, 20]) func `in no minute more go than the rate and five seconds' worth`(perSecond: Int) {
        var traffic = Traffic(perSecond: perSecond)
        for id in 1...5 { traffic.ask(Int64(id)) }
        traffic.run(for: .minutes(5)) { traffic, ticket in traffic.ask(ticket.account?.rawValue ?? 0) }
        let instants = traffic.sent.map(\.at)
        for first in instants.indices {
            let end = instants[first].advanced(by: .minutes(1))
            #expect(instants[first...].prefix { $0 < end }.count <= 65 * perSecond)
        }
        #expect(instants.count >= 300 * perSecond)
    }

    @Test func `only so many are under way, and the end of one lets the next go`() {
        var budget = InstanceBudget(InstanceBudget.Limits(perSecond: 100, atATime: 2), now: start)
        let tickets = (1...3).map { budget.enter(account($0), .news, since: start) }
        let first = budget.grants(at: start)
        #expect(first == InstanceBudget.Grants(tickets: Array(tickets.prefix(2))))
        let later = budget.grants(at: start.advanced(by: .hours(1)))
        #expect(later == InstanceBudget.Grants())
        budget.leave(tickets[1], InstanceStrain.Answer(took: .zero), at: start)
        let last = budget.grants(at: start)
        #expect(last.tickets == [tickets[2]])
    }

    @Test func `of calls that began at the same instant one comes to its end before another goes on`() {
        var budget = InstanceBudget(InstanceBudget.Limits(perSecond: 100, atATime: 1), now: start)
        for id in Int64(1)...3 { _ = budget.enter(account(id), .person, since: start) }
        var sent: [Int64] = []
        while let ticket = budget.grants(at: start).tickets.first, let id = ticket.account?.rawValue {
            budget.leave(ticket, InstanceStrain.Answer(took: .zero), at: start)
            let isFirst = !sent.contains(id)
            sent.append(id)
            if isFirst { _ = budget.enter(account(id), .person, since: start) }
        }
        #expect(sent == [3, 3, 2, 2, 1, 1])
    }

    @Test func `who gives up takes no turn, and who was let go has to leave`() {
        var budget = InstanceBudget(InstanceBudget.Limits(perSecond: 100, atATime: 1), now: start)
        let tickets = (1...3).map { budget.enter(account($0), .news, since: start) }
        let first = budget.grants(at: start)
        #expect(first.tickets == [tickets[0]])
        let givenUp = [budget.giveUp(tickets[0]), budget.giveUp(tickets[1])]
        #expect(givenUp == [false, true])
        budget.leave(tickets[0], InstanceStrain.Answer(took: .zero), at: start)
        let last = budget.grants(at: start)
        #expect(last.tickets == [tickets[2]])
    }

    @Test func `who is not needed when their turn comes takes nothing of the rate, nor of what their account has had`()
    {
        var budget = InstanceBudget(InstanceBudget.Limits(perSecond: 1, atATime: 100), now: start)
        let first = (1...5).map { budget.enter(account($0), .news, since: start) }
        let granted = budget.grants(at: start)
        #expect(granted.tickets == first && granted.spared == [])
        let queue = (6...40).map { budget.enter(account($0), .news, since: start) }
        let early = budget.grants(at: start) { _ in false }
        // Whether they are needed is asked when it is their turn and not before.
        #expect(early.tickets == [] && early.spared == [] && early.wakeAt == start.advanced(by: .seconds(1)))
        let later = budget.grants(at: start.advanced(by: .seconds(1))) { $0 == queue[0] || $0 == queue[34] }
        #expect(later.tickets == [queue[0]] && later.spared == [])
        let last = budget.grants(at: start.advanced(by: .seconds(2))) { $0 == queue[34] }
        #expect(last.tickets == [queue[34]] && last.spared == Array(queue[1..<34]) && last.wakeAt == nil)
    }

    @Test func `who asks little goes before who asks much, however much that is`() {
        var traffic = Traffic(perSecond: 1)
        traffic.ask(1, times: 100)
        traffic.run(for: .seconds(30))
        traffic.ask(2, times: 2)
        let before = traffic.sent.count
        traffic.run(for: .seconds(2))
        #expect(traffic.sent[before...].map { $0.ticket.account } == [account(2), account(2)])
    }

    @Test func `who always asks gets as much as everybody else who does`() {
        var traffic = Traffic(perSecond: 10)
        // One with fifty requests at a time, nine with one.
        traffic.ask(1, times: 50)
        for id in 2...10 { traffic.ask(Int64(id)) }
        traffic.run(for: .minutes(10)) { traffic, ticket in traffic.ask(ticket.account?.rawValue ?? 0) }
        let counts = (1...10).map { traffic.count(Int64($0)) }
        #expect(counts.allSatisfy { $0 > 540 && $0 < 660 }, "\(counts)")
    }

    @Test func `who has asked for an hour does not wait behind who comes then`() {
        var traffic = Traffic(perSecond: 2)
        traffic.ask(1, times: 4)
        traffic.run(for: .hours(1)) { traffic, ticket in traffic.ask(ticket.account?.rawValue ?? 0) }
        let before = traffic.count(1)
        traffic.ask(2, times: 4)
        traffic.run(for: .minutes(10)) { traffic, ticket in traffic.ask(ticket.account?.rawValue ?? 0) }
        #expect(traffic.count(1) - before > 400, "\(traffic.count(1) - before), and \(traffic.count(2)) of the other")
    }

    @Test func `the more urgent goes first, and nothing waits for ever`() {
        var traffic = Traffic(perSecond: 1)
        traffic.ask(9, times: 5)
        traffic.run(for: .zero)
        let before = traffic.sent.count
        for _ in 0..<10 {
            for (id, urgency) in RequestUrgency.allCases.enumerated() { traffic.ask(Int64(id), urgency) }
        }
        traffic.run(for: .seconds(10))
        #expect(
            traffic.sent[before...].map(\.ticket.urgency) == [
                .person, .news, .person, .news, .rounds, .person, .news, .person, .news, .rounds,
            ]
        )
    }

    @Test func `of what somebody waits for, the call that began first comes to its end first`() {
        var traffic = Traffic(perSecond: 1)
        traffic.ask(9, times: 5)
        traffic.run(for: .zero)
        let begun = traffic.now
        traffic.now = begun.advanced(by: .milliseconds(10))
        _ = traffic.budget.enter(account(2), .person, since: traffic.now)
        // The first call's second request.
        _ = traffic.budget.enter(account(1), .person, since: begun)
        traffic.run(for: .seconds(3))
        #expect(traffic.sent.suffix(2).map(\.ticket.account) == [account(1), account(2)])
    }

    @Test func `a turn that nobody of its urgency wants goes to the most urgent`() {
        var traffic = Traffic(perSecond: 1)
        traffic.ask(9, times: 5)
        traffic.run(for: .zero)
        traffic.ask(1, .rounds)
        traffic.ask(2, .news, times: 4)
        traffic.run(for: .seconds(5))
        #expect(traffic.sent.suffix(5).map(\.ticket.urgency) == [.news, .news, .news, .news, .rounds])
    }
}

struct InstanceStrainTests {
    private func at(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }
    private let limited = InstanceStrain.Answer(took: .milliseconds(5), isLimited: true)

    @Test func `a limit of one person is that person's, of two it is the instance's`() {
        var strain = InstanceStrain(atATime: 8)
        for second in 0..<50 { strain.take(limited, of: account(1), at: at(second)) }
        #expect(!strain.isNarrowed)
        strain.take(limited, of: account(2), at: at(50))
        #expect(strain.isNarrowed && strain.pacePermille == 500)
    }

    @Test func `two limits that lie apart are two people's`() {
        var strain = InstanceStrain(atATime: 8)
        strain.take(limited, of: account(1), at: at(0))
        strain.take(limited, of: account(2), at: at(60))
        #expect(!strain.isNarrowed)
    }

    @Test func `it narrows step by step to a twentieth, and widens again to all`() {
        var strain = InstanceStrain(atATime: 8)
        for second in 0..<100 {
            strain.take(limited, of: account(Int64(second % 2)), at: at(second))
        }
        #expect(strain.pacePermille == 50)
        var seconds = 100
        while strain.isNarrowed, seconds < 1_000 {
            strain.recover(at: at(seconds))
            seconds += 1
        }
        // Fifty thousandths every ten seconds.
        #expect(strain.pacePermille == 1_000 && (280...300).contains(seconds), "\(seconds)")
    }

    @Test func `answers that become slow mean fewer at a time, until they are fast again`() {
        var strain = InstanceStrain(atATime: 8)
        for _ in 0..<100 {
            strain.take(InstanceStrain.Answer(took: .milliseconds(200)), of: account(1), at: at(0))
        }
        for second in 0..<60 {
            strain.take(InstanceStrain.Answer(took: .seconds(8)), of: account(1), at: at(second))
        }
        #expect(strain.atATime == 1)
        for second in 60..<160 {
            strain.take(InstanceStrain.Answer(took: .milliseconds(200)), of: account(1), at: at(second))
            strain.recover(at: at(second))
        }
        #expect(strain.atATime == 8)
    }

    @Test func `what is always slow, and what is not answered, narrows nothing`() {
        var strain = InstanceStrain(atATime: 8)
        for second in 0..<100 {
            strain.take(InstanceStrain.Answer(took: .seconds(8)), of: account(1), at: at(second))
            strain.take(InstanceStrain.Answer(took: .seconds(30), isAnswered: false), of: account(1), at: at(second))
        }
        #expect(!strain.isNarrowed)
    }
}
