import Scenarios

/// Which part of a run a gate looks at; gates that look at the same part share its figures.
struct Slice: Sendable, Equatable {
    var window: Window
    var kind: ActionKind?
    var person: Username?

    static let whole = Slice(window: .whole)

    /// The whole run first, then what the gates ask for, each once and in their order.
    static func all(for gates: [Gate]) -> [Slice] {
        var slices = [Slice.whole]
        for gate in gates where !slices.contains(gate.slice) { slices.append(gate.slice) }
        return slices
    }
}

extension Gate {
    /// The part of the run it judges.
    var slice: Slice { Slice(window: window, kind: kind, person: person) }
}

/// Decides what belongs to a slice of one record.
struct SliceFilter {
    /// Nil when it holds every kind.
    private let kinds: Set<ActivityKind>?
    private let person: Username?
    private let spans: [Span]?

    init(_ slice: Slice, record: RunRecord) {
        kinds = slice.kind.map { kind in kind.activity.map { [$0] } ?? [] }
        person = slice.person
        switch slice.window {
        case .whole: spans = nil
        case .during(let id): spans = record.faults.filter { $0.id.belongs(to: id) }.map(\.span)
        case .after(let id):
            let end = record.faults.filter { $0.id.belongs(to: id) }.map(\.span.until).max()
            spans = end.map { [Span(from: $0, until: .seconds(Int64.max / 4))] } ?? []
        }
    }

    func contains(_ activity: ActivityRecord, for person: Username) -> Bool {
        contains(person) && contains(activity.at) && kinds?.contains(activity.kind) != false
    }

    /// For what has no activity: only slices of every kind hold it.
    func contains(unexpectedAt instant: Duration, for person: Username) -> Bool {
        kinds == nil && contains(person) && contains(instant)
    }

    func contains(_ person: Username) -> Bool { self.person.map { $0 == person } ?? true }

    /// Whether any moment of that hour since the start belongs to the window.
    func contains(hour: Int) -> Bool {
        guard let spans else { return true }
        let from = Duration.seconds(hour * 3_600)
        return spans.contains { $0.from < from + .seconds(3_600) && $0.until > from }
    }

    private func contains(_ instant: Duration) -> Bool {
        guard let spans else { return true }
        return spans.contains { $0.from <= instant && instant < $0.until }
    }
}

extension EntryID {
    /// Whether it is that entry or one of its occurrences.
    func belongs(to id: EntryID) -> Bool { self == id || group == id.text }
}
