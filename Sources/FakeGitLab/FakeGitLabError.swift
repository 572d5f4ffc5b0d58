/// Why a call that builds or changes the fake's world was refused. Nothing has changed then.
package struct FakeGitLabError: Error, Equatable, CustomStringConvertible {
    /// What went wrong; stable.
    package enum Code: String, Sendable, CaseIterable {
        case unknownPerson, unknownProject, unknownItem, unknownNote, unknownTodo, unknownToken, unknownFault
        case duplicateName, invalidReference, invalidValue, wrongState, wrongKind, notAllowed, limitReached
    }

    package let code: Code
    /// One plain sentence.
    package let message: String
    /// What to do next.
    package let hint: String

    package init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    package var description: String { "\(code.rawValue): \(message) (\(hint))" }
}
