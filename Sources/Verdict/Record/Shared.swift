/// A value behind a reference: many may have it, and it stands in memory once. Who changes it has a copy of their own from then on.
struct Shared<Value: Hashable & Sendable>: Sendable, Hashable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    static func == (left: Shared, right: Shared) -> Bool { left.isSame(as: right) || left.value == right.value }

    /// Whether both have the one value, and not two that are equal.
    func isSame(as other: Shared) -> Bool { box === other.box }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
