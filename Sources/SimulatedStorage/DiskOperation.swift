/// What a database asks of the disk, as far as it can make a difference to what the disk holds after a loss of power.
package enum DiskOperation: String, Sendable, Hashable, CaseIterable {
    /// Bytes are written, or a file is cut: the running machine reads them, the medium may or may not have them.
    case write
    /// Everything written to a file is on the medium when it ends.
    case sync
}
