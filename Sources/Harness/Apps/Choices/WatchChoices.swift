import FoundationEssentials
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What a person chooses about an item of their watch list.
enum WatchChoice: Hashable {
    case watch, unwatch
    /// Silent until then; nil lets it speak again.
    case mute(until: Date?)

    /// As the kit has it.
    func wanted(_ item: NotifierKit::ItemReference) -> NotifierKit::SyncChange.Wanted {
        switch self {
        case .watch: .watch(item)
        case .unwatch: .unwatch(item)
        case .mute(let end): .mute(item, until: end)
        }
    }
}

/// What a person has chosen about their watch list on one device, from the choice to the server's answer, for the record of the run. It looks at
/// what the kit keeps on the device and at what goes over the wire, and decides nothing there.
///
/// Unchecked: simulation thread.
final class WatchChoices: @unchecked Sendable {
    /// A choice that the kit has not had answered yet.
    struct Waiting {
        var choice: WatchChoice
        var item: NotifierKit::ItemReference
        /// As the scenario names it.
        var name: Scenarios::ItemReference
        var chosenAt: Duration
        /// By the clock of the device; nil for what does not wait there.
        var datedAt: Duration?
        /// When a mute ends, since the start.
        var mutedUntil: Duration?
        /// The kit's; nil before it has kept the choice.
        var number: Int?
    }

    let recorder: Recorder
    let person: Username
    let device: DeviceName
    private var waiting: [Waiting] = []
    /// Choices of which the app has not said that they are taken, as its process ended before or its disk failed: the device may have kept them all the same.
    private var doubtful: [Waiting] = []
    /// What was chosen about other things.
    var preferences: [WaitingPreference] = []
    var doubtfulPreferences: [WaitingPreference] = []
    /// What was done about duties.
    var duties: [WaitingDuty] = []
    var doubtfulDuties: [WaitingDuty] = []
    /// Changes that have left the device and may have reached the server.
    private var sent: Set<String> = []
    /// What the server has said of changes that the kit has not settled yet: as it came over the wire.
    private var receipts = SyncReceipts()
    /// Nothing that is chosen from now on is dated before it: when the last choice counts as made that the server took.
    private(set) var takenUpTo: WallTime?

    /// Whether a block of what the device keeps was spoilt, and no process has read all of it since.
    var isSpoilt = false

    init(of person: Username, on device: DeviceName, recorder: Recorder) {
        (self.person, self.device, self.recorder) = (person, device, recorder)
    }

    var isWaiting: Bool { !waiting.isEmpty || !preferences.isEmpty || !duties.isEmpty }

    /// The person chooses something now, by a clock that is so far ahead.
    func chosen(
        _ choice: WatchChoice,
        _ item: NotifierKit::ItemReference,
        as name: Scenarios::ItemReference,
        mutedUntil: Duration?,
        ahead offset: Duration
    ) {
        let now = recorder.now
        waiting.append(
            Waiting(
                choice: choice,
                item: item,
                name: name,
                chosenAt: now,
                datedAt: now + offset,
                mutedUntil: mutedUntil
            )
        )
        recorder.lastChoices.opened(name, of: person)
    }

    /// As many choices wait as may: the app has said so to the person.
    func refused(_ choice: WatchChoice, _ item: NotifierKit::ItemReference) {
        let index = waiting.lastIndex { $0.number == nil && $0.choice == choice && $0.item == item }
        if let index { close(index) }
    }

    /// The app has said to the person that it cannot be kept, or that all that was kept is lost.
    func notKept(_ choice: WatchChoice, _ item: NotifierKit::ItemReference, isLost: Bool) {
        recorder.reach(.choiceNotKept)
        let index = waiting.lastIndex { $0.number == nil && $0.choice == choice && $0.item == item }
        recorder.record.refusedChoices.append(
            RefusedChoiceRecord(
                person: person,
                device: device,
                what: "\(item)",
                at: recorder.now,
                wasKept: index == nil && !isLost
            )
        )
        if let index { doubtful.append(close(index)) }
    }

    /// The process has ended: what it had not said to be taken was never taken, as far as the person knows.
    func cutOff() {
        while let index = waiting.firstIndex(where: { $0.number == nil }) { doubtful.append(close(index)) }
        cutOffPreferences()
        cutOffDuties()
    }

