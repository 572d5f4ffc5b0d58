import Platform
import Testing

@testable import Notifier

private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

struct LooksSilenceTests {
    @Test func `others' looks are asked again where more is asked of them, or they know more`() {
        let revision = LookRevision()
        let some = LooksSilence(mark: revision.mark, watchers: 2, until: at(10))
        let all = LooksSilence(mark: revision.mark, watchers: 2, until: nil)
        #expect(some.holds(at: at(9)) && !some.holds(at: at(10)))
        #expect(all.holds(at: at(1_000)))
        revision.rise()
        #expect(!some.holds(at: at(9)) && !all.holds(at: at(1_000)))
        #expect(revision.mark.isCurrent)
    }

    @Test func `a row that was shown counts as shown for so long, unless it is seen otherwise`() {
        let revision = LookRevision()
        let row = ShownRow(mark: revision.mark, at: at(10))
        #expect(row.wasShown(since: at(10)) && !row.wasShown(since: at(11)))
        revision.rise()
        #expect(!row.wasShown(since: at(10)))
    }
}
