extension JSONValue {
    /// JSON text, the same bytes every time; with `indented` on lines of two blanks per level. No newline at the end.
    package func text(indented: Bool) -> String {
        var writer = JSONWriter(isIndented: indented)
        writer.write(self, level: 0)
        return writer.text
    }
}

private struct JSONWriter {
    var isIndented: Bool
    var text = ""

    mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let value): quote(value)
        case .array(let elements): writeArray(elements, level: level)
        case .object(let members): writeObject(members, level: level)
        }
    }

    private mutating func writeArray(_ elements: [JSONValue], level: Int) {
        text += "["
        let isFlat = elements.allSatisfy(\.isScalar) && elements.count <= 12
        for (index, element) in elements.enumerated() {
            if index > 0 { text += isIndented && isFlat ? ", " : "," }
            if !isFlat { breakLine(level + 1) }
            write(element, level: level + 1)
        }
        if !isFlat && !elements.isEmpty { breakLine(level) }
        text += "]"
    }

    private mutating func writeObject(_ members: [JSONMember], level: Int) {
        text += "{"
        let isFlat = isIndented && members.count <= 4 && members.allSatisfy(\.value.isShort)
        for (index, member) in members.enumerated() {
            if index > 0 { text += isFlat ? ", " : "," }
            if !isFlat { breakLine(level + 1) }
            quote(member.key)
            text += isIndented ? ": " : ":"
            write(member.value, level: level + 1)
        }
        if !isFlat && !members.isEmpty { breakLine(level) }
        text += "}"
    }

    private mutating func breakLine(_ level: Int) {
        guard isIndented else { return }
        text += "\n" + String(repeating: "  ", count: level)
    }

    private mutating func quote(_ value: String) {
        text += "\""
        // Hardly any text has a character that needs it.
        if value.utf8.contains(where: Self.needsEscape) { escape(value) } else { text += value }
        text += "\""
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ value: String) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension JSONValue {
    /// Whether an object of a few such values still fits on one line.
    fileprivate var isShort: Bool {
        switch self {
        case .array, .object: false
        case .string(let text): text.utf8.count <= 48
        case .null, .bool, .number: true
        }
    }

    fileprivate var isScalar: Bool {
        switch self {
        case .array, .object: false
        case .null, .bool, .number, .string: true
        }
    }
}
