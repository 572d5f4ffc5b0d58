import FoundationEssentials
import NotifierKit
import Platform
import Scenarios
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

    /// Under which the kit keeps the list.
    static let key = "watch-list"

    private let recorder: Recorder
    private let person: Username
    private let device: DeviceName
    private var waiting: [Waiting] = []
    /// Whether any of them may have reached the server: a request has left the device while something waited.
    private var mayHaveArrived = false

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
    }

    /// As many choices wait as may: the app has said so to the person.
    func refused(_ choice: WatchChange.Choice, _ item: NotifierKit::ItemReference) {
        let index = waiting.lastIndex { $0.choice == choice && $0.item == item }
        if let index { waiting.remove(at: index) }
    }

    /// A request has left the device.
    func sends(_ request: TransportRequest) {
        if isWaiting, request.method != "GET", request.target.hasPrefix("/watch") { mayHaveArrived = true }
    }

    /// What the kit keeps has changed.
    func changed(_ key: String, from old: Data?, to new: Data?) {
        guard key == Self.key else { return }
        let (before, after) = (Self.read(old), Self.read(new))
        for change in before.pending where !after.pending.contains(change) {
            let index = waiting.firstIndex { $0.choice == change.choice && $0.item == change.item }
            guard let index else { continue }
            let choice = waiting.remove(at: index)
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
            if Self.holds(change, in: after) { note(choice) }
        }
        if waiting.isEmpty { mayHaveArrived = false }
    }

    /// The device, or the app on it, is gone, and what waited with it: whoever was never answered watches nothing.
    func abandon() {
        for choice in waiting { leaveOpen(choice) }
        (waiting, mayHaveArrived) = ([], false)
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

    private func note(_ choice: Waiting) {
        if recorder.now - choice.chosenAt > .minutes(1) { recorder.reach(.choiceSentLate) }
        recorder.judgeOrder(of: choice.choice, on: choice.name, by: person, chosenAt: choice.chosenAt)
        write(choice, answeredAt: recorder.now)
    }

    /// Nobody knows whether the server has heard of it.
    private func leaveOpen(_ choice: Waiting) {
        if mayHaveArrived { write(choice, answeredAt: .never) }
    }

    private func write(_ choice: Waiting, answeredAt: Duration) {
        switch choice.choice {
        case .watch:
            recorder.record.watches.append(
                WatchRecord(person: person, item: choice.name, requestedAt: choice.chosenAt, activeFrom: answeredAt)
            )
        case .unwatch:
            recorder.endWatches(of: choice.name, by: person, requestedAt: choice.chosenAt, endedAt: answeredAt)
            prefer(.unwatched(choice.name), choice, answeredAt)
        case .mute(nil): prefer(.unmuted(choice.name), choice, answeredAt)
        case .mute: prefer(.muted(choice.name, until: choice.mutedUntil ?? .zero), choice, answeredAt)
        }
    }

    private func prefer(_ preference: PreferenceRecord.Choice, _ choice: Waiting, _ answeredAt: Duration) {
        recorder.record.preferences.append(
            PreferenceRecord(
                person: person,
                choice: preference,
                requestedAt: choice.chosenAt,
                answeredAt: answeredAt
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

/// Which choice about an item came last, over all devices of its person.
struct LastChoices {
    private struct Key: Hashable {
        var person: Username
        var item: Scenarios::ItemReference
        var isMute: Bool
    }

    private var last: [Key: (choice: WatchChange.Choice, chosenAt: Duration)] = [:]

    /// Takes note of a choice that holds now; false when it was made before one that held already and says something else.
    mutating func take(
        _ choice: WatchChange.Choice,
        on item: Scenarios::ItemReference,
        by person: Username,
        chosenAt: Duration
    ) -> Bool {
        var isMute = false
        if case .mute = choice { isMute = true }
        let key = Key(person: person, item: item, isMute: isMute)
        if let known = last[key], chosenAt < known.chosenAt { return known.choice == choice }
        last[key] = (choice, chosenAt)
        // A mute goes with its entry.
        if !isMute { last[Key(person: person, item: item, isMute: true)] = nil }
        return true
    }

    /// What else may have become of the item's entry is not known any more.
    mutating func forget(_ item: Scenarios::ItemReference, of person: Username) {
        for isMute in [false, true] { last[Key(person: person, item: item, isMute: isMute)] = nil }
    }
}

extension Recorder {
    /// A choice holds that was made then. An earlier one must not undo a later one that held already (`ChangeTime`), unless something else may
    /// have come in between: a clock that is off, or the notifier's own entries.
    func judgeOrder(
        of choice: WatchChange.Choice,
        on item: Scenarios::ItemReference,
        by person: Username,
        chosenAt: Duration
    ) {
        guard !lastChoices.take(choice, on: item, by: person, chosenAt: chosenAt) else { return }
        let isDisturbed =
            record.faults.contains { [.clockOffset, .clockStep, .clockDrift].contains($0.kind) }
            || record.preferences.contains {
                if case .autoWatch = $0.choice { $0.person == person } else { false }
            }
            || record.activities.contains { $0.successor == item }
        guard !isDisturbed else { return }
        violate(.choiceUndone, "what \(person) chose earlier about \(item) has undone what they chose later")
    }
}
