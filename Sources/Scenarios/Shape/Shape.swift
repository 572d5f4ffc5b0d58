/// What a value in a scenario file looks like. One description serves the check, the JSON Schema and the documentation, so
/// that they cannot drift apart.
indirect enum Shape: Sendable {
    case notation(Notation)
    /// One string of a closed list.
    case choice([String])
    case integer(ClosedRange<Int64>)
    case boolean
    case list(Shape, count: ClosedRange<Int>)
    case object(ObjectShape)
    /// An object whose form depends on a key.
    case variant(VariantShape)
    /// A value of one of these, which differ in their JSON type.
    case either([Shape])
    /// Any JSON value, such as the schema's own address.
    case anyText
    /// A setting of the notifier: its own decoder checks it, with its own words; the shape is as much as a schema can say.
    case setting(Shape)
}

/// One key of an object.
struct Field: Sendable {
    var key: String
    var shape: Shape
    var isRequired = false
    /// One sentence for editors.
    var summary: String

    init(_ key: String, _ shape: Shape, isRequired: Bool = false, _ summary: String) {
        self.key = key
        self.shape = shape
        self.isRequired = isRequired
        self.summary = summary
    }

    /// The same key as one that must be there.
    var required: Field { Field(key, shape, isRequired: true, summary) }
}

/// A closed set of keys with rules about which go together.
struct ObjectShape: Sendable {
    enum Rule: Sendable {
        case exactlyOne([String])
        /// The key does not go with the others.
        case excludes(String, [String])
        /// The key needs one of the others at least.
        case needsOneOf(String, [String])
        /// With that value of the key, the others must be there.
        case whenEqual(String, String, needs: [String])
        /// With another value of the key, the others must not be there.
        case unlessEqual(String, String, excludes: [String])
        case notEmpty
    }

    /// The name of its definition in the schema; unique.
    var name: String
    var summary: String
    var fields: [Field]
    var rules: [Rule] = []
    /// Keys that someone may look for here, and why they are not.
    var absent: [String: String] = [:]

    /// The keys in the order of the table.
    var keys: [String] { fields.map(\.key) }

    subscript(key: String) -> Field? { fields.first { $0.key == key } }
}

/// An object that comes in several forms; which one it is, one of its keys tells.
struct VariantShape: Sendable {
    /// A key that tells the form by its value, or (with `value` nil) by being there.
    struct Form: Sendable {
        var key: String
        var value: String?
        /// The keys and rules that only this form has.
        var object: ObjectShape
    }

    var name: String
    var summary: String
    /// Keys that every form has.
    var commonFields: [Field]
    /// Rules that every form obeys.
    var commonRules: [ObjectShape.Rule]
    var forms: [Form]

    /// Everything about one form.
    func complete(_ form: Form) -> ObjectShape {
        var object = form.object
        object.fields += commonFields
        object.rules += commonRules
        return object
    }

    /// The telling keys, each once, in order.
    var keys: [String] { forms.map(\.key).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    /// The values that tell a form under `key`.
    func values(of key: String) -> [String] { forms.filter { $0.key == key }.compactMap(\.value) }

    /// Every key of any form, each once.
    var allKeys: [String] {
        var seen: Set<String> = []
        return (forms.flatMap(\.object.keys) + commonFields.map(\.key)).filter { seen.insert($0).inserted }
    }
}
