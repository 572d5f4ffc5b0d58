import CSQLite
import Platform

/// What a disk answers with instead of carrying an operation out.
package enum DiskFault: Sendable, Equatable {
    /// There is no room for anything that is written.
    case full
    /// Whoever writes finds the database damaged.
    case damaged
    /// The disk can be read, not written.
    case readOnly
    /// That share of the operations of one kind fails.
    case failing(DiskOperation, numerator: UInt64, denominator: UInt64)

    func refusal(of operation: DiskOperation, drawing random: inout RandomStream) -> Int32? {
        switch self {
        case .full: operation == .write ? SQLITE_FULL : nil
        case .damaged: operation == .write ? SQLITE_CORRUPT : nil
        case .readOnly: operation == .write ? SQLITE_READONLY : nil
        case .failing(operation, let numerator, let denominator):
            random.chance(numerator, in: denominator)
                ? (operation == .write ? ResultCode.write : ResultCode.sync) : nil
        case .failing: nil
        }
    }
}
