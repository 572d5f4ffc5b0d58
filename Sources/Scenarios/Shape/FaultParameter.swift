import JSON
import Platform

/// One key of a fault: what may stand there, what it means, and how it is written.
struct FaultParameter<Value: Sendable>: Sendable {
    let field: Field
    /// Nil when a value that the shape promised is not there.
    let read: @Sendable (inout ScenarioDecoder, Cursor) -> Value?
    /// Nil for what is left out.
    let write: @Sendable (Value) -> JSONValue?

    fileprivate init(
        _ field: Field,
        read: @escaping @Sendable (inout ScenarioDecoder, Cursor) -> Value?,
        write: @escaping @Sendable (Value) -> JSONValue?
    ) {
        (self.field, self.read, self.write) = (field, read, write)
    }
}

extension FaultParameter where Value: CaseIterable & RawRepresentable<String> {
    /// One of the names of a closed list.
    static func choice(_ key: String, standard: Value? = nil, _ summary: String) -> FaultParameter {
        FaultParameter(
            Field(key, .oneOf(Value.self), isRequired: standard == nil, summary),
            read: { _, cursor in cursor.choice(key) ?? standard },
            write: { .string($0.rawValue) }
        )
    }
}

extension FaultParameter<Link> {
    static let link = choice("link", "On which link.")
}

extension FaultParameter<Username> {
    /// Whose device.
    static let owner = FaultParameter(
        Field("person", .notation(.username), isRequired: true, "Whose device it is."),
        read: { decoder, cursor in cursor["person"].flatMap { decoder.decodePerson($0) } },
        write: { .string($0.description) }
    )
}

extension FaultParameter<DeviceName> {
    /// Which of the owner's devices.
    static let device = FaultParameter(
        .namedDevice,
        read: { _, cursor in cursor.text("device").flatMap(DeviceName.init(_:)) },
        write: { .string($0.text) }
    )
}

extension FaultParameter<Username?> {
    /// Whose pushes; everybody's where nobody is named.
    static let struckPerson = FaultParameter(
        Field("person", .notation(.username), "Whose pushes it hits; everybody's by default."),
        read: { decoder, cursor in
            let person = cursor["person"].flatMap { decoder.decodePerson($0) }
            return .some(person)
        },
        write: { $0.map { JSONValue.string($0.description) } }
    )
}

extension FaultParameter<DeviceName?> {
    /// Pushes to which of the person's devices.
    static let struckDevice = FaultParameter(
        Field("device", .notation(.device), "Pushes to which device; all of the person by default."),
        read: { _, cursor in
            let device = cursor.text("device").flatMap(DeviceName.init(_:))
            return .some(device)
        },
        write: { $0.map { JSONValue.string($0.text) } }
    )
}

extension FaultParameter<ClockNode> {
    static let node = choice("node", "Whose clock.")
}

extension FaultParameter<Duration> {
    /// Longer than nothing; `standard` where the key may be left out.
    static func length(_ key: String, standard: Duration? = nil, _ summary: String) -> FaultParameter {
        duration(Field(key, .length, isRequired: standard == nil, summary), standard: standard ?? .zero)
    }

    /// Forwards or backwards.
    static func signed(_ key: String, _ summary: String) -> FaultParameter {
        duration(Field(key, .notation(.signedDuration), isRequired: true, summary), standard: .zero)
    }

    static let stall = length("stall", "How long nothing comes.")

    private static func duration(_ field: Field, standard: Duration) -> FaultParameter {
        FaultParameter(
            field,
            read: { _, cursor in cursor.duration(field.key) ?? standard },
            write: { .string(DurationNotation.text($0)) }
        )
    }
}

extension FaultParameter<Int> {
    /// In the range; `standard` where the key may be left out.
    static func integer(
        _ key: String,
        _ range: ClosedRange<Int>,
        standard: Int? = nil,
        _ summary: String
    ) -> FaultParameter {
        let shape = Shape.integer(Int64(range.lowerBound)...Int64(range.upperBound))
        return FaultParameter(
            Field(key, shape, isRequired: standard == nil, summary),
            read: { _, cursor in cursor.integer(key) ?? standard ?? range.lowerBound },
            write: { .integer(Int64($0)) }
        )
    }
}

extension FaultParameter<Ratio> {
    /// The share of requests that the fault hits; all by default.
    static let ratio = FaultParameter(
        Field("ratio", .ratio, "Share of requests it hits; all by default."),
        read: { _, cursor in cursor.ratio("ratio") ?? .one },
        write: { .string($0.description) }
    )
}

extension FaultParameter<QuantileTable> {
    static let latency = FaultParameter(
        Field("latency", .latency, isRequired: true, "How much is added."),
        read: { decoder, cursor in cursor["latency"].map { decoder.decodeLatency($0) } ?? .constant(.zero) },
        write: { ScenarioEncoder.latency($0) }
    )
}

extension FaultParameter<String> {
    /// The pattern as it stands; the fake GitLab reads every one that is sound.
    static let route = FaultParameter(
        Field(
            "route",
            .notation(.text),
            isRequired: true,
            "A path below /api/v4, perhaps after a method: * is one part of it, ** any end."
        ),
        read: { decoder, cursor in
            guard let place = cursor["route"], let text = cursor.text("route") else { return "/**" }
            if !RouteNotation.isSound(text) {
                let hint = "Write a path below /api/v4, such as /projects/*/issues/** or GET /todos."
                decoder.note(.badNotation, place, "\"\(text)\" is not a route.", hint: hint)
            }
            return text
        },
        write: { .string($0) }
    )
}
