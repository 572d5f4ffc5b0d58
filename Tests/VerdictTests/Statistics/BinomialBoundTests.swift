import Testing

@testable import Verdict

/// Figures from statistics §1.
struct BinomialBoundTests {
    private func lower(_ misses: Int, of trials: Int, confidence: Double = 0.95) -> Double {
        BinomialBound.lower(successes: Double(trials - misses), of: Double(trials), confidence: confidence)
    }

    @Test(arguments: [
        (0.99, [299, 473, 628, 773]), (0.995, [598, 947, 1_258, 1_549]), (0.999, [2_995, 4_742, 6_294, 7_752]),
        (0.9999, [29_956, 47_437, 62_956, 77_535]),
    ])
    func `the table of trials needed holds to the trial, anchors 8`(share: Double, needed: [Int]) {
        for (misses, trials) in needed.enumerated() {
            #expect(lower(misses, of: trials) > share)
            #expect(lower(misses, of: trials - 1) <= share)
        }
    }

    @Test(arguments: [
        (0.99, 5, 1_049), (0.99, 10, 1_693), (0.995, 5, 2_100), (0.995, 10, 3_389), (0.999, 5, 10_511),
        (0.999, 10, 16_959), (0.9999, 5, 105_128), (0.9999, 10, 169_619),
    ])
    func `more misses need more trials, anchors 8`(share: Double, misses: Int, trials: Int) {
        #expect(lower(misses, of: trials) > share)
        #expect(lower(misses, of: trials - 1) <= share)
    }

    @Test(arguments: [(0.99, 459), (0.995, 919), (0.999, 4_603), (0.9999, 46_050)])
    func `99 per cent confidence needs more, anchors 8`(share: Double, trials: Int) {
        #expect(lower(0, of: trials, confidence: 0.99) > share)
        #expect(lower(0, of: trials - 1, confidence: 0.99) <= share)
    }

    @Test func `the traps of anchors 8`() {
        #expect((lower(5, of: 1_000) * 10_000).rounded() == 9_895)
        #expect((lower(0, of: 100) * 10_000).rounded() == 9_705)
        #expect((lower(0, of: 200) * 1_000).rounded() == 985)
    }

    @Test func `without trials nothing is proven`() {
        #expect(lower(0, of: 0) == 0)
        #expect(BinomialBound.upper(successes: 0, of: 0, confidence: 0.95) == 1)
    }

    @Test func `the upper bound mirrors the lower one`() {
        let upper = BinomialBound.upper(successes: 5, of: 1_000, confidence: 0.95)
        #expect(abs(upper - (1 - lower(5, of: 1_000))) < 1e-12)
    }

    @Test(arguments: [(0, 299), (1, 473), (2, 628), (5, 1_049)])
    func `what is missing to a proof is told in trials`(misses: Int, trials: Int) {
        let more = BinomialBound.cleanTrialsNeeded(
            misses: Double(misses),
            of: 100,
            share: 0.99,
            isStrict: true,
            confidence: 0.95
        )
        #expect(more == trials - 100)
    }

    @Test func `a share of one is never proven`() {
        let more = BinomialBound.cleanTrialsNeeded(misses: 0, of: 100, share: 1, isStrict: false, confidence: 0.95)
        #expect(more == nil)
    }
}