    /// It was kept although nobody was told.
    private func adopt(_ change: PendingChange, _ after: SyncState) {
        guard let index = doubtful.lastIndex(where: { $0.choice.wanted($0.item) == change.wanted }) else { return }
        var choice = doubtful.remove(at: index)
        choice.number = change.number
        choice.datedAt = date(of: change, shown: choice.datedAt ?? choice.chosenAt, chosenAt: choice.chosenAt, after)
        waiting.append(choice)
        recorder.lastChoices.opened(choice.name, of: person)
    }

    /// It waits no more.
    @discardableResult
    private func close(_ index: Int) -> Waiting {
        recorder.lastChoices.closed(waiting[index].name, of: person)
        return waiting.remove(at: index)
    }

    /// A request has left the device.
    func sends(_ request: TransportRequest) {
        guard request.isEnvelope else { return }
        let ids = SyncReceipts.changes(in: Array(request.body))
        sent.formUnion(ids)
        noteSent(ids)
    }

    /// The server has answered the open app.
    func answered(_ request: TransportRequest, _ status: Int, _ body: [UInt8]) {
        guard status == 200 else { return }
        if request.isEnvelope {
            if receipts.take(body) { recorder.reach(.syncConflict) }
            noteReplay(of: SyncReceipts.changes(in: Array(request.body)))
        } else if SyncReceipts.isReset(request, body) {
            recorder.reach(.syncReset)
        }
    }

    /// What the kit keeps has changed.
    func changed(from before: SyncState, to after: SyncState) {
        guard before.pending != after.pending else { return }
        let (known, left) = (Set(before.pending.map(\.number)), Set(after.pending.map(\.number)))
        for change in after.pending where !known.contains(change.number) {
            let index = waiting.firstIndex { $0.number == nil && $0.choice.wanted($0.item) == change.wanted }
            if let index {
                let (shown, chosenAt) = (waiting[index].datedAt, waiting[index].chosenAt)
                waiting[index].number = change.number
                waiting[index].datedAt = date(of: change, shown: shown ?? chosenAt, chosenAt: chosenAt, after)
            } else {
                adopt(change, after)
            }
            notePreference(change, after)
            noteDuty(change, after)
        }
        for change in before.pending where !left.contains(change.number) {
            noteTaken(change, as: receipts.date(of: change.id))
            guard let index = waiting.firstIndex(where: { $0.number == change.number }) else {
                let answer = receipts.settle(change.id)
                if !settleDuty(change, answer) { settlePreference(change, answer, after) }
                continue
            }
            let choice = close(index)
            guard let answer = receipts.settle(change.id) else {
                dropped(choice, change, after)
                continue
            }
            judgeTurn(of: choice, after)
            let dated = dating(of: choice)
            switch answer {
            case .refused: break
            case .holds(let held) where Self.holds(choice.choice, held):
                noteDelay(since: choice.chosenAt)
                note(choice, dated)
            case .holds: overtaken(choice, dated, isOwn: true)
            case .lost(let held):
                if Self.holds(choice.choice, held) {
                    noteDelay(since: choice.chosenAt)
                    note(choice, dated, isAnothers: true)
                } else {
                    overtaken(choice, dated, isOwn: false)
                }
            }
        }
    }

    /// It waits no more, and nobody has answered: a later choice on this device may have taken its place.
    private func dropped(_ choice: Waiting, _ change: PendingChange, _ after: SyncState) {
        let isReplaced = after.pending.contains { $0.wanted.item == choice.item && $0.number > change.number }
        guard isReplaced else { return lose(choice) }
        if sent.contains(change.id) { leaveOpen(choice) }
    }

    /// What was chosen later about an item is not answered before what was chosen earlier, unless that has to wait for GitLab.
    private func judgeTurn(of choice: Waiting, _ after: SyncState) {
        let isEarly = waiting.contains { other in
            guard other.item == choice.item, let number = other.number, number < choice.number ?? 0
            else { return false }
            return after.pending.contains { $0.number == number && $0.delays == 0 }
        }
        guard isEarly else { return }
        recorder.violate(
            .choiceUndone,
            "\(person) had an answer on \(device) about \(choice.name) before one to what they chose earlier"
        )
    }

