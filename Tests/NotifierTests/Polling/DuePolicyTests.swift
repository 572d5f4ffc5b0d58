import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)
private let updated = WallTime(secondsSinceEpoch: 1_000)

private func at(_ seconds: Int64) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

private func makePrint(_ comments: Int = 0, state: String = "opened", updated: WallTime = updated) -> ItemFingerprint {
    ItemFingerprint(updatedAt: updated, commentCount: comments, state: state)
}

/// An item that was listed and read long ago, so that nothing is due.
private func makeQuiet(_ kind: ItemKind = .mergeRequest, state: String = "opened") -> ItemAttention {
    var item = ItemAttention(kind: kind)
    item.appear(as: makePrint(state: state), age: .hours(1), at: start)
    item.take(.unread, from: start, isComplete: true, patrol: .minutes(4))
    return item
}

extension ItemAttention {
    /// A reading of the lists that its reason asks for.
    fileprivate mutating func take(
        _ reason: DueReason,
        from start: MonotonicInstant,
        isComplete: Bool,
        patrol: Duration
    ) {
        take(from: start, isComplete: isComplete, isOfEveryList: reason.readsEveryList, patrol: patrol)
    }
}

private let policy = DuePolicy(pace: .seconds(90), cycleInterval: .seconds(30))

private func reason(
    _ item: ItemAttention,
    at seconds: Int64,
    _ circumstances: DuePolicy.Circumstances = DuePolicy.Circumstances()
) -> DueReason? {
    policy.reason(item.state, circumstances, at: at(seconds))
}

struct DuePolicyTests {
    @Test func `an item is read until it has been read in full once`() {
        var item = ItemAttention(kind: .issue)
        #expect(reason(item, at: 0) == .unread)
        item.take(.unread, from: start, isComplete: false, patrol: .minutes(4))
        #expect(reason(item, at: 30) == .unread)
        item.take(.unread, from: at(30), isComplete: true, patrol: .minutes(4))
        #expect(reason(item, at: 60) == nil)
    }

    @Test func `whatever a sweep shows to be different is read until a reading is complete`() {
        var item = makeQuiet()
        #expect(reason(item, at: 30) == nil)
        item.appear(as: makePrint(), age: .hours(1), at: at(60))
        #expect(reason(item, at: 60) == nil)
        item.appear(as: makePrint(1), age: .zero, at: at(60))
        #expect(reason(item, at: 60) == .changed)
        item.take(.changed, from: at(60), isComplete: false, patrol: .minutes(4))
        #expect(reason(item, at: 90) == .changed)
        item.take(.changed, from: at(90), isComplete: true, patrol: .minutes(4))
        #expect(reason(item, at: 120) == nil)
    }

    @Test func `readings that had one list each are one, unless the item has changed since the first`() {
        var item = makeQuiet()
        item.appear(as: makePrint(1), age: .hours(1), at: at(60))
        item.take(.changed, from: at(60), isComplete: false, patrol: .minutes(4))
        item.appear(as: makePrint(2), age: .hours(1), at: at(70))
        item.takeParts(from: at(60), patrol: .minutes(4))
        #expect(reason(item, at: 80) == .changed)
        item.takeParts(from: at(70), patrol: .minutes(4))
        #expect(reason(item, at: 80) == nil)
        #expect(item.state.readAt == at(60))
    }

    @Test func `a time that moves backwards is a difference too, as a late commit may bring one`() {
        var item = makeQuiet()
        item.appear(as: makePrint(updated: updated.advanced(by: .seconds(-40))), age: .seconds(90), at: at(60))
        #expect(reason(item, at: 60) == .changed)
    }

    @Test func `facts 7.1: a touched item stays hot until a reading begins three minutes after its touch`() {
        var item = makeQuiet()
        item.appear(as: makePrint(1), age: .seconds(20), at: at(60))
        item.take(.changed, from: at(60), isComplete: true, patrol: .minutes(4))
        var readings: [Int64: DueReason] = [:]
        for seconds in stride(from: Int64(90), through: 600, by: 30) {
            guard let reason = reason(item, at: seconds), reason != .patrol else { continue }
            readings[seconds] = reason
            item.take(reason, from: at(seconds), isComplete: true, patrol: .minutes(4))
        }
        // Touched at 40 s, settled at 220 s: what a throttled touch hid until 100 s is found by the reading at 240 s at last.
        #expect(readings == [120: .hot, 180: .hot, 240: .settled])
    }

