import Platform
import Scenarios

/// What a person says they missed: who, on what, and when, in the notation of scenarios.
struct MissedNews: Equatable {
    /// In quotes, as shells take `!` for their history.
    static let example = "--missed '@maria,team/backend!847,2026-03-02T14:10:00Z'"

    var person: Username
    var item: ItemReference
    var at: WallTime

    /// - Throws: `ProgramError` for a text that is not `PERSON,ITEM,TIME`.
    init(_ text: String) throws(ProgramError) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3 else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not who missed what when: a person, an item and an instant, separated by commas",
                hint: Self.example
            )
        }
        guard words[0].hasPrefix("@"), let person = Username(String(words[0].dropFirst())) else {
            throw Self.refusal(of: words[0], "no person: @ and a name of GitLab's")
        }
        guard let item = ItemReference(notation: words[1]) else {
            throw Self.refusal(of: words[1], "no item: a project's path, ! or # for an issue, and its number")
        }
        guard let at = CalendarNotation.wallTime(words[2]) else {
            throw Self.refusal(
                of: words[2],
                "no instant: to the second, with Z at its end for UTC or an offset such as +01:00"
            )
        }
        guard at <= CalendarNotation.latest else {
            throw ProgramError(.badValue, "\(words[2]) is after the year 2199", hint: Self.example)
        }
        (self.person, self.item, self.at) = (person, item, at)
    }

    private static func refusal(of word: String, _ what: String) -> ProgramError {
        ProgramError(.badValue, "\"\(word)\" in --missed is \(what)", hint: example)
    }
}
