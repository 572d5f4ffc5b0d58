import HTTP
import Platform
import Testing

@testable import Simulation

@Suite struct NetworkTests {
    @Test func `an exchange takes a way out, a way back and the service time`() {
        let world = NetworkWorld(reply: SentResponse(HTTPResponse(status: 204), serviceTime: .milliseconds(30)))
        world.send(makeRequest())
        world.send(makeRequest(), after: .seconds(1))
        world.simulation.run(for: .seconds(5))
        // The first exchange opens a connection: two more round trips.
        #expect(world.outcomes.lines == ["90000000 204", "1050000000 204"])
        #expect(Set(world.responder.arrived.map(\.peer.connection)).count == 1)
    }

    @Test func `an unknown host is not found and nothing was sent`() {
        let world = NetworkWorld()
        let request = HTTPRequest(method: .get, origin: HTTPOrigin(scheme: "https", host: "nowhere"), target: "/")
        world.send(request)
        world.simulation.run(for: .seconds(5))
        #expect(world.outcomes.lines == ["0 notSent nameNotResolved"])
    }

    @Test(arguments: [
        (LinkFault.Kind.refuse, "notSent connectionRefused", 0),
        (.resetBeforeServer, "unknown connectionReset", 0),
        (.resetAfterServer, "unknown connectionReset", 1),
        (.truncateBody, "unknown bodyTruncated", 1),
        (.stallBeforeFirstByte(.minutes(5)), "unknown timedOut", 1),
        (.stallInBody(.minutes(5)), "unknown timedOut", 1),
        (.slowBody(bytesPerSecond: 1), "200", 1),
        (.latency(.constant(.seconds(2))), "200", 1),
    ])
    func `each link fault ends the exchange in its own way`(kind: LinkFault.Kind, outcome: String, arrivals: Int) {
        let world = NetworkWorld()
        world.simulation.network.begin(LinkFault(id: "fault", kind: kind), on: "gitlab")
        world.send(makeRequest())
        world.simulation.run(for: .minutes(10))
        #expect(world.outcomes.lines.map { $0.split(separator: " ", maxSplits: 1)[1] } == [outcome[...]])
        #expect(world.responder.arrived.count == arrivals)
    }

    @Test(arguments: [
        (LinkFault.Kind.stallBeforeFirstByte(.seconds(20)), "unknown timedOut", 5),
        (.stallInBody(.seconds(20)), "200", 20), (.stallInBody(.seconds(60)), "unknown timedOut", 30),
    ])
    func `an answer that does not begin in time is given up, one that has begun has the whole time`(
        kind: LinkFault.Kind,
        outcome: String,
        seconds: Int64
    ) {
        let world = NetworkWorld()
        world.simulation.network.begin(LinkFault(id: "fault", kind: kind), on: "gitlab")
        world.send(makeRequest(), options: HTTPSendOptions(firstByteTimeout: .seconds(5), totalTimeout: .seconds(30)))
        world.simulation.run(for: .minutes(2))
        let parts = world.outcomes.lines.flatMap { $0.split(separator: " ", maxSplits: 1) }
        #expect(parts.count == 2 && parts[1] == outcome[...])
        #expect(Int64(parts[0]).map { $0 / 1_000_000_000 } == seconds)
    }

    @Test func `a fault with ratio 0 changes nothing, not even the digest of what follows`() {
        func outcomes(faulty: Bool) -> [String] {
            let world = NetworkWorld()
            if faulty {
                let fault = LinkFault(id: "none", kind: .refuse, numerator: 0, denominator: 100)
                world.simulation.network.begin(fault, on: "gitlab")
            }
            for _ in 0..<20 { world.send(makeRequest()) }
            world.simulation.run(for: .seconds(5))
            return world.outcomes.lines
        }
        #expect(outcomes(faulty: true) == outcomes(faulty: false))
    }

    @Test func `a fault ends when it is ended`() {
        let world = NetworkWorld()
        world.simulation.network.begin(LinkFault(id: "outage", kind: .refuse), on: "gitlab")
        world.send(makeRequest())
        world.simulation.run(for: .seconds(1))
        world.simulation.network.endFault(id: "outage")
        world.send(makeRequest())
        world.simulation.run(for: .seconds(1))
        #expect(world.outcomes.lines.map { $0.hasSuffix("connectionRefused") } == [true, false])
    }

    @Test(arguments: [
        (SentResponse.Travel.whole, "200"), (.truncated(afterBytes: 2), "unknown bodyTruncated"),
        (.reset, "unknown connectionReset"), (.never, "unknown timedOut"),
    ])
    func `a server's answer travels as it says`(travel: SentResponse.Travel, outcome: String) {
        let response = HTTPResponse(status: 200, body: Array("hello".utf8))
        let world = NetworkWorld(reply: SentResponse(response, travel: travel))
        world.send(makeRequest())
        world.simulation.run(for: .minutes(2))
        #expect(world.outcomes.lines.map { $0.split(separator: " ", maxSplits: 1)[1] } == [outcome[...]])
    }

