/// Why a call that builds or changes the fake's world was refused. Nothing has changed then.
struct FakeGitLabError: Error, Equatable, CustomStringConvertible {
    /// What went wrong; stable.
    enum Code: String, Sendable, CaseIterable {
        case unknownPerson, unknownProject, unknownItem, unknownNote, unknownTodo, unknownToken, unknownFault
        case duplicateName, invalidReference, invalidValue, wrongState, wrongKind, notAllowed, limitReached
    }

    let code: Code
    /// One plain sentence.
    let message: String
    /// What to do next.
    let hint: String

    init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    var description: String { "\(code.rawValue): \(message) (\(hint))" }
}
