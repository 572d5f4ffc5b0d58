/// Shapes that several parts of a scenario share.
extension Shape {
    /// A share of requests, `"10%"`.
    static let ratio = Shape.notation(.ratio)
    /// A duration longer than nothing.
    static let length = Shape.notation(.length)

    /// One of the raw values of a closed enum, in the order of its declaration.
    static func oneOf<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> Shape {
        .choice(type.allCases.map(\.rawValue))
    }

    /// One person, several to choose from, or anyone.
    static let person = Shape.either([.notation(.person), .list(.notation(.username), count: 1...500)])
    /// One item, several to choose from, or any.
    static let item = Shape.either([.notation(.anyItem), .list(.notation(.items), count: 1...5_000)])
    /// One text, or several to choose from.
    static let texts = Shape.either([.notation(.text), .list(.notation(.text), count: 1...500)])
    /// One named person, or several to choose from.
    static let namedPerson = Shape.either([.notation(.username), .list(.notation(.username), count: 1...500)])
    static let people = Shape.list(.notation(.username), count: 0...100)

    /// A constant latency, or a distribution by quantiles.
    static let latency = Shape.either([.notation(.duration), .object(latencyQuantiles)])

    private static let latencyQuantiles = ObjectShape(
        name: "latencyQuantiles",
        summary: "A distribution: the share of requests at or below each time; rising from min to max.",
        fields: [
            Field("min", .notation(.duration), isRequired: true, "The shortest."),
            Field("p50", .notation(.duration), isRequired: true, "Half are at most this long."),
            Field("p90", .notation(.duration), "90 of 100 are at most this long."),
            Field("p99", .notation(.duration), "99 of 100 are at most this long."),
            Field("max", .notation(.duration), isRequired: true, "The longest."),
        ]
    )
}
