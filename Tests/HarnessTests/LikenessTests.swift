import FoundationEssentials
import NotifierKit
import Testing

@testable import Harness

/// What is compared of devices and server.
@Suite struct LikenessTests {
    private func lines(read ids: String...) -> Lines {
        var copy = SyncCopy()
        copy.restore(readMarks: Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) }))
        return Lines(copy, at: .distantPast)
    }

    @Test func `a mark that left with its notification counts no more, any other does`() {
        let (shown, told) = (lines(read: "n1", "n2", "n3"), lines(read: "n2"))
        #expect(shown != told)
        #expect(shown.marks(notIn: told) == ["n1", "n3"])
        #expect(shown.without(marks: ["n1", "n2"], but: told) == lines(read: "n2", "n3"))
        #expect(shown.without(marks: ["n1", "n3"], but: told) == told)
    }
}
