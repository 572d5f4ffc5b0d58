import Configuration

extension ScenarioShape {
    /// Every setting of the notifier but those that are the world's.
    static let notifier = ObjectShape(
        name: "notifier",
        summary: "Overrides of the notifier's configuration; docs/settings.md says what each is for.",
        fields: NotifierOverrides.keys.map { key in
            Field(key.name, .setting(key.shape), "\(key.allowed); \(key.standard) by default.")
        },
        absent: NotifierOverrides.leftOut
    )
}

extension ConfigurationKeyDescription {
    /// As much of what the notifier takes as a schema can say.
    fileprivate var shape: Shape {
        switch value {
        case .duration(let range): Self.shape(range)
        case .durations(let range, let count): .list(Self.shape(range), count: count)
        case .number(let range): .integer(Int64(range.lowerBound)...Int64(range.upperBound))
        case .flag: .boolean
        case .origin: .notation(.url)
        case .text: .notation(.text)
        case .choice(let names): .choice(names)
        }
    }

    private static func shape(_ range: ClosedRange<Duration>) -> Shape {
        .notation(range.contains(.zero) ? .duration : .length)
    }
}
