import Testing

@testable import Notifier

struct SignalPolicyTests {
    @Test(arguments: Signal.Kind.allCases)
    func `what was said before is not said again, whatever else holds`(kind: Signal.Kind) {
        for isSettled in [false, true] {
            let known = SignalPolicy.Circumstances(isRepeated: true, isSettled: isSettled, openAsks: 1_000)
            #expect(SignalPolicy.decide(kind, known) == .ignore)
        }
    }

    @Test func `runs are told, settling settles, and both are taken however much is asked`() {
        let busy = SignalPolicy.Circumstances(isSettled: true, openAsks: 1_000)
        #expect(SignalPolicy.decide(.runCompleted, busy) == .tell)
        #expect(SignalPolicy.decide(.runFailed, busy) == .tell)
        #expect(SignalPolicy.decide(.settled, busy) == .settle)
    }

    @Test func `an approval is asked for once, not after it was settled, and not beyond the limit`() {
        #expect(SignalPolicy.decide(.approvalNeeded, SignalPolicy.Circumstances(openAsks: 99)) == .tell)
        #expect(SignalPolicy.decide(.approvalNeeded, SignalPolicy.Circumstances(openAsks: 100)) == .refuse)
        let late = SignalPolicy.Circumstances(isSettled: true, openAsks: 100)
        #expect(SignalPolicy.decide(.approvalNeeded, late) == .keep)
    }
}
