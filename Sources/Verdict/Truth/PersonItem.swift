import Scenarios

/// An item, as it concerns one person.
struct PersonItem: Hashable {
    var person: Username
    var item: ItemReference
}