    @Test func `a longer body than allowed is refused`() {
        let world = NetworkWorld()
        world.send(makeRequest(), options: HTTPSendOptions(responseLimitBytes: 4))
        world.simulation.run(for: .seconds(5))
        #expect(world.outcomes.lines.map { $0.hasSuffix("unknown responseTooLarge") } == [true])
    }

    @Test func `a fresh connection replaces the one in use, and a closed one is not used again`() {
        let world = NetworkWorld()
        world.send(makeRequest())
        world.send(makeRequest(), after: .seconds(1), options: HTTPSendOptions(connection: .fresh))
        world.send(makeRequest(), after: .seconds(2))
        world.simulation.run(for: .seconds(3))
        world.responder.reply.closesConnection = true
        world.send(makeRequest())
        world.send(makeRequest(), after: .seconds(1))
        world.simulation.run(for: .seconds(3))
        #expect(world.responder.arrived.map(\.peer.connection) == [1, 2, 2, 2, 3])
    }

    @Test func `a crash of the client leaves the server's deed done and the answer unread`() {
        let world = NetworkWorld()
        world.send(makeRequest())
        world.simulation.run(for: .milliseconds(1))
        world.node.crash()
        world.simulation.run(for: .seconds(5))
        #expect(world.responder.arrived.count == 1)
        #expect(world.outcomes.lines.isEmpty)
    }

    @Test func `cancelling the sender ends the wait with an unknown outcome`() {
        let world = NetworkWorld(reply: SentResponse(HTTPResponse(status: 200), travel: .never))
        world.send(makeRequest())
        world.simulation.run(for: .seconds(5))
        world.node.stop()
        world.simulation.run(for: .seconds(1))
        #expect(world.outcomes.lines == ["5000000000 unknown cancelled"])
    }

    @Test(arguments: [false, true])
    func `a handler answers as a task of its node and is refused when that has crashed or ended`(isCrash: Bool) {
        let simulation = makeSimulation()
        let server = simulation.makeNode("notifier")
        let client = simulation.makeNode("phone")
        let (notes, arrivals) = (Notebook(), Notebook())
        simulation.network.onArrival = { arrivals.write($0.target) }
        simulation.network.listen(
            gitlabOrigin,
            link: "api",
            latency: .constant(.milliseconds(10)),
            handler: SlowHandler(clock: server.clock),
            on: server
        )
        let http = simulation.network.client(for: client)
        @Sendable func ask() async {
            notes.write("\(await http.send(makeRequest(), options: HTTPSendOptions()))")
        }
        client.start { await ask() }
        simulation.run(for: .seconds(10))
        if isCrash { server.crash() } else { server.exit() }
        client.start { await ask() }
        simulation.run(for: .seconds(10))
        #expect(notes.lines.count == 2)
        #expect(notes.lines[0].contains("status: 202"))
        #expect(notes.lines[1].contains("connectionRefused"))
        #expect(arrivals.lines == [makeRequest().target], "what is refused has not arrived")
    }

    private struct SlowHandler: HTTPHandler {
        var clock: NodeClock
        func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
            try? await clock.sleep(for: .seconds(1))
            return HTTPResponse(status: 202)
        }
    }
}

/// One client, one server, ten milliseconds apart.
private struct NetworkWorld {
    let simulation = makeSimulation()
    let node: Node
    let outcomes = Notebook()
    let responder: CountingResponder
    private let client: any HTTPClient

    init(reply: SentResponse = SentResponse(HTTPResponse(status: 200, body: Array("hello".utf8)))) {
        node = simulation.makeNode("notifier")
        client = simulation.network.client(for: node)
        responder = CountingResponder(reply: reply)
        simulation.network.listen(
            gitlabOrigin,
            link: "gitlab",
            latency: .constant(.milliseconds(10)),
            responder: responder
        )
    }

    func send(_ request: HTTPRequest, after delay: Duration = .zero, options: HTTPSendOptions = HTTPSendOptions()) {
        node.start { [node, outcomes, client] in
            try? await node.clock.sleep(for: delay)
            let outcome = await client.send(request, options: options)
            outcomes.write("\(node.clock.monotonicNow.nanoseconds) \(Self.text(of: outcome))")
        }
    }

    private static func text(of outcome: HTTPOutcome) -> String {
        switch outcome {
        case .response(let response): "\(response.status)"
        case .notSent(let failure): "notSent \(failure)"
        case .unknown(let failure): "unknown \(failure)"
        }
    }
}
