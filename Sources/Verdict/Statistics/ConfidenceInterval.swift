/// Where a figure lies, at a confidence that the caller asked for.
package struct ConfidenceInterval: Sendable, Equatable {
    package var lower: Double
    package var upper: Double
}