    @Test func `a reading that fails does not settle an item`() {
        var item = makeQuiet()
        item.appear(as: makePrint(1), age: .hours(1), at: at(60))
        item.take(.changed, from: at(60), isComplete: false, patrol: .minutes(4))
        #expect(item.state.settlesAt != nil)
        item.take(.changed, from: at(90), isComplete: true, patrol: .minutes(4))
        #expect(item.state.settlesAt == nil)
    }

    @Test func `an item that no sweep covers is read at the pace of detection per item`() {
        let item = makeQuiet()
        let uncovered = DuePolicy.Circumstances(isCovered: false)
        #expect(reason(item, at: 60, uncovered) == nil)
        #expect(reason(item, at: 90, uncovered) == .uncovered)
        var hidden = makeQuiet()
        hidden.vanish()
        #expect(reason(hidden, at: 90) == .uncovered)
    }

    @Test func `what vanished and comes back is a change`() {
        var item = makeQuiet()
        item.vanish()
        item.appear(as: makePrint(), age: .hours(1), at: at(60))
        #expect(reason(item, at: 60) == .changed)
    }

    @Test(arguments: [
        (ItemKind.mergeRequest, "opened", true), (.mergeRequest, "locked", true), (.mergeRequest, "merged", false),
        (.mergeRequest, "closed", false), (.issue, "opened", false),
    ])
    func `only an open merge request can have news that leaves no trace in its row`(
        kind: ItemKind,
        state: String,
        isPatrolled: Bool
    ) {
        let item = makeQuiet(kind, state: state)
        #expect(reason(item, at: 450) == nil)
        #expect(reason(item, at: 480) == (isPatrolled ? .patrol : nil))
    }

    @Test func `what has happened lately is patrolled twice as often as what is quiet`() {
        var item = makeQuiet()
        item.appear(as: makePrint(1), age: .zero, at: at(60))
        item.take(.settled, from: at(600), isComplete: true, patrol: .minutes(4))
        #expect(reason(item, at: 810) == nil)
        #expect(reason(item, at: 840) == .patrol)
        // Its last news is a quarter of an hour ago.
        item.take(.patrol, from: at(960), isComplete: true, patrol: .minutes(4))
        #expect(reason(item, at: 1_410) == nil)
        #expect(reason(item, at: 1_440) == .patrol)
        // News that only the patrol finds counts as well.
        item.stir(at: at(1_440))
        item.take(.patrol, from: at(1_440), isComplete: true, patrol: .minutes(4))
        #expect(reason(item, at: 1_680) == .patrol)
    }

    @Test func `an item that was touched in the server's future is not quiet before that is past`() {
        var item = makeQuiet()
        // The clock was set back by an hour: the row is the same, and hides every touch until then.
        item.appear(as: makePrint(), age: .hours(-1), at: at(60))
        for (readAt, nextAt) in [(Int64(4_500), Int64(4_740)), (4_600, 5_080)] {
            item.take(.patrol, from: at(readAt), isComplete: true, patrol: .minutes(4))
            #expect(reason(item, at: nextAt - 30) == nil)
            #expect(reason(item, at: nextAt) == .patrol)
        }
    }

    @Test(arguments: [(10, 20, 15), (30, 60, 45), (40, 60, 40), (60, 60, 30), (120, 120, 60)])
    func `every other cycle asks for to-dos that nothing points to, and one a minute at least`(
        cycleSeconds: Int64,
        pause: Int64,
        dueFrom: Int64
    ) {
        let policy = DuePolicy(pace: .seconds(120), cycleInterval: .seconds(cycleSeconds))
        #expect(policy.areTodosDue(since: nil, at: start))
        #expect(!policy.areTodosDue(since: start, at: at(dueFrom - 1)))
        #expect(policy.areTodosDue(since: start, at: at(dueFrom)))
        #expect(dueFrom == pause - cycleSeconds / 2)
    }

