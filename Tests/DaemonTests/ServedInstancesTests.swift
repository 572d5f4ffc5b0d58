import Glibc
import HTTP
import Testing

/// Which GitLabs a server of the settings serves, and to whom it listens.
@Suite(.timeLimit(.minutes(2))) struct ServedInstancesTests {
    /// What the program says to `check-config`, and its exit status.
    private func check(_ settings: [String: String], _ variables: [String: String] = [:]) async throws -> (
        String, Int32
    ) {
        let world = try LiveWorld(settings: settings)
        let process = try world.start("check-config", variables)
        let said = await process.rest()
        return (said, await process.end(by: nil))
    }

    @Test func `settings without a GitLab are asked for one, and with one they are in order`() async throws {
        let without = try await check(["gitlabs": "[]"])
        #expect(without.1 == 65 && without.0.contains("no GitLab is listed") && without.0.contains("\"gitlabs\""))
        #expect(try await check([:]).1 == 0)
        #expect(try await check(["gitlabs": "[]"], ["GITLABS": "https://gitlab.example.com"]).1 == 0)
    }

    @Test func `a server without a GitLab starts, says so, and speaks to none`() async throws {
        let world = try LiveWorld(settings: ["gitlabs": "[]"])
        try await world.serve {
            let server = try world.startServer()
            let port = try await server.port()
            try await server.wait(for: "gitlab.none_served")
            let body = #"{"gitlabUrl":"\#(world.gitLabAddress)","personalAccessToken":"\#(LiveWorld.secret)"}"#
            let answer = await world.post("/auth/register", body, at: port)
            #expect(
                answer?.status == 422 && answer?.text.contains("gitlab_not_served") == true,
                "\(answer?.text ?? "")"
            )
            #expect(await server.end(by: SIGTERM) == 0)
        }
    }

    @Test func `nothing is sent to a GitLab that is not listed, not even a connection`() async throws {
        let world = try LiveWorld()
        let stranger = try ListeningSocket()
        let server = try world.startServer()
        let port = try await server.port()
        for host in ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost", "2130706433", "0x7f.1", "0177.0.0.1"] {
            for path in ["/auth/register", "/auth/oauth/start"] {
                let body = #"{"gitlabUrl":"http://\#(host):\#(stranger.port)","personalAccessToken":"glpat-of-ann"}"#
                let answer = await world.post(path, body, at: port)
                #expect(answer?.text.contains("gitlab_not_served") == true, "\(host): \(answer?.text ?? "")")
            }
        }
        #expect(!stranger.wasCalled)
        #expect(await server.end(by: SIGTERM) == 0)
    }

    @Test(
        arguments: [
            (#"{"port": 0, "address": "0.0.0.0"}"#, 65), (#"{"port": 0, "address": "::"}"#, 65),
            (#"{"port": 0, "address": "0.0.0.0", "trustsForwardedFor": true}"#, 0),
            (#"{"port": 0, "address": "::1"}"#, 0),
            (#"{"port": 0, "address": "127.0.0.2"}"#, 0),
        ] as [(String, Int32)]
    )
    func `others than this machine are served over TLS, or behind a proxy`(listen: String, status: Int32) async throws {
        let (said, found) = try await check(["listen": listen])
        #expect(found == status && (status == 0 || said.contains("without TLS")), "\(said)")
        guard status != 0 else { return }
        let world = try LiveWorld(settings: ["listen": listen])
        let server = try world.startServer()
        #expect(await server.end(by: nil) == status)
    }
}

/// Listens on the loopback interface and answers nobody.
private final class ListeningSocket {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isListening else { throw DaemonProcess.Failure(sentence: "no socket") }
        port = address.sin_port.bigEndian
        self.descriptor = descriptor
    }

    /// Whether a connection waits: the kernel makes them whether anybody accepts or not.
    var wasCalled: Bool { accept(descriptor, nil, nil) >= 0 }

    deinit { close(descriptor) }
}
