import JSON

@testable import Scenarios

/// What the format of scenarios offers, key by key and value by value, and what of it some scenarios use. It follows the one
/// description behind schema, check and documentation, so that what is added to the format is asked for the same day.
struct FormatCoverage {
    /// Everything that can stand in a scenario: `gitlab.edition`, `gitlab.edition=ee`, `action.commits`. A key that many actions or
    /// faults have, such as `except`, is asked for once.
    private(set) var entries: [String] = []
    private(set) var used: Set<String> = []
    /// A closed list that several keys of one name share is one table; it is named by the first of them.
    private var tables: [String: String] = [:]

    init() {
        visit(.object(ScenarioShape.root), key: "", of: "", node: nil)
    }

    /// Notes what a scenario uses.
    mutating func read(_ scenario: JSONNode) {
        visit(.object(ScenarioShape.root), key: "", of: "", node: scenario)
    }

    /// What no scenario uses, in the order of the format.
    var unused: [String] { entries.filter { !used.contains($0) } }

    /// Without a node everything is listed; with one it is noted as used.
    private mutating func visit(_ shape: Shape, key: String, of object: String, node: JSONNode?) {
        switch shape {
        case .choice(let values): visit(values, key: key, of: object, node: node)
        case .list(let element, _):
            guard let node else { return visit(element, key: key, of: object, node: nil) }
            for part in node.elements ?? [] { visit(element, key: key, of: object, node: part) }
        case .object(let object): visit(object, node)
        case .variant(let variant): visit(variant, node)
        case .either(let shapes):
            for shape in shapes where node.map({ Self.fits(shape, $0) }) ?? true {
                visit(shape, key: key, of: object, node: node)
            }
        case .setting(let shape): visit(shape, key: key, of: object, node: node)
        case .notation, .integer, .boolean, .anyText: break
        }
    }

    private mutating func visit(_ values: [String], key: String, of object: String, node: JSONNode?) {
        // A gate that looks at some actions uses none of them.
        guard object != "gate" else { return }
        let list = key + "=" + values.joined(separator: ",")
        let table = tables[list] ?? "\(object).\(key)"
        tables[list] = table
        for value in values where node.map({ $0.string == value }) ?? true { note("\(table)=\(value)", node) }
    }

    private mutating func visit(_ object: ObjectShape, keysOf owner: String? = nil, _ node: JSONNode?) {
        // What a mix draws is an action like any other.
        if object.name == "weights" {
            for member in node?.members ?? [] { note("action-\(member.key).action=\(member.key)", node) }
            return
        }
        for field in object.fields {
            let value = node?[field.key]
            guard node == nil || value != nil else { continue }
            note("\(owner ?? object.name).\(field.key)", node)
            visit(field.shape, key: field.key, of: object.name, node: value)
        }
    }

    private mutating func visit(_ variant: VariantShape, _ node: JSONNode?) {
        for form in variant.forms where node.map({ Self.fits(form, $0) }) ?? true {
            visit(form.object, keysOf: form.key, node)
        }
        visit(ObjectShape(name: variant.name, summary: "", fields: variant.commonFields), node)
    }

    private mutating func note(_ entry: String, _ node: JSONNode?) {
        if node != nil {
            used.insert(entry)
        } else if !entries.contains(entry) {
            entries.append(entry)
        }
    }

    private static func fits(_ form: VariantShape.Form, _ node: JSONNode) -> Bool {
        guard let teller = node[form.key] else { return false }
        return form.value == nil || form.value == teller.string
    }

    private static func fits(_ shape: Shape, _ node: JSONNode) -> Bool {
        switch shape {
        case .object: node.members != nil
        case .list: node.elements != nil
        default: node.members == nil && node.elements == nil
        }
    }
}
