import Scenarios
import SimulatedStorage

extension KeptWrites {
    /// What a loss of power leaves; nil where the machine runs on.
    var inSimulation: UnsyncedWrites? {
        switch self {
        case .all: nil
        case .nothing: .nothing
        case .some: .some
        case .torn: .torn
        case .garbage: .garbage
        }
    }
}

extension DiskFault {
    /// That share of the operations fails.
    static func failing(_ action: DiskAction, _ ratio: Ratio) -> DiskFault {
        .failing(
            action == .write ? .write : .sync,
            numerator: ratio.numerator,
            denominator: ratio.denominator
        )
    }
}
