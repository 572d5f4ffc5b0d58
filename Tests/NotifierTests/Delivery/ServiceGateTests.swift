import Configuration
import Platform
import Testing

@testable import Notifier

struct ServiceGateTests {
    private var gate = ServiceGate(NotifierConfiguration(), for: .production)
    private var now = MonotonicInstant(nanoseconds: 0)
    private var deliveries: Int64 = 100

    private mutating func finish(
        _ ticket: ServiceGate.Ticket,
        _ event: ServiceEvent,
        device: Int64 = 1,
        delivery: Int64? = nil,
        reason: String = "reason"
    ) -> (ruling: ServiceRuling, actions: [ServiceGate.Action]) {
        gate.finish(
            ticket,
            event,
            delivery: DeliveryID(rawValue: delivery ?? nextDelivery()),
            device: DeviceID(rawValue: device),
            reason: reason,
            at: now,
            jitter: 0
        )
    }

    /// A delivery not seen before.
    private mutating func nextDelivery() -> Int64 {
        deliveries += 1
        return deliveries
    }

    private mutating func exchange(
        _ event: ServiceEvent,
        device: Int64 = 1,
        delivery: Int64? = nil
    ) -> ServiceRuling {
        if let change = gate.nextChange(after: now) { now = change }
        let ticket = gate.start(at: now)
        return finish(ticket, event, device: device, delivery: delivery).ruling
    }

    @Test mutating func `a cold connection carries one push until its answer (APNs facts §17 item 2)`() {
        #expect(gate.permits(at: now) == 1)
        let ticket = gate.start(at: now)
        #expect(gate.permits(at: now) == 0)
        let actions = finish(ticket, .accepted).actions
        #expect(actions == [.warmed])
        #expect(gate.permits(at: now) == 20)
    }

    @Test mutating func `after a timeout the next push goes alone over a new connection (APNs facts §17 item 8)`() {
        _ = exchange(.accepted)
        let first = gate.start(at: now)
        let second = gate.start(at: now)
        let actions = finish(first, .lost).actions
        #expect(actions == [.suspected])
        #expect(gate.permits(at: now) == 0)
        now = now.advanced(by: .seconds(1))
        #expect(gate.permits(at: now) == 1)
        let third = gate.start(at: now)
        #expect(third.isFresh)
        #expect(gate.permits(at: now) == 0)
        // The answer of a push on the connection that was left proves nothing about the new one.
        _ = finish(second, .accepted)
        #expect(gate.permits(at: now) == 0)
        _ = finish(third, .accepted)
        #expect(gate.permits(at: now) == 20)
        #expect(!gate.start(at: now).isFresh)
    }

    @Test mutating func `many timeouts on one connection are one failure`() {
        _ = exchange(.accepted)
        let tickets = (0..<20).map { _ in gate.start(at: now) }
        for ticket in tickets { _ = finish(ticket, .lost) }
        #expect(gate.breaker == .closed)
    }

    @Test mutating func `a second 500 in a row ends the connection (APNs facts §17 item 10)`() {
        _ = exchange(.accepted)
        #expect(finish(gate.start(at: now), .failed(reconnects: true)).actions == [])
        #expect(finish(gate.start(at: now), .failed(reconnects: true)).actions == [.suspected])
    }

