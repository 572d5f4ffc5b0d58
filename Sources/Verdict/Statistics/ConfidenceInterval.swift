/// Where a figure lies, at a confidence that the caller asked for.
package struct ConfidenceInterval: Sendable, Equatable {
    package var lower: Double
    package var upper: Double

    /// Whether it says that the figure is greater than zero, or less.
    var excludesZero: Bool { lower > 0 || upper < 0 }
}
