import Platform

/// The record of a run: a digest always, the events themselves only when asked, because a rerun can bring them back.
///
/// Isolation: used by the simulation's thread.
package final class Trace: @unchecked Sendable {
    // @unchecked: touched only by the thread that runs the loop.

    /// What a trace keeps besides its digest.
    package enum Retention: Sendable {
        case digestOnly
        case everything
    }

    /// Every event so far when they are kept, in order.
    package private(set) var records: [TraceRecord] = []
    /// How many events were recorded, kept or not.
    package private(set) var count: Int64 = 0
    /// Called with each event when set.
    package var observer: ((TraceRecord) -> Void)?

    private let loop: EventLoop
    private let retention: Retention
    private var digest = TraceDigest()

    init(loop: EventLoop, retention: Retention) {
        self.loop = loop
        self.retention = retention
    }

    /// Adds an event at the present instant.
    package func record(_ event: TraceEvent, node: UInt32 = 0) {
        count += 1
        digest.fold(loop.now.nanoseconds)
        digest.fold(UInt64(node))
        event.fold(into: &digest)
        let record = TraceRecord(at: loop.now, node: node, event: event)
        if retention == .everything { records.append(record) }
        observer?(record)
    }

    /// Folds the running of one job into the digest: a different schedule is a different run.
    func foldJob(of node: UInt32) {
        digest.fold(UInt64(node) | 1 << 40)
    }

    /// The digest over everything so far, sixteen hexadecimal digits.
    package var digestText: String { digest.text }
}