    @Test mutating func `several 503 in a row end the connection, too (APNs facts §6)`() {
        _ = exchange(.accepted)
        for _ in 0..<2 { #expect(finish(gate.start(at: now), .failed(reconnects: false)).actions == []) }
        let actions = finish(gate.start(at: now), .failed(reconnects: false)).actions
        #expect(actions == [.suspected, .opened(.service, pause: .seconds(5))])
        now = now.advanced(by: .seconds(5))
        let probe = gate.start(at: now)
        #expect(probe.isProbe && probe.isFresh)
    }

    @Test mutating func `the third connection in a row that APNs ends counts as a failure of the service`() {
        _ = exchange(.accepted)
        for _ in 0..<4 { _ = exchange(.disconnected) }
        #expect(gate.breaker == .closed)
        _ = exchange(.disconnected)
        var pauses: [Int64] = []
        for _ in 0..<5 {
            let next = gate.nextChange(after: now)
            pauses.append((next.map { now.duration(to: $0) } ?? .zero).components.seconds)
            _ = exchange(.disconnected)
        }
        #expect(pauses == [5, 10, 20, 40, 60])
        _ = exchange(.accepted)
        for _ in 0..<4 { _ = exchange(.disconnected) }
        #expect(gate.breaker == .closed)
        _ = exchange(.answered)
        for _ in 0..<4 { _ = exchange(.disconnected) }
        #expect(gate.breaker == .closed, "not in a row")
    }

    @Test mutating func `three failures in a row stop everything but single probes`() {
        _ = exchange(.accepted)
        #expect(exchange(.failed(reconnects: false)).isCounted)
        #expect(exchange(.failed(reconnects: false)).isCounted)
        #expect(exchange(.failed(reconnects: false)).isCounted)
        #expect(gate.permits(at: now) == 0)
        now = now.advanced(by: .seconds(5))
        #expect(gate.permits(at: now) == 1)
        let probe = gate.start(at: now)
        #expect(probe.isProbe)
        #expect(gate.permits(at: now) == 0)
        let ruling = finish(probe, .failed(reconnects: false)).ruling
        #expect(!ruling.isCounted)
    }

    @Test mutating func `probes wait longer and longer, up to the last delay`() {
        for _ in 0..<3 { _ = exchange(.failed(reconnects: false)) }
        var pauses: [Int64] = []
        for _ in 0..<7 {
            let next = gate.nextChange(after: now)
            pauses.append((next.map { now.duration(to: $0) } ?? .zero).components.seconds)
            _ = exchange(.failed(reconnects: false))
        }
        #expect(pauses == [5, 10, 20, 40, 60, 60, 60])
    }

    @Test mutating func `an accepted probe opens the way again`() {
        for _ in 0..<3 { _ = exchange(.failed(reconnects: false)) }
        now = now.advanced(by: .minutes(2))
        let actions = finish(gate.start(at: now), .accepted).actions
        #expect(actions == [.warmed, .closed])
        #expect(gate.permits(at: now) == 20)
    }

    @Test mutating func `failures among successes make the service sick before they stop it`() {
        _ = exchange(.accepted)
        for _ in 0..<3 {
            #expect(exchange(.failed(reconnects: false)).isCounted)
            _ = exchange(.accepted)
        }
        #expect(!exchange(.failed(reconnects: false)).isCounted)
        now = now.advanced(by: .minutes(2))
        #expect(exchange(.failed(reconnects: false)).isCounted)
    }

    @Test mutating func `one push that fails again and again among others that pass is its own trouble`() {
        _ = exchange(.accepted)
        for _ in 0..<6 {
            #expect(exchange(.failed(reconnects: false), delivery: 7).isCounted)
            _ = exchange(.accepted)
        }
    }

    @Test mutating func `one bad device token holds its device, a wave trips the breaker (APNs facts §10)`() {
        _ = exchange(.accepted, device: 9)
        #expect(exchange(.tokenFault, device: 1).mayHoldDevice)
        #expect(exchange(.tokenFault, device: 2).mayHoldDevice)
        let ticket = gate.start(at: now)
        let (ruling, actions) = finish(ticket, .tokenFault, device: 3, reason: "BadDeviceToken")
        #expect(!ruling.mayHoldDevice)
        #expect(actions.first == .release([1, 2, 3].map { DeviceID(rawValue: $0) }))
        #expect(gate.permits(at: now) == 0)
        now = now.advanced(by: .minutes(5))
        #expect(!exchange(.tokenFault, device: 4).mayHoldDevice)
    }

    @Test mutating func `who is refused again after another's push was taken is held, however many they are`() {
        for device in 1...3 { _ = exchange(.tokenFault, device: Int64(device)) }
        #expect(gate.breaker != .closed)
        #expect(gate.poorProbes == [1, 2, 3].map { DeviceID(rawValue: $0) })
        _ = exchange(.accepted, device: 9)
        #expect(gate.poorProbes.isEmpty)
        for device in 1...3 { #expect(exchange(.tokenFault, device: Int64(device)).mayHoldDevice) }
        #expect(gate.breaker == .closed)
        // Others may still be a wave.
        for device in 4...6 { _ = exchange(.tokenFault, device: Int64(device)) }
        #expect(gate.breaker != .closed)
        #expect(exchange(.tokenFault, device: 1).mayHoldDevice, "it says nothing of the wave")
        #expect(gate.permits(at: now) == 1)
    }

    @Test mutating func `that APNs knows a token as bad proves that it is back`() {
        for _ in 0..<8 { _ = exchange(.failed(reconnects: false)) }
        #expect(gate.breaker != .closed)
        #expect(exchange(.tokenFault, device: 7).mayHoldDevice)
        #expect(gate.breaker == .closed && gate.permits(at: now) > 0)
    }

    @Test mutating func `a few bad tokens among many good ones trip nothing`() {
        for device in 10..<30 { _ = exchange(.accepted, device: Int64(device)) }
        for device in 1..<8 { #expect(exchange(.tokenFault, device: Int64(device)).mayHoldDevice) }
        #expect(gate.breaker == .closed)
    }

    @Test mutating func `a refused configuration stops the queue and is probed`() {
        let actions = finish(gate.start(at: now), .misconfigured, reason: "TopicDisallowed").actions
        #expect(actions == [.opened(.configuration("TopicDisallowed"), pause: .seconds(5))])
        #expect(gate.permits(at: now) == 0)
        #expect(gate.permits(at: now.advanced(by: .seconds(5))) == 1)
    }

    /// The pauses after one refusal after the other.
    private mutating func pauses(_ event: ServiceEvent) -> [Int64] {
        if event == .tokenFault {
            for device in 1...3 { _ = exchange(event, device: Int64(device)) }
        } else if event == .misconfigured {
            _ = exchange(event)
        } else {
            _ = gate.pause(.configuration("InvalidProviderToken"), at: now)
        }
        var pauses: [Int64] = []
        for device in 4..<11 {
            let next = gate.nextChange(after: now)
            pauses.append((next.map { now.duration(to: $0) } ?? .zero).components.seconds)
            _ = exchange(event, device: Int64(device))
        }
        return pauses
    }

    @Test mutating func `a stray refusal stops the queue for seconds, one that lasts for minutes`() {
        for event in [ServiceEvent.misconfigured, .providerTokenRefused, .tokenFault] {
            gate = ServiceGate(NotifierConfiguration(), for: .production)
            #expect(pauses(event) == [5, 10, 20, 40, 60, 300, 300], "\(event)")
            _ = exchange(.accepted)
            #expect(gate.pause(.configuration("x"), at: now) == [.opened(.configuration("x"), pause: .seconds(5))])
        }
    }

    @Test mutating func `a pause for a refused token is over when there may be another`() {
        gate.expectToken(at: now.advanced(by: .seconds(100)))
        #expect(pauses(.providerTokenRefused) == [5, 10, 20, 40, 25, 300, 300])
    }

    @Test mutating func `too many token updates mean waiting (APNs facts §6)`() {
        let actions = finish(gate.start(at: now), .providerTokenLimited).actions
        #expect(actions == [.opened(.tokenUpdates, pause: .minutes(1))])
    }

    @Test func `a push ends at the gate at which it began`() {
        for environment in PushEnvironment.allCases {
            var gate = ServiceGate(NotifierConfiguration(), for: environment)
            #expect(gate.start(at: now).environment == environment)
        }
    }

    @Test mutating func `a connection idle for long proves itself again (APNs facts §8)`() {
        _ = exchange(.accepted)
        now = now.advanced(by: .minutes(11))
        #expect(gate.permits(at: now) == 1)
        let ticket = gate.start(at: now)
        #expect(!ticket.isFresh)
        #expect(gate.permits(at: now) == 0)
    }
}
