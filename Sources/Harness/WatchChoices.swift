import FoundationEssentials
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What a person has chosen about their watch list on one device, from the choice to the server's answer, for the record of the run. It looks at
/// what the kit keeps on the device and decides nothing there.
///
/// Unchecked: simulation thread.
final class WatchChoices: @unchecked Sendable {
    /// A choice that the kit has not had answered yet.
    private struct Waiting {
        var choice: WatchChange.Choice
        var item: NotifierKit::ItemReference
        /// As the scenario names it.
        var name: Scenarios::ItemReference
        var chosenAt: Duration
        /// When a mute ends, since the start.
        var mutedUntil: Duration?
    }

    private let recorder: Recorder
    private let person: Username
    private let device: DeviceName
    private var waiting: [Waiting] = []
    /// Whether any of them may have reached the server: a request has left the device while something waited.
    private var mayHaveArrived = false
    /// What the server said last to a choice of the open app; nil once the kit has taken it, or where it did not have to ask.
    private var lastStatus: Int?

    init(of person: Username, on device: DeviceName, recorder: Recorder) {
        (self.person, self.device, self.recorder) = (person, device, recorder)
    }

    var isWaiting: Bool { !waiting.isEmpty }

    /// The person chooses something now.
    func chosen(
        _ choice: WatchChange.Choice,
        _ item: NotifierKit::ItemReference,
        as name: Scenarios::ItemReference,
        mutedUntil: Duration?
    ) {
        let now = recorder.now
        waiting.append(Waiting(choice: choice, item: item, name: name, chosenAt: now, mutedUntil: mutedUntil))
        recorder.lastChoices.opened(name, of: person)
    }

    /// As many choices wait as may: the app has said so to the person.
    func refused(_ choice: WatchChange.Choice, _ item: NotifierKit::ItemReference) {
        let index = waiting.lastIndex { $0.choice == choice && $0.item == item }
        if let index { close(index) }
    }

    /// It waits no more.
    @discardableResult
    private func close(_ index: Int) -> Waiting {
        recorder.lastChoices.closed(waiting[index].name, of: person)
        return waiting.remove(at: index)
    }

    /// A request has left the device.
    func sends(_ request: TransportRequest) {
        if isWaiting, request.method != "GET", request.target.hasPrefix("/watch") { mayHaveArrived = true }
    }

    /// The server has answered the open app.
    func answered(_ request: TransportRequest, _ status: Int) {
        if request.method != "GET", request.target.hasPrefix("/watch") { lastStatus = status }
    }

    /// What the kit keeps has changed.
    func changed(_ key: String, from old: Data?, to new: Data?) {
        guard key == WatchListManager.storeKey else { return }
        let (before, after) = (Self.read(old), Self.read(new))
        for change in before.pending where !after.pending.contains(change) {
            let index = waiting.firstIndex { $0.choice == change.choice && $0.item == change.item }
            guard let index else { continue }
            let choice = close(index)
            guard after.revision > before.revision else {
                // A later choice on this device may have taken its place.
                let isReplaced = after.pending.contains { $0.item == change.item }
                isReplaced ? leaveOpen(choice) : lose(choice)
                continue
            }
            if index > 0 {
                recorder.violate(
                    .choiceUndone,
                    "\(person) had an answer on \(device) about \(choice.name) before one to what they chose earlier"
                )
            }
            let dated = dating(of: change, choice)
            if Self.holds(change, in: after) { note(choice, dated) } else { overtaken(choice, dated) }
            lastStatus = nil
        }
        if waiting.isEmpty { mayHaveArrived = false }
    }

    /// The device, or the app on it, is gone, and what waited with it: whoever was never answered watches nothing.
    func abandon() {
        while !waiting.isEmpty { leaveOpen(close(0)) }
        mayHaveArrived = false
    }

    /// The world is over: whatever has no answer waits on the device.
    func finish(_ kept: Data?) {
        let pending = Self.read(kept).pending
        for choice in waiting where !pending.contains(where: { $0.choice == choice.choice && $0.item == choice.item }) {
            lose(choice)
        }
    }

