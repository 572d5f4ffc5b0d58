import HTTP
import JSON
import Live
import Platform
import Scenarios

/// The sockets of a served world, all on the loopback interface.
final class ServedSockets {
    let gitlab: HTTPServer
    /// Production first, sandbox second.
    let apns: [HTTP2Server]
    private(set) var control: HTTPServer?
    private let driver: LiveWorldDriver
    private let certificates: ServedCertificates

    /// - Throws: `HTTPServerError`.
    init(
        _ arguments: ServeArguments,
        certificates: ServedCertificates,
        driver: LiveWorldDriver
    ) throws {
        self.driver = driver
        self.certificates = certificates
        var configuration = HTTPServerConfiguration()
        configuration.port = arguments.gitlabPort
        configuration.identity = certificates.valid
        configuration.connectionsPerAddressLimit = configuration.connectionLimit
        // libmicrohttpd closes a connection, or lets it hang, when a request line is longer than it can split into parameters; the
        // fake refuses such a line as NGINX does.
        configuration.headerLimitBytes = 1_048_576
        gitlab = try HTTPServer(configuration) { request, peer in
            NGINXCompression.apply(to: await driver.reply(.gitlab, request, peer), of: request)
        }
        apns = try [(ServedWorld.Service.production, arguments.apnsPort), (.sandbox, 0)].map { service, port in
            var configuration = HTTP2ServerConfiguration()
            configuration.port = port
            configuration.identity = certificates.valid
            configuration.streamPolicy = HTTP2StreamPolicy(proven: arguments.streamLimit)
            // The fake refuses what is too long as it refuses everything else: with a reason and the request's id.
            configuration.excess = .cut
            return try HTTP2Server(configuration) { await driver.reply(service, $0, $1) }
        }
    }

    var gitlabOrigin: HTTPOrigin { HTTPOrigin(scheme: "https", host: "localhost", port: gitlab.port) }

    var gitlabURL: String { gitlabOrigin.description }

    /// Begins to listen for the control API; its port.
    ///
    /// - Throws: `HTTPServerError`.
    func addControl(on port: UInt16, announcement: JSONValue, actions: PostedEntries) throws -> UInt16 {
        var configuration = HTTPServerConfiguration()
        configuration.port = port
        let api = ControlAPI(
            driver: driver,
            announcement: announcement,
            actions: actions,
            apnsServers: apns,
            apnsFaults: ConnectionFaults(certificates: certificates)
        )
        let server = try HTTPServer(configuration, handler: api)
        control = server
        return server.port
    }
}