    /// The device, or the app on it, is gone, and what waited with it: whoever was never answered watches nothing.
    func abandon() {
        for choice in preferences { leaveOpen(choice) }
        (preferences, duties) = ([], [])
        while !waiting.isEmpty {
            let choice = close(0)
            if isSent(choice) { leaveOpen(choice) }
        }
    }

    /// What the device had kept is damaged, and gone. Nothing else than a spoilt block excuses that.
    func lostStore() {
        if !isSpoilt { recorder.violate(.choiceLost, "\(device) of \(person) has found what it kept damaged") }
        preferences.removeAll { $0.number != nil }
        duties.removeAll { $0.number != nil }
        while let index = waiting.firstIndex(where: { $0.number != nil }) {
            let choice = close(index)
            if isSent(choice) { leaveOpen(choice) }
        }
        // Numbers begin anew.
        (sent, receipts, takenUpTo) = ([], SyncReceipts(), nil)
    }

    /// The server has taken a choice; of its date the kit is told the milliseconds.
    private func noteTaken(_ change: PendingChange, as date: Date?) {
        guard let date else { return }
        let taken = WallTime(date).advanced(by: .milliseconds(2))
        // What came before was cut with it.
        let isCut = taken.advanced(by: .milliseconds(1)) < WallTime(change.changedAt)
        takenUpTo = isCut ? taken : max(taken, takenUpTo ?? taken)
    }

    /// The next process could not read what the device has kept. Of a spoilt block it would tell the person.
    func unreadable(_ reason: String) {
        guard isWaiting, !isSpoilt else { return }
        recorder.violate(.choiceLost, "\(device) of \(person) cannot read what was chosen: \(reason)")
    }

    /// The world is over: whatever has no answer waits on the device.
    func finish(_ kept: SyncState) {
        let pending = Set(kept.pending.map(\.number))
        for choice in waiting where !(choice.number.map { pending.contains($0) } ?? false) { lose(choice) }
        for choice in preferences {
            let isKept = choice.number.map { pending.contains($0) } ?? false
            if isKept { leaveOpen(choice) } else { forgotten("about \(choice.choice)") }
        }
        for deed in duties where !(deed.number.map { pending.contains($0) } ?? false) { forgotten("about a duty") }
    }

    /// The world is over: what the app knew to wait could have been sent since `reachableSince`.
    func noteUnanswered(_ known: SyncState, reachableSince: Duration) {
        let pending = Set(known.pending.map(\.number))
        func note(_ number: Int?, _ chosenAt: Duration, _ what: String) {
            guard let number, pending.contains(number) else { return }
            recorder.record.unansweredChoices.append(
                UnansweredChoiceRecord(
                    person: person,
                    device: device,
                    what: what,
                    chosenAt: chosenAt,
                    reachableSince: reachableSince
                )
            )
        }
        for choice in waiting { note(choice.number, choice.chosenAt, "about \(choice.name)") }
        for choice in preferences { note(choice.number, choice.chosenAt, "about \(choice.choice)") }
        for deed in duties { note(deed.number, deed.chosenAt, "about a duty") }
    }

    func forgotten(_ what: String) {
        // The next process begins anew where the one that was told so has died before it could say so.
        guard !isSpoilt else { return }
        recorder.violate(.choiceLost, "\(device) of \(person) has forgotten what was chosen \(what)")
    }

    private func isSent(_ choice: Waiting) -> Bool { choice.number.map(isSent) ?? false }

    /// Whether the change of that number has left the device.
    func isSent(_ number: Int) -> Bool { sent.contains(SyncReceipts.id(number)) }

    private func lose(_ choice: Waiting) {
        forgotten("about \(choice.name)")
    }

    /// An envelope with several changes that had waited for a minute has its answer.
    private func noteReplay(of ids: [String]) {
        let end = recorder.now - .minutes(1)
        let old =
            waiting.filter { $0.chosenAt < end }.map(\.number) + preferences.filter { $0.chosenAt < end }.map(\.number)
            + duties.filter { $0.chosenAt < end }.map(\.number)
        let count = old.count { number in number.map { ids.contains(SyncReceipts.id($0)) } ?? false }
        if count > 1 { recorder.reach(.offlineQueueReplayed) }
    }
}
