import JSON
import Platform

/// An entry of the vocabulary, or a probe, that met a fault in a world.
package struct Encounter: Hashable, Sendable {
    /// What met it, with its table, such as `action comment`.
    package let entry: String
    package let fault: FaultKind

    package init(entry: String, fault: FaultKind) {
        (self.entry, self.fault) = (entry, fault)
    }
}

extension Scenario {
    /// How long before a fault begins or after it ends an action still meets it.
    private static let margin = Duration.seconds(60)

    /// Which actions take place while a fault is in force or within a minute of it, and which settings are changed where it strikes.
    package var encounters: Set<Encounter> {
        var found: Set<Encounter> = []
        for case (let fault, let span)? in timeline.map(\.faultInForce) {
            let near = TimeSpan(from: span.from - Self.margin, until: span.until + Self.margin)
            for entry in timeline {
                guard case .action(let action) = entry.event, entry.occurrence.meets(near) else { continue }
                found.insert(Encounter(entry: WorldVocabulary.action(action.kind), fault: fault.kind))
            }
            for setting in notifier.values {
                found.insert(Encounter(entry: WorldVocabulary.setting(setting.key), fault: fault.kind))
            }
        }
        return found
    }

    /// How often each fault strikes, recurring ones counted once.
    package var faultCounts: [FaultKind: Int] {
        timeline.reduce(into: [:]) { counts, entry in
            if case .fault(let fault) = entry.event { counts[fault.kind, default: 0] += 1 }
        }
    }
}

extension TimelineEntry {
    /// The fault that begins here, and when it may be in force.
    fileprivate var faultInForce: (fault: Fault, span: TimeSpan)? {
        guard case .fault(let fault) = event else { return nil }
        let span = occurrence.span
        return (fault, TimeSpan(from: span.from, until: span.until + fault.length))
    }
}

extension Occurrence {
    /// When it may take place.
    fileprivate var span: TimeSpan {
        switch self {
        case .at(let offset): TimeSpan(from: offset, until: offset)
        case .once(let span), .every(_, let span, _), .rate(_, let span, _): span
        }
    }

    fileprivate func meets(_ other: TimeSpan) -> Bool { span.from <= other.until && other.from <= span.until }
}
