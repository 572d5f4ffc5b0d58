import Platform
import Testing

@testable import Notifier

private func account(_ number: Int64) -> AccountID { AccountID(rawValue: number) }

struct ResponseRoomTests {
    @Test func `who is alone has a quarter of the room`() {
        var room = ResponseRoom(capacity: 1_000)
        let taken = [250, 1, .max].map { room.take($0, for: account(1)) }
        #expect(taken == [true, false, false])
        room.giveBack(20, of: account(1))
        let again = room.take(20, for: account(1))
        #expect(again && room.held == 250)
    }

    @Test(arguments: [true, false])
    func `however many take all they can get, the next one finds room for a small page`(oneByOne: Bool) {
        var room = ResponseRoom(capacity: 12_800_000)
        var greedy = (1...60).map { account($0) }
        if oneByOne {
            for hog in greedy { while room.take(1_000, for: hog) {} }
        } else {
            while !greedy.isEmpty { greedy.removeAll { !room.take(1_000, for: $0) } }
        }
        let small = room.take(100_000, for: nil)
        #expect(small && room.held <= room.capacity)
    }

    @Test func `room that was given back is there for others`() {
        var room = ResponseRoom(capacity: 1_000)
        let first = [room.take(200, for: account(1)), room.take(100, for: nil), room.take(150, for: account(2))]
        #expect(first == [true, true, false])
        room.giveBack(200, of: account(1))
        let second = room.take(150, for: account(2))
        #expect(second)
        room.giveBack(100, of: nil)
        room.giveBack(150, of: account(2))
        #expect(room.held == 0)
    }
}

struct ResponseTurnsTests {
    private func second(_ number: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: number * 1_000_000_000) }

    @Test func `one at a time, in the order of arrival`() {
        var turns = ResponseTurns()
        let numbers = [turns.join(account(1)), turns.join(account(2)), turns.join(nil)]
        #expect(turns.begin(at: second(0)) == numbers[0])
        #expect(turns.begin(at: second(0)) == nil)
        #expect(turns.current == numbers[0])
        turns.leave(numbers[1], at: second(1))
        turns.leave(numbers[0], at: second(1))
        #expect(turns.begin(at: second(1)) == numbers[2])
        turns.leave(numbers[2], at: second(2))
        turns.leave(numbers[2], at: second(2))
        #expect(turns.begin(at: second(2)) == nil && turns.current == nil)
    }

    @Test func `who has had little time goes before those who have had much, until that is long ago`() {
        var turns = ResponseTurns()
        let first = turns.join(account(1))
        #expect(turns.begin(at: second(0)) == first)
        let again = turns.join(account(1))
        let newcomer = turns.join(account(2))
        turns.leave(first, at: second(10))
        #expect(turns.begin(at: second(10)) == newcomer)
        let quick = turns.join(account(2))
        turns.leave(newcomer, at: second(11))
        #expect(turns.begin(at: second(11)) == quick)
        turns.leave(quick, at: second(12))
        #expect(turns.begin(at: second(12)) == again)
        turns.leave(again, at: second(13))
        let late = [turns.join(account(1)), turns.join(account(2))]
        #expect(turns.begin(at: second(13 + 900)) == late[0])
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ResponseBudgetTests {
    private let time = ManualTime()

    @Test func `an allowance gives back what it holds when nobody refers to it any more`() {
        let budget = ResponseBudget(time: time, sharedBytes: 200)
        do {
            let allowance = budget.allowance(for: account(1))
            #expect(allowance.take(30) && allowance.take(20) && !allowance.take(1))
            #expect(allowance.wasRefused && budget.heldBytes == 50)
        }
        #expect(budget.heldBytes == 0)
        let kept = budget.allowance(for: account(1))
        #expect(kept.take(40) && kept.keep(5))
        #expect(budget.heldBytes == 5)
        #expect(!kept.keep(60))
        #expect(budget.heldBytes == 0)
        kept.release()
        #expect(budget.heldBytes == 0)
    }

    @Test func `a turn has room for everything, and what is kept of it is counted`() async throws {
        let budget = ResponseBudget(time: time, sharedBytes: 200)
        let turn = try await budget.turn(for: account(1))
        #expect(turn.take(5_000) && turn.take(5_000) && !turn.wasRefused)
        #expect(budget.heldBytes == 0)
        #expect(turn.keep(10))
        #expect(budget.heldBytes == 10)
        // The turn is over, so that another one can begin.
        let next = try await budget.turn(for: account(2))
        next.release()
        #expect(budget.heldBytes == 10)
    }

    @Test func `who waits for a turn has it as soon as it is free, or gives up in time`() async throws {
        let budget = ResponseBudget(time: time)
        var first: ResponseAllowance? = try await budget.turn(for: account(1))
        async let second = budget.turn(for: account(2))
        await time.sleepers(1)
        #expect(first?.take(1) == true)
        first = nil
        let turn = try await second
        // Nobody cancels it: it ends when its patience does.
        let third = Task { () async -> GitLabError? in
            do throws(GitLabError) {
                _ = try await budget.turn(for: account(3))
                return nil
            } catch {
                return error
            }
        }
        await time.sleepers(1)
        time.advance(by: ResponseBudget.patience)
        #expect(await third.value == .crowded)
        turn.release()
        _ = try await budget.turn(for: account(3))
    }

    @Test func `who is cancelled while waiting leaves the line`() async throws {
        let budget = ResponseBudget(time: time)
        let first = try await budget.turn(for: account(1))
        // Cancelled below.
        let waiting = Task { try? await budget.turn(for: account(2)) }
        await time.sleepers(1)
        waiting.cancel()
        #expect(await waiting.value == nil)
        first.release()
        _ = try await budget.turn(for: account(3))
    }
}
