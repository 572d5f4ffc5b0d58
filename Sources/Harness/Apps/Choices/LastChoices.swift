import NotifierKit
import Platform
import Scenarios
import Verdict

/// Which choice about an item came last, over all devices of its person, as far as their clocks tell it rightly.
struct LastChoices {
    /// When a choice was made.
    struct Dating {
        var chosenAt: Duration
        /// By the clock of the device, which may be off.
        var datedAt: Duration
        var answeredAt: Duration
        /// Where it was made; nil for what went another way than by the device's queue.
        var device: DeviceName?

        /// The server takes what its clock has not come to yet as made when it arrived: after the choice, and before the answer.
        fileprivate var earliest: Duration { min(datedAt, chosenAt) }
        fileprivate var latest: Duration { min(datedAt, answeredAt) }

        /// Whether it was made before `other`, and by the clocks, too, in whatever way the server cut what lay ahead. Clocks go to the
        /// server in milliseconds.
        func precedes(_ other: Dating) -> Bool { chosenAt < other.chosenAt && isDatedBefore(other) }

        /// Whether the server takes it for one from before `other`, whenever it was made.
        fileprivate func isDatedBefore(_ other: Dating) -> Bool { latest + .milliseconds(5) < other.earliest }
    }

    private struct Item: Hashable {
        var person: Username
        var item: Scenarios::ItemReference
    }

    private struct Key: Hashable {
        var item: Item
        var isMute: Bool

        init(_ item: Item, _ choice: WatchChoice) {
            self.item = item
            isMute = if case .mute = choice { true } else { false }
        }
    }

    private var last: [Key: (choice: WatchChoice, dated: Dating)] = [:]
    /// How many choices about an item have no answer.
    private var waiting: [Item: Int] = [:]
    /// Items of which nobody knows everything that was chosen about them.
    private var unknown: Set<Item> = []

    /// Takes note of a choice that holds now; false when it was made before one that held already and says something else.
    ///
    /// - Parameters:
    ///   - choice: what was chosen.
    ///   - item: about what.
    ///   - person: by whom.
    ///   - dated: when.
    ///   - isAnothers: the server has said that another choice stands which says the same. That one is the last, not this.
    /// - Returns: Whether nothing is wrong.
    mutating func take(
        _ choice: WatchChoice,
        on item: Scenarios::ItemReference,
        by person: Username,
        _ dated: Dating,
        isAnothers: Bool = false
    ) -> Bool {
        let item = Item(person: person, item: item)
        let key = Key(item, choice)
        if let known = last[key], dated.precedes(known.dated) {
            guard known.choice != choice else { return true }
            if isKnown(item) { return false }
        }
        // Answered was what holds: one that says the same and is dated later, and so stands.
        let isOlder = last[key].map { $0.choice == choice && dated.isDatedBefore($0.dated) } ?? false
        if !isAnothers && !isOlder { last[key] = (choice, dated) }
        // A mute goes with its entry.
        if !key.isMute { forgetMute(of: item) }
        return true
    }

    /// Takes note of a choice that the server says another has overtaken; false when the last that held was made before it.
    mutating func lose(
        _ choice: WatchChoice,
        on item: Scenarios::ItemReference,
        by person: Username,
        _ dated: Dating
    ) -> Bool {
        let item = Item(person: person, item: item)
        let known = last[Key(item, choice)]
        // It has ended the mutes that were chosen before it.
        if choice == .unwatch { forgetMute(of: item) }
        guard let known, isKnown(item), known.choice != choice else { return true }
        return !known.dated.precedes(dated)
    }

    /// Takes note of a choice that the server says another of the same device has overtaken; false when the last that held was made there, too, and
    /// before it, whatever the device's clock says.
    func loseToOwn(
        _ choice: WatchChoice,
        on item: Scenarios::ItemReference,
        by person: Username,
        _ dated: Dating
    ) -> Bool {
        let item = Item(person: person, item: item)
        guard let known = last[Key(item, choice)], known.choice != choice, isKnown(item),
            let device = dated.device, known.dated.device == device
        else { return true }
        return dated.chosenAt <= known.dated.chosenAt
    }

    private mutating func forgetMute(of item: Item) { last[Key(item, .mute(until: nil))] = nil }

    /// Whether nothing else was chosen about the item that the server may have heard of.
    private func isKnown(_ item: Item) -> Bool { waiting[item, default: 0] == 0 && !unknown.contains(item) }

    /// Whether a choice about the item has no answer yet.
    func isWaiting(_ item: Scenarios::ItemReference, of person: Username) -> Bool {
        waiting[Item(person: person, item: item), default: 0] > 0
    }

    /// The notifier has forgotten some of them.
    mutating func forgetAll() { last = [:] }

    /// A choice waits for its answer.
    mutating func opened(_ item: Scenarios::ItemReference, of person: Username) {
        waiting[Item(person: person, item: item), default: 0] += 1
    }

    /// It waits no more.
    mutating func closed(_ item: Scenarios::ItemReference, of person: Username) {
        waiting[Item(person: person, item: item), default: 0] -= 1
    }

    /// From now on something may become of the item's entry that no answer tells.
    mutating func leaveAlone(_ item: Scenarios::ItemReference, of person: Username) {
        unknown.insert(Item(person: person, item: item))
    }
}

extension Recorder {
    /// A choice holds that was made then, by itself or because another that says the same stands (`isAnothers`). An earlier one must not undo
    /// a later one that held already (`ChangeTime`).
    func judgeOrder(
        of choice: WatchChoice,
        on item: Scenarios::ItemReference,
        by person: Username,
        _ dated: LastChoices.Dating,
        isAnothers: Bool
    ) {
        let isInOrder = lastChoices.take(choice, on: item, by: person, dated, isAnothers: isAnothers)
        guard !isInOrder, !isDisturbed(item, of: person) else { return }
        violate(.choiceUndone, "what \(person) chose earlier about \(item) has undone what they chose later")
    }

    /// A choice was answered that does not hold. An earlier one that held already must not stand against it.
    func judgeLoss(
        of choice: WatchChoice,
        on item: Scenarios::ItemReference,
        by person: Username,
        _ dated: LastChoices.Dating
    ) {
        guard !lastChoices.lose(choice, on: item, by: person, dated), !isDisturbed(item, of: person) else { return }
        violate(.choiceUndone, "what \(person) chose earlier about \(item) stands against what they chose later")
    }

    /// A choice was answered that does not hold, as another of the same device stands. That must not be one from before it.
    func judgeOwnLoss(
        of choice: WatchChoice,
        on item: Scenarios::ItemReference,
        by person: Username,
        _ dated: LastChoices.Dating
    ) {
        guard !lastChoices.loseToOwn(choice, on: item, by: person, dated), !isDisturbed(item, of: person) else {
            return
        }
        violate(
            .choiceUndone,
            "what \(person) chose earlier about \(item) stands against what they chose later on the same device"
        )
    }

    /// Whether something else may have come in between: a clock of a service that is off, or the notifier's own entries.
    private func isDisturbed(_ item: Scenarios::ItemReference, of person: Username) -> Bool {
        record.faults.contains { $0.kind.place == .clock }
            || record.preferences.contains {
                if case .autoWatch = $0.choice { $0.person == person } else { false }
            }
            || record.activities.contains { $0.successor == item }
    }
}
