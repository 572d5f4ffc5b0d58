import Crypto
import Glibc
import HTTP
import Testing

@testable import Live

/// The REST API over TLS, without a proxy.
@Suite(.timeLimit(.minutes(2))) struct ServedCertificateTests {
    @Test func `a renewed certificate is said to need a restart, and served after it`() async throws {
        let world = try LiveWorld(
            settings: ["listen": #"{"port": 0, "certificate": "FOLDER/chain.pem", "key": "FOLDER/key.pem"}"#]
        )
        let former = try renewCertificate(in: world)
        let first = try world.startServer()
        let formerPort = try await first.port()
        #expect(await status(at: formerPort, trusting: former) == 200)

        let renewed = try renewCertificate(in: world)
        kill(first.identifier, SIGHUP)
        #expect(try await first.wait(for: "daemon.reloaded").contains("\"restart_needed\":1"))
        #expect(await status(at: formerPort, trusting: former) == 200)
        #expect(await first.end(by: SIGTERM) == 0)

        let second = try world.startServer()
        let port = try await second.port()
        #expect(await status(at: port, trusting: renewed) == 200)
        #expect(await status(at: port, trusting: former) == nil)
        kill(second.identifier, SIGHUP)
        #expect(try await second.wait(for: "daemon.reloaded").contains("\"restart_needed\":0"))
        #expect(await second.end(by: SIGTERM) == 0)
    }

    @Test func `a certificate that cannot be read is named before anything starts, and by SIGHUP`() async throws {
        let world = try LiveWorld(
            settings: ["listen": #"{"port": 0, "certificate": "FOLDER/chain.pem", "key": "FOLDER/key.pem"}"#]
        )
        let check = try world.start("check-config")
        #expect(await check.end(by: nil) == 65)
        #expect(await check.rest().contains("chain.pem cannot be read"))

        try renewCertificate(in: world)
        let server = try world.startServer()
        _ = try await server.port()
        unlink("\(world.folder)/key.pem")
        kill(server.identifier, SIGHUP)
        #expect(try await server.wait(for: "daemon.reload_failed").contains("key.pem cannot be read"))
        #expect(await server.end(by: SIGTERM) == 0)
    }

    /// Writes another certificate with its key; gives the path of the authority it comes from.
    @discardableResult
    private func renewCertificate(in world: LiveWorld) throws -> String {
        let authority = try ThrowawayAuthority(name: "renewals")
        let issued = try authority.issue(names: ["localhost"], addresses: [])
        try world.files.write(issued.certificatePEM, to: "chain.pem")
        try world.files.write(
            try #require(String(validating: issued.keyPEM.exposedBytes, as: UTF8.self)),
            to: "key.pem"
        )
        let path = "authority-\(TemporaryFolder.entries(of: world.folder).count).pem"
        try world.files.write(try authority.certificatePEM, to: path)
        return "\(world.folder)/\(path)"
    }

    /// What the server says of its health over TLS; nil when it is not the one that `authority` vouches for.
    private func status(at port: UInt16, trusting authority: String) async -> Int? {
        var configuration = CurlClient.Configuration()
        configuration.usesSystemProxy = false
        configuration.authorityFile = authority
        let origin = HTTPOrigin(scheme: "https", host: "localhost", port: port)
        let request = HTTPRequest(method: .get, origin: origin, target: "/health")
        let outcome = await CurlClient(configuration).send(request, options: HTTPSendOptions())
        guard case .response(let response) = outcome else { return nil }
        return response.status
    }
}
