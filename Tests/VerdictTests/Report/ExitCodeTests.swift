import Testing

@testable import Verdict

/// The numbers a caller of `simctl` relies on.
struct ExitCodeTests {
    @Test func `the numbers are those of the contract`() {
        let numbers = ExitCode.allCases.map(\.rawValue)
        #expect(numbers == [0, 1, 2, 3, 4, 64, 65, 70, 124, 130])
    }

    @Test(arguments: [
        ([] as [ExitCode], ExitCode.met),
        ([.met, .met], .met),
        ([.met, .insufficientEvidence], .insufficientEvidence),
        ([.insufficientEvidence, .failed, .met], .failed),
        ([.failed, .invariantBroken, .insufficientEvidence], .invariantBroken),
        ([.notDeterministic, .invariantBroken], .notDeterministic),
        ([.failed, .internalError, .notDeterministic], .internalError),
    ])
    func `of several results the one that matters most wins`(codes: [ExitCode], worst: ExitCode) {
        #expect(ExitCode.worst(of: codes) == worst)
        #expect(ExitCode.worst(of: codes.reversed()) == worst)
    }
}
