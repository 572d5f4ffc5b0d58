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

    private let loop: EventLoop
    private let retention: Retention
    private var digest = RunningDigest()
    private var behaviour = RunningDigest()
    private var kept: [(number: Int64, record: TraceRecord)] = []
    /// Events of exchanges under way, while it is open whether they are worth keeping.
    private var held: [Int64: [(number: Int64, record: TraceRecord)]] = [:]

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

    /// Every event kept so far, in order.
    package var records: [TraceRecord] {
        (kept + held.values.flatMap { $0 }).sorted { $0.number < $1.number }.map(\.record)
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
        guard retention == .notable, let exchange = record.event.exchange else {
            kept.append((count, record))
            return
        }
        held[exchange, default: []].append((count, record))
        guard case .exchangeEnded(_, let status, _) = record.event else { return }
        let events = held.removeValue(forKey: exchange) ?? []
        if status != 304 { kept += events }
    }
}
