/// Why a cycle reads an item.
enum DueReason: Hashable, Sendable {
    /// Every item is read in every cycle.
    case everyCycle
    /// A webhook named it.
    case named
}
