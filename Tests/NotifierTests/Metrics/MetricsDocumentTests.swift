import Testing

@testable import Notifier

struct MetricsDocumentTests {
    private static let document = "docs/metrics.md"

    @Test func `the document of metrics says what the table says`() throws {
        let text = MetricsDocument.text + "\n"
        if LiveSourceTree.writesDocuments { try LiveSourceTree.write(text, to: Self.document) }
        #expect(try LiveSourceTree.text(at: Self.document) == text, "make docs writes it anew")
    }
}
