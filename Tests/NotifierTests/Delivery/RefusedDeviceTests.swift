import Configuration
import HTTP
import Platform
import Testing

@testable import Notifier

/// What APNs says of single devices, and what it means for their pushes.
struct RefusedDeviceTests {
    @Test func `410 ends a device, and its queue (APNs facts §10)`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(410, "Unregistered") }
        let account = try bench.makeAccount()
        try bench.enqueue(3, for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .minutes(1))
        #expect(bench.server.requests.count == 1)
        #expect(try bench.states().allSatisfy { $0.hasPrefix("dead") })
        #expect(try bench.write { try $0.deviceStates() } == ["dead"])
    }

    @Test func `a late 410 for an old token ends no device that has told a new one`() throws {
        let bench = try DeliveryBench { request, _ in
            guard request.target.hasSuffix("aa11") else { return .status(200) }
            let since = deliveryStart.advanced(by: .hours(1)).secondsSinceEpoch * 1_000
            return .status(410, "{\"reason\":\"Unregistered\",\"timestamp\":\(since)}", after: .seconds(5))
        }
        let account = try bench.makeAccount()
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .seconds(1))
        try bench.replaceToken(registeredFor: account)
        bench.world.advance(by: .minutes(1))
        #expect(try bench.write { try $0.deviceStates() } == ["active"])
        #expect(bench.server.requests.map(\.target) == ["/3/device/aa11", "/3/device/bb22"])
    }

    @Test func `what APNs takes late for an old token goes to the new one, under the same id`() throws {
        let bench = try DeliveryBench { _, _ in .status(200, after: .seconds(5)) }
        let account = try bench.makeAccount()
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .seconds(1))
        try bench.replaceToken(registeredFor: account)
        bench.world.advance(by: .minutes(1))
        #expect(bench.server.requests.map(\.target) == ["/3/device/aa11", "/3/device/bb22"])
        #expect(Set(bench.server.requests.map { $0.fields["apns-id"] }).count == 1)
        #expect(try bench.acceptedCount() == 1)
    }

    @Test func `a wave of bad device tokens holds nobody (APNs facts §10)`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(400, "BadDeviceToken") }
        let account = try bench.makeAccount(tokens: (0..<6).map { "a\($0)" })
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(1))
        #expect(try bench.write { try $0.deviceStates() }.allSatisfy { $0 == "active" })
        #expect(bench.server.requests.count < 40)
        bench.server.answer { _, _ in .status(200) }
        bench.world.advance(by: .minutes(7))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
    }

    @Test func `three devices that are gone keep nothing back from the others`() throws {
        let bench = try DeliveryBench { request, _ in
            request.target.hasSuffix("aa") ? .refusal(400, "BadDeviceToken") : .status(200)
        }
        let account = try bench.makeAccount(tokens: ["1aa", "2aa", "3aa"])
        let other = try bench.makeOther()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        try bench.enqueue(4, for: account, service)
        bench.world.advance(by: .seconds(1))
        try bench.enqueue(for: other, service)
        bench.world.advance(by: .minutes(7))
        #expect(try bench.acceptedCount() == 1)
        #expect(try bench.write { try $0.deviceStates() } == ["held", "held", "held", "active"])
    }

    @Test func `a single bad device token is held and its push waits for the registration`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(400, "BadDeviceToken") }
        let account = try bench.makeAccount()
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .hours(3))
        #expect(bench.server.requests.count == 3, "it was tried twice")
        #expect(try bench.write { try $0.deviceStates() } == ["held"])
        bench.server.answer { _, _ in .status(200) }
        let now = bench.world.wallNow
        _ = try bench.write { try $0.makeDevice(of: account, at: now) }
        service.wakeSignal.send()
        bench.world.drain()
        #expect(try bench.states() == ["accepted 1 accepted"])
    }

    @Test func `a held device is tried after ten minutes, an hour and a day, and goes on when APNs takes its token`()
        throws
    {
        let bench = try DeliveryBench { _, _ in .refusal(400, "BadDeviceToken") }
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        try bench.enqueue(2, for: account, service)
        var counts: [Int] = []
        for minutes in [9, 2, 58, 2, 22 * 60] {
            bench.world.advance(by: .minutes(minutes))
            counts.append(bench.server.requests.count)
        }
        #expect(counts == [1, 2, 2, 3, 3])
        try bench.enqueue(for: account, service)
        bench.server.answer { _, _ in .status(200) }
        #expect(bench.server.requests.count == 3, "nothing is queued for a held device")
        bench.world.advance(by: .hours(2))
        #expect(try bench.write { try $0.deviceStates() } == ["active"])
        #expect(bench.server.requests.count == 4)
        #expect(try bench.states() == ["dead 1 expired", "dead 1 expired", "accepted 1 accepted"])
        #expect(bench.log.count(.deviceRevived) == 1)
    }

    @Test func `news that was made while a device was held comes when a trial passes`() throws {
        let bench = try DeliveryBench { _, count in count == 0 ? .refusal(400, "BadDeviceToken") : .status(200) }
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        for _ in 0..<3 {
            try bench.enqueue(for: account, service)
            bench.world.advance(by: .minutes(1))
        }
        #expect(try bench.states().count == 1)
        bench.world.advance(by: .minutes(8))
        #expect(try bench.acceptedCount() == 3)
    }

    @Test func `a device that was held with others gets what was made meanwhile`() throws {
        let bench = try DeliveryBench { _, _ in .refusal(400, "BadDeviceToken") }
        let accounts = try (1...3).map { number in
            try bench.write { store in
                let account = try store.makeAccount("person\(number)", user: Int64(number))
                _ = try store.makeDevice(of: account, token: "a\(number)")
                return account
            }
        }
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        for round in 0..<2 {
            for account in accounts.prefix(round + 1) {
                try bench.enqueue(for: account, service)
                bench.world.advance(by: .seconds(10))
            }
        }
        #expect(try bench.write { try $0.deviceStates() } == ["held", "held", "active"])
        try bench.enqueue(for: accounts[0], service)
        try bench.enqueue(for: accounts[2], service)
        bench.world.advance(by: .minutes(1))
        #expect(try bench.write { try $0.deviceStates() } == ["active", "active", "active"])
        bench.server.answer { _, _ in .status(200) }
        bench.world.advance(by: .minutes(7))
        let states = try bench.states()
        #expect(states.count == 5 && states.allSatisfy { $0.hasPrefix("accepted") }, "\(states)")
    }

    @Test func `what waits because of 429 goes with the next push that APNs takes`() throws {
        let bench = try DeliveryBench { _, count in count < 4 ? .refusal(429, "TooManyRequests") : .status(200) }
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        try bench.enqueue(for: account, service)
        // Refused four times, so that the next attempt is an hour away.
        bench.world.advance(by: .minutes(30))
        #expect(bench.server.requests.count == 4)
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .seconds(5))
        #expect(bench.server.requests.count == 6)
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
    }

    @Test func `what waits because APNs had not heard of the token goes with the next push that it takes`() throws {
        let bench = try DeliveryBench { _, count in
            let since = deliveryStart.advanced(by: .hours(-1)).secondsSinceEpoch * 1_000
            return count < 8
                ? .status(410, "{\"reason\":\"Unregistered\",\"timestamp\":\(since)}") : .status(200)
        }
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        try bench.enqueue(2, for: account, service)
        // Refused four times each, so that the next attempt is two minutes away.
        bench.world.advance(by: .minutes(1))
        #expect(bench.server.requests.count == 8)
        #expect(try bench.states() == ["queued 4 Unregistered", "queued 4 Unregistered"])
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .seconds(5))
        #expect(bench.server.requests.count == 11)
        #expect(try bench.states() == ["accepted 4 accepted", "accepted 4 accepted", "accepted 1 accepted"])
        let order = bench.server.requests.map { $0.fields["apns-id"] }
        #expect(order[9] == order[0] && order[10] == order[1], "the older goes first")
    }

    @Test func `what a throttled device waits for is not brought forward because its token is known`() throws {
        let bench = try DeliveryBench()
        try bench.enqueue(for: bench.makeAccount())
        let later = deliveryStart.advanced(by: .minutes(2))
        let (before, after) = try bench.write { store in
            for delivery in try store.claimDue().claimed {
                let again = DeliveryPolicy.Disposition.retry(at: later, isCounted: true)
                try store.finish(delivery.id, again, outcome: "Unregistered", at: deliveryStart)
            }
            let device = DeviceID(rawValue: 1)
            try store.throttle(device, until: deliveryStart, count: 1, at: deliveryStart)
            try store.endRefusals(of: device, at: deliveryStart)
            let before = try store.nextDue(.production)
            try store.endThrottle(of: device, sentAt: deliveryStart.advanced(by: .seconds(1)), at: deliveryStart)
            try store.endRefusals(of: device, at: deliveryStart)
            return (before, try store.nextDue(.production))
        }
        #expect(before == later)
        #expect(after == deliveryStart)
    }

    @Test func `an outage before makes no device wait longer for a 429`() throws {
        let bench = try DeliveryBench { _, count in
            switch count {
            case ..<4: .refusal(503, "ServiceUnavailable")
            case 4: .refusal(429, "TooManyRequests")
            default: .status(200)
            }
        }
        try bench.enqueue(for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .minutes(3))
        #expect(try bench.acceptedCount() == 1)
    }

    @Test func `pushes that are refused with 429 together count once`() throws {
        let bench = try DeliveryBench { _, count in
            (1..<6).contains(count) ? .refusal(429, "TooManyRequests") : .status(200, after: .milliseconds(50))
        }
        try bench.enqueue(6, for: bench.makeAccount())
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .minutes(2))
        #expect(try bench.acceptedCount() == 6)
    }

    @Test func `a new token has got nothing yet, however often the former had too much`() throws {
        let bench = try DeliveryBench { _, count in count < 5 ? .refusal(429, "TooManyRequests") : .status(200) }
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .minutes(8))
        #expect(bench.server.requests.count == 3)
        try bench.replaceToken()
        try bench.enqueue(for: account, service)
        bench.world.advance(by: .minutes(10))
        #expect(try bench.acceptedCount() == 2)
    }

    @Test func `what waited behind a push that was too many goes to a new token at once`() throws {
        let bench = try DeliveryBench { _, count in count < 1 ? .refusal(429, "TooManyRequests") : .status(200) }
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        // A cold connection tries one of them.
        try bench.enqueue(2, for: bench.makeAccount(), service)
        bench.world.advance(by: .seconds(5))
        #expect(bench.server.requests.count == 1)
        try bench.replaceToken()
        service.wakeSignal.send()
        bench.world.advance(by: .seconds(5))
        #expect(try bench.acceptedCount() == 2)
    }

    @Test func `what is refused with 429 while others wait makes no device wait longer`() throws {
        let bench = try DeliveryBench { _, count in count < 5 ? .refusal(429, "TooManyRequests") : .status(200) }
        let account = try bench.makeAccount()
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        for _ in 0..<5 {
            try bench.enqueue(for: account, service)
            bench.world.advance(by: .seconds(5))
        }
        #expect(bench.server.requests.count == 5)
        bench.world.advance(by: .minutes(2))
        #expect(try bench.acceptedCount() == 5)
    }

    @Test func `429 keeps every push to that device back, and no other (APNs facts §6)`() throws {
        let bench = try DeliveryBench { request, count in
            request.target.hasSuffix("aa") && count < 2 ? .refusal(429, "TooManyRequests") : .status(200)
        }
        try bench.enqueue(4, for: bench.makeAccount(tokens: ["aa", "bb"]))
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .seconds(30))
        #expect(bench.server.requests.count { $0.target.hasSuffix("bb") } == 4)
        let early = bench.server.requests.count { $0.target.hasSuffix("aa") }
        bench.world.advance(by: .seconds(10))
        #expect(bench.server.requests.count { $0.target.hasSuffix("aa") } == early)
        bench.world.advance(by: .minutes(3))
        #expect(try bench.states().allSatisfy { $0.hasPrefix("accepted") })
    }
}