    @Test(arguments: [(10, 105), (30, 105), (60, 105), (120, 120)])
    func `in a crowd the to-dos are asked for once in 105 seconds, to the second`(
        cycleSeconds: Int64,
        pause: Int64
    ) {
        var policy = DuePolicy(pace: .seconds(120), cycleInterval: .seconds(cycleSeconds), isCrowded: true)
        #expect(policy.areTodosDue(since: nil, at: start))
        #expect(policy.crowdedTodosDueAt(since: start) == at(pause))
        #expect(!policy.areTodosDue(since: start, at: at(pause - 1)))
        #expect(policy.areTodosDue(since: start, at: at(pause)))
        policy.isCrowded = false
        #expect(policy.crowdedTodosDueAt(since: start) == nil)
    }

    @Test func `a hint makes an item due like a change, and is settled at the same time for all who are told of it`() {
        var item = makeQuiet()
        item.takeHint("later", movedAt: at(100), at: at(115))
        #expect(item.validator == "later" && item.state.isChanged && item.state.isHinted)
        #expect(reason(item, at: 115) == .changed)
        item.take(.changed, from: at(115), isComplete: true, patrol: .minutes(4))
        #expect(!item.state.isChanged && !item.state.isHinted)
        #expect(reason(item, at: 279) != .settled)
        #expect(reason(item, at: 280) == .settled)
    }

    @Test func `who is shown a row and who is told of it settle it at the same time`() {
        var (shown, told) = (makeQuiet(), makeQuiet())
        shown.appear(as: makePrint(1), age: .seconds(20), at: at(120))
        #expect(shown.movedAt == at(100))
        told.takeHint(makePrint(1).validator, movedAt: at(100), at: at(121))
        #expect(told.movedAt == at(100) && shown.state.settlesAt == told.state.settlesAt)
    }

    @Test func `what was hinted is no change when it is shown, and another row is`() {
        var item = makeQuiet()
        item.takeHint(makePrint(1).validator, movedAt: at(100), at: at(115))
        item.take(.changed, from: at(115), isComplete: true, patrol: .minutes(4))
        item.appear(as: makePrint(1), age: .zero, at: at(130))
        #expect(!item.state.isChanged && item.fingerprint == makePrint(1))
        item.takeHint(makePrint(2).validator, movedAt: at(140), at: at(145))
        item.appear(as: makePrint(3), age: .zero, at: at(150))
        #expect(item.state.isChanged && !item.state.isHinted && item.validator == makePrint(3).validator)
    }

    @Test func `an item that is refused to the account is not as others see it`() {
        var item = makeQuiet()
        item.refuseHints()
        #expect(item.validator != nil)
        item.takeHint("later", movedAt: at(100), at: at(115))
        item.refuseHints()
        #expect(item.validator == nil && !item.state.isListed)
        item.takeHint("still later", movedAt: at(120), at: at(125))
        #expect(item.validator == nil)
    }

    @Test func `only what notes tell leaves the frame of a row as it is`() {
        let row = makePrint()
        func changed(_ change: (inout ItemFingerprint) -> Void) -> Bool {
            var other = row
            change(&other)
            #expect(other.validator != row.validator)
            return other.frame != row.frame
        }
        #expect(!changed { $0.commentCount = 7 } && !changed { $0.updatedAt = nil } && !changed { $0.head = "f00" })
        #expect(!changed { $0.isDraft = true } && !changed { $0.assignees = [5] } && !changed { $0.reviewers = [5] })
        #expect(changed { $0.state = "closed" } && changed { $0.labels = ["bug"] } && changed { $0.milestone = 4 })
        var due = row
        due.dueOn = DueDay("2027-02-01")
        var assigned = due
        assigned.assignees = [5]
        #expect(due.frame != row.frame && assigned.frame != due.frame)
    }

    @Test func `a to-do and the reconciliation make an item due`() {
        let item = makeQuiet()
        #expect(reason(item, at: 30, DuePolicy.Circumstances(hasTodo: true)) == .todo)
        #expect(reason(item, at: 30, DuePolicy.Circumstances(mustReconcile: true)) == .reconciliation)
    }

