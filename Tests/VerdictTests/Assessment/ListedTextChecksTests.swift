import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// What apps list of notifications and of who waits, against the pushes and the items.
struct ListedTextChecksTests {
    private static let place = "https://gitlab.example/team/backend/-/merge_requests/847#note_1001"
    private static let words = "Does this also cover uploads that were broken off?"

    /// A comment of Jonas, as it was pushed.
    private func makeBuilder() -> RecordBuilder {
        var builder = RecordBuilder()
        builder.activity(at: 100)
        builder.deliver(["note/7/1001"], pushed: 110, shown: 111)
        builder.record.pushes[0].content?.title = "Jonas commented on MR !847"
        builder.record.pushes[0].content?.text = "Retry logic\n" + Self.words
        builder.record.pushes[0].content?.target = PushTarget(
            itemType: "merge_request",
            itemNumber: 847,
            projectPath: "team/backend",
            webAddress: Self.place
        )
        return builder
    }

    private func list(
        _ builder: inout RecordBuilder,
        _ subject: ListedTextRecord.Subject = .notification("n1"),
        title: String = "Jonas commented on MR !847",
        text: String = words,
        address: String? = place
    ) {
        builder.record.listedTexts.append(
            ListedTextRecord(
                at: .seconds(200),
                person: RecordBuilder.maria,
                device: RecordBuilder.phone,
                subject: subject,
                title: title,
                text: text,
                address: address
            )
        )
    }

    private func broken(_ builder: RecordBuilder) -> [ViolationRecord.Invariant] {
        Assessment.assess(builder.record).violations.map(\.invariant)
    }

    @Test func `what is listed as it was pushed is right, and so is what nobody pushed`() {
        var builder = makeBuilder()
        list(&builder)
        list(&builder, .notification("n2"), title: "Something else")
        #expect(broken(builder) == [])
    }

    @Test func `how far off a day is may have been said anew`() {
        func isWrong(_ title: String) -> Bool {
            var builder = makeBuilder()
            let date = CivilDate(year: 2027, month: 1, day: 17)
            builder.record.pushes[0].content?.title = "MR !847 is due today"
            builder.record.pushes[0].content?.due = DueContent(item: RecordBuilder.request, date: date, step: 1)
            list(&builder, title: title)
            return broken(builder).contains(.screenMistold)
        }
        #expect(!isWrong("MR !847 is due tomorrow") && !isWrong("MR !847 was due yesterday"))
        #expect(isWrong("MR !848 is due tomorrow") && isWrong("MR !847 is closed"))
    }

    @Test func `another title, other words or another address is not`() {
        var title = makeBuilder()
        list(&title, title: "Tom commented on MR !847")
        var text = makeBuilder()
        list(&text, text: "Jonas commented on MR !847")
        var nowhere = makeBuilder()
        list(&nowhere, address: nil)
        for builder in [title, text, nowhere] { #expect(broken(builder) == [.screenMistold]) }
    }

    @Test func `what was cut is known by its beginning`() {
        let long = String(repeating: "every line of it and ", count: 100)
        var builder = makeBuilder()
        builder.record.pushes[0].content?.text = "Retry logic\n\(long.prefix(700))…"
        builder.record.pushes[0].content?.title = "Jonas comm…"
        builder.record.pushes[0].content?.target?.webAddress = nil
        list(&builder, text: long)
        #expect(broken(builder) == [])
        var short = makeBuilder()
        short.record.pushes[0].content?.text = "Retry logic\n\(long.prefix(50))…"
        list(&short, text: long)
        #expect(broken(short) == [])
        list(&short, .notification("n1"), text: "none " + long)
        #expect(broken(short) == [.screenMistold])
    }

    @Test func `who waits is listed by the item, its title and its address`() {
        func broken(title: String = "Tom requested your review on MR !847", text: String, address: String?)
            -> [ViolationRecord.Invariant]
        {
            var builder = makeBuilder()
            list(&builder, .ask(on: RecordBuilder.request), title: title, text: text, address: address)
            return self.broken(builder)
        }
        #expect(broken(text: "Retry logic", address: Self.place) == [])
        #expect(broken(text: "", address: nil) == [])
        #expect(broken(text: "Leak", address: Self.place) == [.screenMistold])
        #expect(broken(title: "Tom requested your review on MR !8", text: "", address: nil) == [.screenMistold])
        let other = "https://gitlab.example/team/backend/-/merge_requests/84"
        #expect(broken(text: "Retry logic", address: other) == [.screenMistold])
    }
}
