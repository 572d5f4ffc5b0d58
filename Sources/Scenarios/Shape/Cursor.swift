import JSON
import Platform

/// A place in a JSON tree whose shape was found sound, with its pointer for messages.
struct Cursor {
    var node: JSONNode
    var pointer: String

    subscript(key: String) -> Cursor? {
        node[key].map { Cursor(node: $0, pointer: JSONPointer.append(key, to: pointer)) }
    }

    /// The elements of an array, or the value itself where one stands for a list of one.
    var elements: [Cursor] {
        guard let elements = node.elements else { return [self] }
        return elements.enumerated().map { index, node in
            Cursor(node: node, pointer: JSONPointer.append(String(index), to: pointer))
        }
    }

    /// The elements of the array under `key`; none when there is none.
    func list(_ key: String) -> [Cursor] { self[key]?.elements ?? [] }

    func text(_ key: String) -> String? { node[key]?.string }

    func integer(_ key: String) -> Int? { node[key]?.integer.map(Int.init) }

    func bool(_ key: String) -> Bool? { node[key]?.bool }

    func duration(_ key: String) -> Duration? { text(key).flatMap(DurationNotation.parseSigned) }

    func ratio(_ key: String) -> Ratio? { text(key).flatMap(Ratio.init(notation:)) }

    func project(_ key: String) -> ProjectPath? { text(key).flatMap(ProjectPath.init(_:)) }

    func choice<Value: RawRepresentable<String>>(_ key: String) -> Value? { text(key).flatMap(Value.init(rawValue:)) }
}