    @Test func `news does not wait for the turn of the reconciliation, which goes on while an item is hot`() {
        let overdue = DuePolicy.Circumstances(mustReconcile: true)
        var item = makeQuiet()
        item.appear(as: makePrint(1), age: .zero, at: at(60))
        #expect(reason(item, at: 60, overdue) == .changed)
        item.take(.changed, from: at(60), isComplete: true, patrol: .minutes(4))
        #expect(reason(item, at: 90, overdue) == .reconciliation)
        #expect(reason(item, at: 120, overdue) == .hot)
        item.take(.hot, from: at(120), isComplete: true, patrol: .minutes(4))
        #expect(reason(item, at: 240, overdue) == .settled)
    }

    @Test func `what another account was shown makes an item due`() {
        var circumstances = DuePolicy.Circumstances()
        circumstances.isOutdated = true
        #expect(reason(makeQuiet(), at: 60, circumstances) == .seenElsewhere)
        #expect(!DueReason.seenElsewhere.readsEveryList)
    }

    @Test func `another account's look puts a patrol off, and a hot reading by less than one's own`() {
        var item = makeQuiet()
        #expect(reason(item, at: 480) == .patrol)
        item.takeLook(at: at(440), patrol: .minutes(4))
        #expect(reason(item, at: 480) == nil)
        #expect(reason(item, at: 920) == .patrol)
        item.appear(as: makePrint(1), age: .zero, at: at(500))
        item.takeLook(at: at(505), patrol: .minutes(4))
        #expect(reason(item, at: 510) == .changed)
        item.take(.changed, from: at(510), isComplete: true, patrol: .minutes(4))
        #expect(reason(item, at: 554) == nil)
        #expect(reason(item, at: 555) == .hot)
        item.takeLook(at: at(550), patrol: .minutes(4))
        #expect(reason(item, at: 579) == nil)
        #expect(reason(item, at: 580) == .hot)
        item.takeWholeLook(at: at(679))
        #expect(reason(item, at: 680) == .settled)
        item.takeLook(at: at(680), patrol: .minutes(4))
        item.takeWholeLook(at: at(680))
        #expect(reason(item, at: 700) == nil)
    }

    @Test func `where many watch an item it is looked at when it is due, and no earlier for want of a cycle`() {
        var item = makeQuiet()
        var circumstances = DuePolicy.Circumstances()
        #expect(reason(item, at: 464, circumstances) == nil)
        #expect(reason(item, at: 465, circumstances) == .patrol)
        circumstances.watchers = 5
        #expect(reason(item, at: 476, circumstances) == nil)
        #expect(reason(item, at: 477, circumstances) == .patrol)
        item.appear(as: makePrint(1), age: .zero, at: at(500))
        item.take(.changed, from: at(510), isComplete: true, patrol: .minutes(4))
        #expect(reason(item, at: 566, circumstances) == nil)
        #expect(reason(item, at: 567, circumstances) == .hot)
        #expect(reason(item, at: 555) == .hot)
    }

    @Test func `nobody's look stands for the first reading of an item`() {
        var item = ItemAttention(kind: .mergeRequest)
        item.appear(as: makePrint(), age: .hours(1), at: start)
        item.takeLook(at: at(10), patrol: .minutes(4))
        item.takeWholeLook(at: at(10))
        #expect(reason(item, at: 30) == .unread)
    }

    @Test func `a hot reading leaves the state events out unless the state is new`() {
        var item = makeQuiet()
        item.appear(as: makePrint(1), age: .zero, at: at(60))
        #expect(!item.state.hasNewState && !DueReason.hot.readsEveryList)
        item.appear(as: makePrint(1, state: "merged"), age: .zero, at: at(90))
        #expect(item.state.hasNewState)
        item.take(.hot, from: at(120), isComplete: true, patrol: .minutes(4))
        #expect(item.state.hasNewState)
        item.take(.settled, from: at(300), isComplete: true, patrol: .minutes(4))
        #expect(!item.state.hasNewState)
    }
}
