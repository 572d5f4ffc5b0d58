import Live
import Testing

@testable import Workbench

struct ConnectionFaultsTests {
    private let faults: ConnectionFaults

    init() throws {
        faults = ConnectionFaults(certificates: try ServedCertificates(name: "tests"))
    }

    @Test(arguments: ConnectionFaults.names)
    func `every name in the hint is one that can be posted`(name: String) throws {
        #expect(faults.kind(name, ConnectionFaults.Options(reason: "Shutdown", streams: 7)) != nil)
        #expect(faults.kind(name + "x", ConnectionFaults.Options()) == nil)
    }

    @Test(arguments: [nil, 0, -1, 1_000_001] as [Int64?])
    func `a limit of streams must be said`(streams: Int64?) {
        #expect(faults.kind("stream-limit", ConnectionFaults.Options(streams: streams)) == nil)
    }

    @Test func `what is told beside the name reaches the fault`() throws {
        guard case .frames(let away)? = faults.kind("go-away", ConnectionFaults.Options(reason: "Shutdown")),
            case .frames(let limit)? = faults.kind("stream-limit", ConnectionFaults.Options(streams: 7))
        else { throw Missing() }
        #expect(away == .goAway(reason: "Shutdown"))
        #expect(limit == .streamLimit(7))
    }

    private struct Missing: Error {}
}
