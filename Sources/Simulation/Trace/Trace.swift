import Platform

/// The record of a run: two digests always, the events themselves only when asked, because a rerun can bring them back.
///
/// One digest is of the run: events and jobs in the order they came. The other is of its behaviour: what happened and when, whatever
/// the program did to get there.
///
/// Unchecked: simulation thread.
package final class Trace: @unchecked Sendable {
    /// What a trace keeps besides its digest.
    package enum Retention: Sendable {
        case digestOnly
        /// Everything but the exchanges that ended with 304: nine in ten, and nothing came of them.
        case notable
        case everything
    }

    /// How many events were recorded, kept or not.
    private(set) var count: Int64 = 0
    /// Called with each event when set.
    package var observer: ((TraceRecord) -> Void)?
    /// Takes the events that are kept, in order, each as soon as it is certain that it is; none of them stays here then. Set it before the
    /// first event.
    package var sink: ((TraceRecord) -> Void)?

    private let loop: EventLoop
    private var retention: Retention
    private var digest = RunningDigest()
    private var behaviour = RunningDigest()
    private var kept: [TraceRecord] = []
    private var undecided = UndecidedEvents()

    init(loop: EventLoop, retention: Retention) {
        self.loop = loop
        self.retention = retention
    }

    /// Adds an event at the present instant.
    package func record(_ event: TraceEvent, node: UInt32 = 0) {
        count += 1
        fold(event, node: node)
        guard retention != .digestOnly || observer != nil else { return }
        let record = TraceRecord(at: loop.now, node: node, event: event)
        if retention != .digestOnly { keep(record) }
        observer?(record)
    }

    /// Every event kept so far, in order; without a sink.
    package var records: [TraceRecord] { kept + undecided.rest }

    /// Keeps nothing that comes from now on. What belongs to exchanges under way is kept as it is.
    package func endKeeping() {
        for record in undecided.rest { pass(record) }
        undecided = UndecidedEvents()
        retention = .digestOnly
    }

    /// Folds the running of one job into the digest: a different schedule is a different run.
    func foldJob(of node: UInt32) {
        digest.fold(UInt64(node) | 1 << 40)
    }

    /// The digest over everything so far, sixteen hexadecimal digits.
    package var digestText: String { digest.text }

    /// The digest over the events so far and their instants, without the order of jobs and the numbers of exchanges: two builds that
    /// behave alike have the same, however they are written. Sixteen hexadecimal digits.
    package var behaviourText: String { behaviour.text }

    private func fold(_ event: TraceEvent, node: UInt32) {
        var content = RunningDigest()
        content.fold(loop.now.nanoseconds)
        content.fold(UInt64(node))
        event.fold(into: &content)
        behaviour.add(content)
        digest.fold(content)
        digest.fold(event.exchange ?? 0)
    }

    private func keep(_ record: TraceRecord) {
        guard retention == .notable else { return pass(record) }
        undecided.append(record)
        if case .exchangeEnded(let exchange, let status, _) = record.event {
            undecided.decide(exchange, isKept: status != 304)
        }
        while let next = undecided.popDecided() { pass(next) }
    }

    private func pass(_ record: TraceRecord) {
        guard let sink else { return kept.append(record) }
        sink(record)
    }
}
