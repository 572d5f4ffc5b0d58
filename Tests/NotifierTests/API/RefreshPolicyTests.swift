import Platform
import Testing

@testable import Notifier

struct RefreshPolicyTests {
    private let now = deliveryStart

    private func decide(
        rotation: Int64,
        of newest: Int64,
        confirmed: Bool = false,
        superseded: Bool = false,
        lifetime: Duration = .days(1),
        age: Duration = .minutes(1)
    ) -> RefreshPolicy.Decision {
        RefreshPolicy.decide(
            PresentedRefreshToken(
                session: SessionID(rawValue: 1),
                rotation: rotation,
                isSuperseded: superseded,
                expiresAt: now.advanced(by: lifetime),
                newestRotation: newest,
                isNewestConfirmed: confirmed,
                newestGivenAt: now.advanced(by: .zero - age)
            ),
            at: now
        )
    }

    @Test(arguments: [true, false])
    func `the newest token gives the next pair, whether its own was seen in use or not`(confirmed: Bool) {
        #expect(decide(rotation: 3, of: 3, confirmed: confirmed) == .give(rotation: 4))
    }

    @Test func `the token before may come again while nobody used the pair that followed`() {
        #expect(decide(rotation: 3, of: 4) == .giveAgain)
        #expect(decide(rotation: 3, of: 4, age: .days(30)) == .giveAgain)
    }

    @Test func `the token before ends the session once the pair that followed was used`() {
        #expect(decide(rotation: 3, of: 4, confirmed: true) == .endSession)
    }

    @Test(arguments: [
        (Duration.zero, true), (.seconds(10), true), (.seconds(-10), true), (.milliseconds(10_001), false),
        (.seconds(-11), false),
    ])
    func `for ten seconds it gets the same answer even then`(age: Duration, isGiven: Bool) {
        #expect(decide(rotation: 3, of: 4, confirmed: true, age: age) == (isGiven ? .giveAgain : .endSession))
        #expect(decide(rotation: 2, of: 4, confirmed: true, age: age) == .endSession)
    }

    @Test(arguments: [Int64(1), 2])
    func `an older token ends the session`(rotation: Int64) {
        #expect(decide(rotation: rotation, of: 4) == .endSession)
    }

    @Test(arguments: [Int64(3), 4])
    func `a superseded token ends the session`(rotation: Int64) {
        #expect(decide(rotation: rotation, of: 4, superseded: true) == .endSession)
    }

    @Test(arguments: [Int64(3), 4])
    func `a token at its end is refused`(rotation: Int64) {
        #expect(decide(rotation: rotation, of: 4, lifetime: .zero) == .refuse)
    }

    @Test func `an old token ends the session even after its own end`() {
        #expect(decide(rotation: 1, of: 4, lifetime: .days(-1)) == .endSession)
    }
}
