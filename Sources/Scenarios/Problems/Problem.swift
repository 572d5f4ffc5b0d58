package import JSON

/// What can be wrong with a scenario file; the raw value is stable and stands in messages, tests and JSON.
enum ProblemCode: String, Sendable, Hashable, CaseIterable {
    // The file.
    case fileNotFound = "file-not-found"
    case notAFile = "not-a-file"
    case unreadableFile = "unreadable-file"
    case emptyFile = "empty-file"
    case tooLarge = "too-large"
    case notUTF8 = "not-utf-8"
    case byteOrderMark = "byte-order-mark"
    // The text.
    case jsonSyntax = "json-syntax"
    case jsonTruncated = "json-truncated"
    case tooDeep = "json-too-deep"
    case duplicateKey = "duplicate-key"
    // The shape.
    case unknownKey = "unknown-key"
    case missingKey = "missing-key"
    case conflictingKeys = "conflicting-keys"
    case wrongType = "wrong-type"
    case badNotation = "bad-notation"
    case badUnit = "bad-unit"
    case unknownValue = "unknown-value"
    case outOfRange = "out-of-range"
    // The meaning.
    case unknownPerson = "unknown-person"
    case unknownProject = "unknown-project"
    case unknownItem = "unknown-item"
    case unknownDevice = "unknown-device"
    case unknownDuty = "unknown-duty"
    case unknownFault = "unknown-fault"
    case duplicateName = "duplicate-name"
    case duplicateItem = "duplicate-item"
    case duplicateEntry = "duplicate-entry"
    case impossibleTime = "impossible-time"
    case impossibleAction = "impossible-action"
    case notNotified = "not-notified"
    case notAMember = "not-a-member"
    case tooManySteps = "too-many-steps"
}

extension ProblemCode {
    /// What a text that is no JSON is called.
    init(_ kind: JSONReader.Failure.Kind) {
        self =
            switch kind {
            case .syntax: .jsonSyntax
            case .truncated: .jsonTruncated
            case .tooDeep: .tooDeep
            }
    }
}

/// One thing that is wrong with a scenario file, told so that its author can mend it.
package struct Problem: Error, Sendable, Equatable {
    var code: ProblemCode
    /// The file's path as it was given.
    var file: String
    /// Nil when the file as a whole is meant.
    var position: SourcePosition?
    /// JSON pointer (RFC 6901) of the value; empty for the whole document.
    package var pointer: String = ""
    /// A plain sentence.
    var message: String
    /// What would have been possible, in the order of the table; empty when that is no closed list.
    var allowed: [String] = []
    /// The allowed name that looks most like the one given.
    var nearest: String?
    /// The next step, when there is more to say than `nearest`.
    var hint: String?

    /// The problem for people: one line that editors recognise, and indented lines that help.
    package var text: String {
        var lines = ["\(place): error: \(message) [\(code.rawValue)]"]
        if !pointer.isEmpty { lines.append("  at: \(pointer)") }
        if let nearest { lines.append("  did you mean: \(nearest)") }
        if let hint { lines.append("  hint: \(hint)") }
        if !allowed.isEmpty { lines.append("  allowed: \(allowed.joined(separator: ", "))") }
        return lines.joined(separator: "\n")
    }

    /// The problem for programs: an object with `code`, `file`, `line`, `column`, `pointer`, `message`, `allowed`, `nearest`, `hint`.
    package var json: JSONValue {
        .object([
            JSONMember("code", .string(code.rawValue)),
            JSONMember("file", .string(file)),
            JSONMember("line", position.map { .integer(Int64($0.line)) } ?? .null),
            JSONMember("column", position.map { .integer(Int64($0.column)) } ?? .null),
            JSONMember("pointer", .string(pointer)),
            JSONMember("message", .string(message)),
            JSONMember("allowed", .strings(allowed)),
            JSONMember("nearest", nearest.map(JSONValue.string) ?? .null),
            JSONMember("hint", hint.map(JSONValue.string) ?? .null),
        ])
    }

    private var place: String {
        guard let position else { return file }
        return "\(file):\(position.line):\(position.column)"
    }
}

/// Everything that is wrong with one scenario file, at least one thing and at most `maximumCount`.
package struct InvalidScenario: Error, Sendable, Equatable {
    /// How many problems of one file are reported; the rest waits until these are mended.
    static let maximumCount = 50

    /// In the order of their places.
    package var problems: [Problem]
}
