/// How polling notices that something was done to a watched item.
package enum ChangeDetection: String, Sendable, CaseIterable {
    /// Every cycle reads the lists of every item.
    case perItem
    /// One request for up to a hundred items tells which of them to read.
    case sweep
}