    private func lose(_ choice: Waiting) {
        recorder.violate(.choiceLost, "\(device) of \(person) has forgotten what was chosen about \(choice.name)")
    }

    // MARK: The record

    /// Whether the list shows what was chosen. It does not when the server refused it, or knows a later choice.
    private static func holds(_ change: WatchChange, in state: WatchListState) -> Bool {
        let entry = state.entry(of: change.item)
        return switch change.choice {
        case .watch: entry != nil
        case .unwatch: entry == nil
        case .mute(let end): entry != nil && entry?.mutedUntil == end
        }
    }

    /// When it was chosen, truly and by the device's clock, and answered.
    private func dating(of change: WatchChange, _ choice: Waiting) -> LastChoices.Dating {
        let ahead = change.chosenAt.timeIntervalSince(recorder.simulation.clock.wallNow.date)
        // Dates are not exact to the microsecond.
        let datedAt = recorder.now + .milliseconds(Int64((ahead * 1_000).rounded()))
        let isRight = datedAt - choice.chosenAt < .milliseconds(2) && choice.chosenAt - datedAt < .milliseconds(2)
        return LastChoices.Dating(
            chosenAt: choice.chosenAt,
            datedAt: isRight ? choice.chosenAt : datedAt,
            answeredAt: recorder.now
        )
    }

    private func note(_ choice: Waiting, _ dated: LastChoices.Dating) {
        if recorder.now - choice.chosenAt > .minutes(1) { recorder.reach(.choiceSentLate) }
        recorder.judgeOrder(of: choice.choice, on: choice.name, by: person, dated)
        write(choice, dated, answeredAt: recorder.now)
    }

    /// It does not hold: the server has refused it, or says that another choice was made later.
    private func overtaken(_ choice: Waiting, _ dated: LastChoices.Dating) {
        guard let lastStatus, lastStatus < 300 else { return }
        switch choice.choice {
        case .watch: break
        // It has ended what was muted before it, all the same.
        case .unwatch: prefer(.unmuted(choice.name), choice, dated, .never)
        case .mute(nil): break
        // One that is over is told as none.
        case .mute: if choice.mutedUntil ?? .zero <= recorder.now { return }
        }
        recorder.judgeLoss(of: choice.choice, on: choice.name, by: person, dated)
    }

    /// Nobody knows whether the server has heard of it.
    private func leaveOpen(_ choice: Waiting) {
        guard mayHaveArrived else { return }
        recorder.lastChoices.leaveAlone(choice.name, of: person)
        let dated = LastChoices.Dating(chosenAt: choice.chosenAt, datedAt: choice.chosenAt, answeredAt: .never)
        write(choice, dated, answeredAt: .never)
    }

    private func write(_ choice: Waiting, _ dated: LastChoices.Dating, answeredAt: Duration) {
        switch choice.choice {
        case .watch:
            recorder.record.watches.append(
                WatchRecord(person: person, item: choice.name, requestedAt: choice.chosenAt, activeFrom: answeredAt)
            )
        case .unwatch:
            recorder.endWatches(of: choice.name, by: person, requestedAt: choice.chosenAt, endedAt: answeredAt)
            prefer(.unwatched(choice.name), choice, dated, answeredAt)
        case .mute(nil): prefer(.unmuted(choice.name), choice, dated, answeredAt)
        case .mute: prefer(.muted(choice.name, until: choice.mutedUntil ?? .zero), choice, dated, answeredAt)
        }
    }

    private func prefer(
        _ preference: PreferenceRecord.Choice,
        _ choice: Waiting,
        _ dated: LastChoices.Dating,
        _ answeredAt: Duration
    ) {
        recorder.record.preferences.append(
            PreferenceRecord(
                person: person,
                choice: preference,
                requestedAt: choice.chosenAt,
                answeredAt: answeredAt,
                datedAt: dated.datedAt
            )
        )
    }

    private static func read(_ data: Data?) -> WatchListState {
        data.flatMap { try? WireCoding.decode(WatchListState.self, $0) } ?? WatchListState()
    }
}

extension Duration {
    /// After every run.
    static let never = Duration.seconds(Int64.max / 2)
}
