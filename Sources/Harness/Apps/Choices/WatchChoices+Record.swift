import FoundationEssentials
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What became of a choice about the watch list, as the record of the run has it.
extension WatchChoices {
    /// Whether what the server says holds is what was chosen.
    static func holds(_ choice: WatchChoice, _ held: SyncReceipt.Held) -> Bool {
        switch (choice, held) {
        case (.watch, .choice(_, let held)): held == "watched"
        case (.unwatch, .choice(_, let held)): held != "watched"
        case (.mute(let end), .mute(_, let held)): held == end
        default: false
        }
    }

    /// When the choice has to be dated, since the start: by the clock of the device as it was chosen, and no earlier than what the server had
    /// taken from there. What the kit has dated it counts within these bounds alone, so that a wrong date excuses nothing.
    ///
    /// - Parameters:
    ///   - change: as the kit has kept it.
    ///   - shown: what the device's clock showed.
    ///   - chosenAt: when that was.
    ///   - after: what the kit keeps now.
    /// - Returns: the instant, since the start.
    func date(of change: PendingChange, shown: Duration, chosenAt: Duration, _ after: SyncState) -> Duration {
        let wall = recorder.simulation.clock.wallNow
        func sinceStart(_ instant: WallTime) -> Duration { recorder.now + wall.duration(to: instant) }
        let kept = sinceStart(WallTime(change.changedAt))
        // A device that begins anew knows nothing of what was taken.
        let taken = after.counters.datedUpTo == nil ? nil : takenUpTo
        let earliest = max(shown, taken.map { sinceStart($0) } ?? shown)
        // The kit may have looked at the clock later, and what is on its way already stays the earlier choice.
        let underway = after.pending.filter { $0.number < change.number && $0.envelope != nil }
            .map { sinceStart(WallTime($0.changedAt)) }
        let latest = max(earliest, shown + (recorder.now - chosenAt), underway.max() ?? earliest)
        // Dates are not exact to the microsecond.
        let tolerance = Duration.milliseconds(5)
        if kept + tolerance < earliest { return earliest }
        return latest + tolerance < kept ? latest : kept
    }

    /// When it was chosen, truly and by the device's clock, and answered.
    func dating(of choice: Waiting) -> LastChoices.Dating {
        let datedAt = choice.datedAt ?? choice.chosenAt
        let isRight = datedAt - choice.chosenAt < .milliseconds(2) && choice.chosenAt - datedAt < .milliseconds(2)
        return LastChoices.Dating(
            chosenAt: choice.chosenAt,
            datedAt: isRight ? choice.chosenAt : datedAt,
            answeredAt: recorder.now,
            device: device
        )
    }

    /// It holds.
    func note(_ choice: Waiting, _ dated: LastChoices.Dating, isAnothers: Bool = false) {
        if case .mute = choice.choice, !isWatched(choice.name) {
            // It holds for a watch that begins after it, and for nothing now.
            return write(choice, dated, answeredAt: .never)
        }
        recorder.judgeOrder(of: choice.choice, on: choice.name, by: person, dated, isAnothers: isAnothers)
        write(choice, dated, answeredAt: recorder.now)
    }

    /// An answer that has taken a minute is one to what waited on the device.
    func noteDelay(since chosenAt: Duration) {
        if recorder.now - chosenAt > .minutes(1) { recorder.reach(.choiceSentLate) }
    }

    /// Whether the item is watched as far as the person was told.
    private func isWatched(_ item: Scenarios::ItemReference) -> Bool {
        recorder.record.watches.contains {
            $0.person == person && $0.item == item && $0.endedAt == nil
        }
    }

    /// It does not hold: another choice was made later, on another device or on this one.
    func overtaken(_ choice: Waiting, _ dated: LastChoices.Dating, isOwn: Bool) {
        switch choice.choice {
        case .watch: break
        // It has ended what was muted before it, all the same.
        case .unwatch: prefer(.unmuted(choice.name), choice, dated, .never)
        case .mute(nil): break
        // One that is over is told as none.
        case .mute: if choice.mutedUntil ?? .zero <= recorder.now { return }
        }
        if isOwn {
            recorder.judgeOwnLoss(of: choice.choice, on: choice.name, by: person, dated)
        } else {
            recorder.judgeLoss(of: choice.choice, on: choice.name, by: person, dated)
        }
    }

    /// Nobody knows whether the server has heard of it.
    func leaveOpen(_ choice: Waiting) {
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
}

extension Duration {
    /// After every run.
    static let never = Duration.seconds(Int64.max / 2)
}
