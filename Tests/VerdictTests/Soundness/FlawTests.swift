import Testing

@testable import Verdict

struct FlawTests {
    private func result() -> SeedResult {
        var result = SeedResult(seed: 1, digest: "", steps: 1, simulatedMilliseconds: 1)
        result.drainedAfterMilliseconds = 0
        return result
    }

    @Test func `a quiet end has no flaw`() {
        #expect(result().flaws.isEmpty)
    }

    @Test func `each thing that is wrong is a flaw`() {
        var broken = result()
        broken.drainedAfterMilliseconds = nil
        #expect(broken.flaws == [Flaw(.notDrained)])
        var slice = SliceResult()
        (slice.duplicates, slice.unexpected) = (1, 2)
        broken = result()
        broken.slices = [slice]
        broken.violations = [Violation(invariant: .outboxLost, atMilliseconds: 0, detail: "")]
        broken.violationsInAll = 1
        #expect(
            broken.flaws.map(\.signature) == ["duplicate", "unexpected", "invariant: outbox-row-lost"]
        )
    }

    @Test func `only causes that stand in the list excuse a miss`() {
        let causes: [MissCause] = [
            .notPolledBeforeEnd, .notDetected, .silenced(reason: ""), .notNamedInBatch, .neverAttempted,
            .rejected(reason: ""), .lostByFault(id: ""), .answerLostNotDisplayed, .acceptedNotDisplayed, .stillInFlight,
        ]
        for cause in causes {
            var missed = result()
            missed.causes = [CauseCount(code: cause.code, count: 1)]
            #expect(missed.flaws == [Flaw(.missed, cause.code)])
        }
        #expect(Excuse.reasons.count == 11)
    }
}
