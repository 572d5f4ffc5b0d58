import HTTP
import JSON
import Platform
import Scenarios
import Simulation
import Verdict

/// Asks the notifier once a minute whether it is ready, as whatever watches over a server does, and notes what it says.
///
/// Unchecked: simulation thread.
final class ReadinessWatch: @unchecked Sendable {
    private let notifier: any NotifierHost
    private let recorder: Recorder
    private let every: Duration
    private let end: Duration

    init(_ notifier: any NotifierHost, _ recorder: Recorder, length: Duration) {
        (self.notifier, self.recorder, end) = (notifier, recorder, length)
        every = max(.minutes(1), length / RunLimits.readiness)
    }

    /// Asks from now on until the end of the run.
    func start() {
        guard recorder.now + every <= end else { return }
        recorder.simulation.schedule(after: every) { [self] in
            ask()
            start()
        }
    }

    private func ask() {
        // On a slow disk the question would keep other work waiting.
        let askedAt = recorder.now
        let isSlow = recorder.record.faults.contains { fault in
            fault.kind == .diskSlow && fault.span.from <= askedAt && askedAt < fault.span.until
        }
        guard !isSlow, notifier.isRunning else { return }
        notifier.ask("/health/ready") { [recorder] answer in
            recorder.note(answer.status, JSONValue(reading: answer.body), askedAt: askedAt)
        }
    }
}

extension Recorder {
    /// What the notifier says of its readiness; an answer that does not say that comes from something before it.
    fileprivate func note(_ status: Int, _ answer: JSONValue?, askedAt: Duration) {
        guard let database = answer?["db"]?.text, let apns = answer?["apns"]?.text,
            record.readiness.count < RunLimits.readiness
        else { return }
        record.readiness.append(
            ReadinessRecord(askedAt: askedAt, answeredAt: now, status: status, database: database, apns: apns)
        )
    }
}
