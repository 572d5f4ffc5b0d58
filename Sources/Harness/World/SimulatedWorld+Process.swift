import Notifier
import Platform
import SQLite
import Scenarios
import SimulatedStorage
import Simulation
import Verdict

/// How the notifier's process ends and begins again.
extension SimulatedWorld {
    /// `RestartSec` of `deploy/systemd/notifierd.service`.
    static let supervisorPause = Duration.seconds(5)

    /// A machine that loses its power while the notifier is down may lose what the notifier wrote last.
    func crash(for length: Duration, keeping: KeptWrites = .all) {
        if let fate = keeping.inSimulation {
            recorder.reach(.powerLost)
            notifier.losePower(fate)
        } else if notifier.isRunning {
            notifier.crash()
        }
        stayDown(for: length)
    }

    func restart(after length: Duration) {
        if !isDown { notifier.stop() }
        stayDown(for: length)
    }

    /// Where such faults overlap, the process is started again when the last of them has ended.
    func stayDown(for length: Duration) {
        isDown = true
        let end = recorder.now + length
        downUntil = max(downUntil, end)
        recorder.record.downtimes.append(Span(from: recorder.now, until: end))
        simulation.schedule(after: length) { [self] in startAgain() }
    }

    private func startAgain() {
        guard isDown, recorder.now >= downUntil else { return }
        isDown = false
        do {
            recorder.notifierStarts()
            armWaitingCrashes()
            if let backup = backupToRestore {
                notifier.crash()
                try notifier.restore(backup)
                backupToRestore = nil
            }
            try notifier.startAgain()
            refusesToStart = false
            damage = nil
        } catch let error as SQLiteError {
            startInVain(error)
        } catch let fault as Maintenance.DatabaseFault {
            refuse(fault)
        } catch {
            failure = failure ?? (error as? RunError) ?? .notifierRefused("\(error)")
        }
    }

    /// Its supervisor tries again, as the shipped unit for systemd does. Only a disk that fails excuses a start in vain.
    private func startInVain(_ error: SQLiteError) {
        // It has died while it was starting, and is started again by whatever killed it.
        guard !isDown else { return }
        notifier.crash()
        if diskFaults.current == nil, !refusesToStart {
            refusesToStart = true
            recorder.notifierEnded("\(error)")
        }
        stayDown(for: Self.supervisorPause)
    }

    /// What it has refused it is not given again: the shipped unit does not start it anew after that exit status.
    private func refuse(_ fault: Maintenance.DatabaseFault) {
        notifier.crash()
        isDown = true
        guard restoreAfterDamage() else { return recorder.notifierEnded("its database \(fault)") }
        recorder.reach(.damageRefused)
    }

    /// Crashes the notifier when it reaches that step, unless it would not be up again when the scenario is over: the plan cannot say when
    /// that time comes.
    func arm(_ crash: StepCrash) {
        guard crash.restarts == 0 else { return stepCrashes.append(crash) }
        let last = plan.scenario.duration - crash.downFor
        var crash = crash
        var listener: Int?
        listener = steps.listen { [unowned self] step in
            guard crash.strikes(at: step) else { return }
            if let listener { steps.end(listener) }
            guard recorder.now <= last else { return }
            recorder.record.stepCrashes.append(crash.id)
            self.crash(for: crash.downFor, keeping: crash.keeps)
        }
    }

    /// The process has been started once more.
    private func armWaitingCrashes() {
        if options.countsStepsUntil != nil { stepsBeforeStarts.append(stepCounts) }
        let waiting = stepCrashes
        stepCrashes = []
        for var crash in waiting {
            crash.restarts -= 1
            arm(crash)
        }
    }

    /// Counts the notifier's steps until then.
    func countSteps(until end: Duration) {
        let listener = steps.listen { [unowned self] in stepCounts[$0, default: 0] += 1 }
        simulation.schedule(after: end) { [self] in steps.end(listener) }
    }
}
