import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios
@testable import Verdict

struct FaultSpansTests {
    @Test func `clocks that are far apart keep pushes away until they are near again`() {
        var builder = RecordBuilder()
        builder.fault(.clockStep, id: "ahead", from: 100, until: 100, effect: .clockStep(.apns, .minutes(30)))
        #expect(FaultSpans(builder.record).apnsDown.isEmpty, "a token is judged by an hour")
        builder.fault(.clockStep, id: "behind", from: 200, until: 200, effect: .clockStep(.notifier, .minutes(-20)))
        builder.fault(
            .clockOffset,
            id: "both",
            from: 300,
            until: 400,
            effect: .clockOffset(.notifier, .minutes(50))
        )
        builder.fault(.clockStep, id: "elsewhere", from: 250, until: 250, effect: .clockStep(.gitlab, .hours(3)))
        #expect(
            FaultSpans(builder.record).apnsDown == [
                Span(from: .seconds(200), until: .seconds(300)),
                Span(from: .seconds(400), until: builder.record.simulated),
            ]
        )
    }

    @Test(
        arguments: [
            (APNsReason.badDeviceToken, RecordBuilder.maria, nil, [false, true, false]),
            (.badDeviceToken, RecordBuilder.maria, RecordBuilder.phone, [false, false, false]),
            (.badDeviceToken, nil, nil, [true, true, true]),
            (.tooManyRequests, RecordBuilder.maria, nil, [false, true, false]),
            (.tooManyRequests, RecordBuilder.maria, RecordBuilder.phone, [false, false, false]),
            (.tooManyRequests, nil, nil, [true, true, true]),
            (.serviceUnavailable, RecordBuilder.maria, nil, [true, true, true]),
        ] as [(APNsReason, Username?, DeviceName?, [Bool])]
    )
    func `what APNs says of one person's devices keeps nobody else from being pushed to`(
        reason: APNsReason,
        person: Username?,
        device: DeviceName?,
        expected: [Bool]
    ) {
        var builder = RecordBuilder()
        let target = PushAim(person: person, device: device)
        let effect = FaultEffect.apnsReason(reason, of: target, ratio: .one)
        builder.fault(.apnsReason, id: "aimed", from: 100, until: 200, effect: effect)
        let spans = FaultSpans(builder.record)
        let found = [
            spans.apnsDown, spans.apnsDown(for: RecordBuilder.maria), spans.apnsDown(for: RecordBuilder.jonas),
        ]
        #expect(found.map { !$0.isEmpty } == expected)
    }

    @Test func `a person is pushed to while they have a device that no fault is aimed at`() {
        func spans(_ change: (inout DeviceSpanRecord) -> Void) -> [Span] {
            var builder = RecordBuilder()
            for index in builder.record.deviceSpans.indices
            where builder.record.deviceSpans[index].device == RecordBuilder.mac {
                change(&builder.record.deviceSpans[index])
            }
            let target = PushAim(person: RecordBuilder.maria, device: RecordBuilder.phone)
            let effect = FaultEffect.apnsReason(.badDeviceToken, of: target, ratio: .one)
            builder.fault(.apnsReason, id: "aimed", from: 100, until: 200, effect: effect)
            return FaultSpans(builder.record).apnsDown(for: RecordBuilder.maria)
        }
        func span(_ from: Int, _ until: Int) -> Span { Span(from: .seconds(from), until: .seconds(until)) }
        #expect(spans { _ in } == [])
        #expect(spans { $0.endRequestedAt = .seconds(50) } == [span(100, 200)], "it was removed before")
        #expect(spans { $0.endRequestedAt = .seconds(130) } == [span(130, 200)])
        #expect(spans { $0.activeFrom = .seconds(160) } == [span(100, 160)])
        #expect(spans { $0.activeFrom = .seconds(300) } == [span(100, 200)], "it joins afterwards")
        #expect(
            spans { ($0.activeFrom, $0.endRequestedAt) = (.seconds(120), .seconds(150)) } == [
                span(100, 120), span(150, 200),
            ]
        )
    }

    @Test func `a device whose token APNs has ended is no other device until it has another`() {
        var builder = RecordBuilder()
        let target = PushAim(person: RecordBuilder.maria, device: RecordBuilder.phone)
        let effect = FaultEffect.apnsReason(.tooManyRequests, of: target, ratio: .one)
        builder.fault(.apnsReason, id: "aimed", from: 100, until: 200, effect: effect)
        builder.push([], at: 50, id: "n0", device: RecordBuilder.mac, status: 410, reason: "Unregistered")
        func spans() -> [Span] { FaultSpans(builder.record).apnsDown(for: RecordBuilder.maria) }
        #expect(spans() == [Span(from: .seconds(100), until: .seconds(200))])
        builder.record.pushTokenChanges = [
            PushTokenChangeRecord(person: RecordBuilder.maria, device: RecordBuilder.mac, at: .seconds(150))
        ]
        #expect(spans() == [Span(from: .seconds(100), until: .seconds(150))])
        builder.push([], at: 80, id: "n0", device: RecordBuilder.mac)
        #expect(spans() == [])
    }

    @Test func `who has several devices is pushed to while no fault is aimed at one of them`() {
        var builder = RecordBuilder()
        for (device, from, until) in [(RecordBuilder.phone, 100.0, 200.0), (RecordBuilder.mac, 150.0, 300.0)] {
            let target = PushAim(person: RecordBuilder.maria, device: device)
            let effect = FaultEffect.apnsReason(.tooManyRequests, of: target, ratio: .one)
            builder.fault(.apnsReason, id: device.text, from: from, until: until, effect: effect)
        }
        let spans = FaultSpans(builder.record)
        #expect(spans.apnsDown(for: RecordBuilder.maria) == [Span(from: .seconds(150), until: .seconds(200))])
        #expect(spans.apnsDown.isEmpty)
    }

    @Test func `a row is hidden by a replica that has not heard of it yet, if for a minute at least`() {
        var builder = RecordBuilder()
        builder.fault(
            .replicaLag,
            id: "lag",
            from: 1_000,
            until: 1_500,
            effect: .replicaLag(.seconds(300), ratio: .one)
        )
        let spans = FaultSpans(builder.record)
        #expect(spans.hidden(.seconds(900)) == .seconds(1_000))
        #expect(spans.hidden(.seconds(1_200)) == .seconds(1_200))
        #expect(spans.hidden(.seconds(750)) == nil, "for fifty seconds")
        #expect(spans.hidden(.seconds(1_450)) == nil, "the replica is away after fifty seconds")
        #expect(spans.hidden(.seconds(2_000)) == nil)
    }

    @Test(arguments: RowChange.allCases)
    func `rows that can be read as ever excuse nobody, and others do where somebody asked for them`(change: RowChange) {
        var builder = RecordBuilder()
        let effect = FaultEffect.gitlabRowsChanged(change, route: "/**", ratio: .one)
        builder.fault(.gitlabRowsChanged, id: "rows", from: 100, until: 200, effect: effect)
        builder.record.faults[0].strikes = 1
        let down = FaultSpans(builder.record).gitlabDown
        #expect(down == (change.isReadable ? [] : [Span(from: .seconds(100), until: .seconds(200))]))
        #expect(change.isReadable == [.newMembers, .otherTimes, .otherWords].contains(change))
        builder.record.faults[0].strikes = 0
        #expect(FaultSpans(builder.record).gitlabDown == [])
    }

    @Test func `a fault of routes that nobody has asked keeps nothing from anybody`() {
        var builder = RecordBuilder()
        let effect = FaultEffect.gitlabRouteMissing(route: "GET /groups/*/epics", ratio: .one)
        builder.fault(.gitlabRouteMissing, id: "route", from: 100, until: 200, effect: effect)
        let span = Span(from: .seconds(100), until: .seconds(200))
        builder.record.faults.noteStrike(of: "route")
        #expect(FaultSpans(builder.record).gitlabDown == [span], "nobody has counted")
        builder.record.faults[0].strikes = 0
        builder.record.faults.noteStrike(of: "another")
        #expect(FaultSpans(builder.record).gitlabDown == [])
        builder.record.faults.noteStrike(of: "route")
        #expect(FaultSpans(builder.record).gitlabDown == [span])
    }

    /// What is added to the quickest way, to that of half of all and to the slowest, in milliseconds: an answer takes two, of which each takes 20 ms
    /// without it on the link to GitLab, and has thirty seconds there.
    @Test(
        arguments: [
            ([14_980, 14_980, 14_980], .gitlab, true), ([14_979, 14_979, 14_979], .gitlab, false),
            ([1_000, 14_980, 20_000], .gitlab, true), ([1_000, 14_979, 40_000], .gitlab, false),
            ([2_500, 2_500, 2_500], .apns, true), ([2_499, 2_500, 2_500], .apns, false),
        ] as [([Int], Link, Bool)]
    )
    func `a link to GitLab is as good as down where half of all answers come too late, and APNs' where all do`(
        ways: [Int],
        link: Link,
        isDown: Bool
    ) {
        var builder = RecordBuilder()
        let points = zip([0, 500, 1_000] as [Int64], ways).map { share, way in
            QuantileTable.Point(perMille: share, value: .milliseconds(way))
        }
        let effect = FaultEffect.link(.latency(QuantileTable(points)), on: link, ratio: .one)
        builder.fault(.latency, id: "slow", from: 100, until: 200, effect: effect)
        let spans = FaultSpans(builder.record)
        let down = link == .gitlab ? spans.gitlabDown : spans.apnsDown
        #expect(down == (isDown ? [Span(from: .seconds(100), until: .seconds(200))] : []))
    }

    @Test(
        arguments: [
            (2_480, 150, 140), (2_479, 150, nil), (2_480, 105, 100), (2_480, 99, nil), (2_480, 210, nil),
        ] as [(Int, Int, Int?)]
    )
    func `where each way takes long no new connection comes about`(way: Int, end: Int, from: Int?) {
        func down(_ disconnect: (inout RecordBuilder, Span) -> Void) -> [Span] {
            var builder = RecordBuilder()
            let effect = FaultEffect.link(.latency(.constant(.milliseconds(way))), on: .gitlab, ratio: .one)
            builder.fault(.latency, id: "slow", from: 100, until: 200, effect: effect)
            disconnect(&builder, Span(from: .seconds(end - 10), until: .seconds(end)))
            return FaultSpans(builder.record).gitlabDown
        }
        let expected = from.map { [Span(from: .seconds($0), until: .seconds(200))] } ?? []
        #expect(down { $0.record.downtimes = [$1] } == expected)
        let cut = down { builder, _ in builder.fault(.truncate, id: "cut", from: Double(end - 10), until: Double(end)) }
        #expect(cut == expected)
        #expect(down { _, _ in } == [])
    }

    @Test(
        arguments: [
            (FaultEffect.diskSlow(.milliseconds(999)), 1, false),
            (.diskSlow(.seconds(1)), 1, true),
            (.diskSlow(.milliseconds(999)), 16, true),
            (.diskSlow(.milliseconds(100)), 16, false),
            (.diskError(.write, ratio: Fixture.ratio("1/2000")), 1, false),
            (.diskError(.write, ratio: Fixture.ratio("1/1000")), 1, true),
            (.diskError(.sync, ratio: .one), 1, true),
            (.diskFull, 1, true),
        ] as [(FaultEffect, Int, Bool)]
    )
    func `a disk that is hardly worse keeps nothing from being stored`(effect: FaultEffect, people: Int, keeps: Bool) {
        var builder = RecordBuilder()
        for number in 1..<people {
            let person = Fixture.username("person\(number)")
            builder.record.registrations.append(
                RegistrationRecord(person: person, requestedAt: .zero, activeFrom: .seconds(1))
            )
        }
        builder.fault(effect.kind, id: "disk", from: 100, until: 200, effect: effect)
        #expect(FaultSpans(builder.record).stalled.isEmpty != keeps)
    }
}
