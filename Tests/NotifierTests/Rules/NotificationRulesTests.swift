import Platform
import Testing

@testable import Notifier

private let now = WallTime(secondsSinceEpoch: 1_768_500_000)
private let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 3)

struct NotificationRulesTests {
    private func makeRules(
        standing: ItemStanding = ItemStanding(isWatched: true),
        denied: Set<Int64> = [],
        isQuiet: Bool = false,
        settings: PersonSettings = PersonSettings()
    ) -> NotificationRules {
        NotificationRules(
            settings: settings,
            items: [item: standing],
            deniedActors: denied,
            quietUntil: isQuiet ? now.advanced(by: .hours(1)) : nil,
            now: now
        )
    }

    private func makeFact(
        _ action: Action = .commented,
        by actor: Int64 = 9,
        on item: ItemReference? = item,
        key: Int64 = 1
    ) -> Fact {
        Fact(
            key: .todo(key),
            action: action,
            actor: Actor(id: actor, username: "user\(actor)", name: "User"),
            item: item,
            itemTitle: "Fix it",
            projectPath: "team/app",
            webURL: nil,
            body: nil,
            occurredAt: now,
            source: .todo,
            sourceID: key
        )
    }

    @Test func `who chose nothing is told everything at once`() {
        #expect(makeRules().verdict(on: makeFact()) == .notify)
    }

    @Test func `a mute keeps silent until its end, mentions too`() {
        var standing = ItemStanding(isWatched: true, mutedUntil: now.advanced(by: .seconds(1)))
        #expect(makeRules(standing: standing).verdict(on: makeFact(.mentioned)) == .suppression(.muted))
        standing.mutedUntil = now
        #expect(makeRules(standing: standing).verdict(on: makeFact()) == .notify)
    }

    @Test func `nothing of somebody on the deny-list is told, whatever it is about`() {
        let rules = makeRules(denied: [9])
        #expect(rules.verdict(on: makeFact(.reviewRequested)) == .suppression(.deniedActor))
        #expect(rules.verdict(on: makeFact(on: nil)) == .suppression(.deniedActor))
        #expect(rules.verdict(on: makeFact(by: 8)) == .notify)
    }

    @Test func `a dismissed item tells nothing`() {
        let rules = makeRules(standing: ItemStanding(isDismissed: true))
        #expect(rules.verdict(on: makeFact(.mentioned)) == .suppression(.dismissed))
        #expect(rules.verdict(on: makeFact(on: nil)) == .notify)
    }

    @Test(arguments: Action.known)
    func `quiet hours hold all but mentions and review requests`(action: Action) {
        let isUrgent = action == .mentioned || action == .reviewRequested
        #expect(makeRules(isQuiet: true).verdict(on: makeFact(action)) == (isUrgent ? .notify : .hold))
        let strict = makeRules(isQuiet: true, settings: PersonSettings(isUrgentBypassOn: false))
        #expect(strict.verdict(on: makeFact(action)) == .hold)
    }

    @Test(arguments: [(-1, true), (0, true), (1, false)] as [(Int64, Bool)])
    func `a tag from before somebody unwatched the item makes it watched no more`(seconds: Int64, isWanted: Bool) {
        var standing = ItemStanding()
        standing.unwatchedAt = now.advanced(by: .seconds(seconds))
        let rules = makeRules(standing: standing, settings: PersonSettings(isAutoWatchOn: true))
        #expect(rules.wantsWatch(makeFact(.mentioned)) == isWanted)
    }

    @Test func `rules are asked for only when there is something to judge`() throws {
        struct Asked: Error {}
        let ruleOutcome = try RuleOutcome([]) { _ in throw Asked() }
        #expect(ruleOutcome.notified.isEmpty && ruleOutcome.held.isEmpty && ruleOutcome.suppressed.isEmpty)
    }

    @Test func `every fact ends in one place, and the same as in a naive model`() {
        var random = RandomStream(seed: 44_50_46)
        for _ in 0..<500 {
            let standing = ItemStanding(
                isWatched: random.chance(1, in: 2),
                mutedUntil: random.chance(1, in: 3)
                    ? now.advanced(by: .seconds(Int64(random.next(below: 3)) - 1)) : nil,
                isDismissed: random.chance(1, in: 4)
            )
            let denied = Set((1...4).filter { _ in random.chance(1, in: 4) }.map(Int64.init))
            let isQuiet = random.chance(1, in: 2)
            let isUrgentBypassOn = random.chance(1, in: 2)
            let rules = makeRules(
                standing: standing,
                denied: denied,
                isQuiet: isQuiet,
                settings: PersonSettings(isUrgentBypassOn: isUrgentBypassOn)
            )
            let facts = (1...Int64(1 + random.next(below: 8))).map { key in
                makeFact(
                    Action.known[Int(random.next(below: UInt64(Action.known.count)))],
                    by: Int64(1 + random.next(below: 4)),
                    on: random.chance(3, in: 4) ? item : nil,
                    key: key
                )
            }
            let ruleOutcome = RuleOutcome(facts) { _ in rules }
            var notified: [Fact] = []
            var held: [Fact] = []
            for fact in facts {
                // By the sentences of the specification, one after the other.
                let isMuted = fact.item != nil && (standing.mutedUntil.map { $0 > now } ?? false)
                let isUnheard = denied.contains(fact.actor.id) || fact.item != nil && standing.isDismissed || isMuted
                if isUnheard { continue }
                let passes = isUrgentBypassOn && ["mentioned", "review_requested"].contains(fact.action.code)
                if isQuiet && !passes { held.append(fact) } else { notified.append(fact) }
            }
            #expect(ruleOutcome.notified == notified)
            #expect(ruleOutcome.held == held)
            let suppressed = ruleOutcome.suppressed.values.reduce(0) { $0 + $1.count }
            #expect(suppressed == facts.count - notified.count - held.count)
        }
    }
}
