import Platform

/// A fault as scenario files write it: its keys, what they mean, and what is written of it. The rows stand in `FaultForm.all`.
struct FaultForm: Sendable {
    /// The key that says how long a fault lasts.
    enum Length: Sendable {
        case lasting
        /// How long the notifier is down.
        case downFor
        /// How long a device is off.
        case offFor
        /// It happens in an instant.
        case none

        var field: Field? {
            switch self {
            case .lasting: Field("for", .length, isRequired: true, "How long it lasts.")
            case .downFor: Field("downFor", .length, isRequired: true, "How long the notifier is down.")
            case .offFor: Field("offFor", .length, isRequired: true, "How long the device is off.")
            case .none: nil
            }
        }
    }

    let kind: FaultKind
    let place: FaultPlace
    let nature: FaultNature
    /// One line for documentation and editors.
    let summary: String
    /// The keys beside `fault` and the time.
    let fields: [Field]
    private let length: Length
    private let makeEffect: @Sendable (inout ScenarioDecoder, Cursor) -> FaultEffect?
    private let writeEffect: @Sendable (FaultEffect, inout JSONObject) -> Void

    /// A row: `parameters` are the keys beside the length, each with a value of the effect; `effect` makes the effect of these values,
    /// and `values` finds them in one, nil for an effect of another kind. `check` notes what is wrong with values that are sound each
    /// for itself.
    init<each Value: Sendable>(
        _ kind: FaultKind,
        _ place: FaultPlace,
        _ nature: FaultNature,
        _ summary: String,
        _ parameters: repeat FaultParameter<each Value>,
        length: Length = .lasting,
        check: @escaping @Sendable (FaultEffect, inout ScenarioDecoder, Cursor) -> Void = { _, _, _ in },
        effect: @escaping @Sendable (repeat each Value) -> FaultEffect,
        values: @escaping @Sendable (FaultEffect) -> (repeat each Value)?
    ) {
        (self.kind, self.place, self.nature, self.summary, self.length) = (kind, place, nature, summary, length)
        var own: [Field] = []
        repeat own.append((each parameters).field)
        // The length stands before the share of requests.
        let shared = own.last?.key == "ratio" ? own.suffix(1) : []
        fields = own.dropLast(shared.count) + (length.field.map { [$0] } ?? []) + shared
        makeEffect = { decoder, cursor in
            do {
                let made = effect(repeat try Self.read(each parameters, &decoder, cursor))
                check(made, &decoder, cursor)
                return made
            } catch {
                return nil
            }
        }
        writeEffect = { made, object in
            guard let values = values(made) else { preconditionFailure("\(kind.rawValue) writes effects of its kind") }
            repeat object.set((each parameters).field.key, (each parameters).write(each values))
        }
    }

    /// The fault at `cursor`; nil when a value that the shape promised is not there.
    func decode(_ id: EntryID, _ cursor: Cursor, by decoder: inout ScenarioDecoder) -> Fault? {
        guard let effect = makeEffect(&decoder, cursor) else { return nil }
        let length = length.field.flatMap { cursor.duration($0.key) } ?? .zero
        return Fault(id: id, effect: effect, length: length)
    }

    func encode(_ fault: Fault, to object: inout JSONObject) {
        object.set("fault", kind.rawValue)
        writeEffect(fault.effect, &object)
        if let key = length.field?.key { object.set(key, fault.length) }
    }

    private struct Missing: Error {}

    private static func read<Value>(
        _ parameter: FaultParameter<Value>,
        _ decoder: inout ScenarioDecoder,
        _ cursor: Cursor
    ) throws(Missing) -> Value {
        guard let value = parameter.read(&decoder, cursor) else { throw Missing() }
        return value
    }
}

extension FaultKind {
    private static let forms = Dictionary(FaultForm.all.map { ($0.kind, $0) }) { first, _ in first }

    /// What it strikes.
    package var place: FaultPlace { form.place }

    /// What people see of it.
    package var nature: FaultNature { form.nature }

    /// How scenario files write it.
    var form: FaultForm {
        guard let form = Self.forms[self] else { preconditionFailure("every fault has a row in FaultForm.all") }
        return form
    }
}
