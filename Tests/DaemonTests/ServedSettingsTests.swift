import Glibc
import HTTP
import Testing

/// What is set reaches the server that runs.
@Suite(.timeLimit(.minutes(2))) struct ServedSettingsTests {
    @Test func `webhooks are taken by those who know the secret, and by nobody when there is none`() async throws {
        let world = try LiveWorld()
        let (path, token) = ("/webhooks/gitlab", "webhook-secret-of-the-test")
        let without = try world.startServer()
        let fields = ["X-Gitlab-Token": token, "X-Gitlab-Event": "Push Hook"]
        #expect(await world.post(path, "{}", at: try await without.port(), fields: fields)?.status == 404)
        #expect(await without.end(by: SIGTERM) == 0)

        let with = try world.startServer(["WEBHOOK_SECRET": token])
        let port = try await with.port()
        #expect(await world.post(path, "{}", at: port, fields: fields)?.status == 202)
        #expect(await world.post(path, "{}", at: port, fields: ["X-Gitlab-Token": "another"])?.status == 401)
        #expect(await with.end(by: SIGTERM) == 0)
    }

    @Test func `people can sign in at the GitLab that the settings name, and at no other`() async throws {
        let application = #"{"gitlab": "http://127.0.0.1:9", "clientId": "id", "redirectUri": "app:/oauth"}"#
        let gitlabs = #"["http://127.0.0.1:9", "http://127.0.0.1:10"]"#
        let world = try LiveWorld(settings: ["oauth": "[\(application)]", "gitlabs": gitlabs])
        let server = try world.startServer()
        let port = try await server.port()
        let body = #"{"gitlabUrl": "http://127.0.0.1:9"}"#
        let begun = await world.post("/auth/oauth/start", body, at: port)
        #expect(begun?.status == 201 && begun?.text.contains("client_id=id") == true, "\(begun?.text ?? "")")
        let other = await world.post("/auth/oauth/start", #"{"gitlabUrl": "http://127.0.0.1:10"}"#, at: port)
        #expect(other?.text.contains("oauth_not_offered") == true)
        let stranger = await world.post("/auth/oauth/start", #"{"gitlabUrl": "http://127.0.0.1:11"}"#, at: port)
        #expect(stranger?.text.contains("gitlab_not_served") == true)
        #expect(await server.end(by: SIGTERM) == 0)
    }

    @Test func `the database and the folder for backups are for their owner alone`() async throws {
        let world = try LiveWorld(settings: ["backups": "\"FOLDER/backups\""])
        let server = try world.startServer()
        _ = try await server.port()
        #expect(TemporaryFolder.mode(of: "\(world.folder)/backups") == 0o700)
        for name in TemporaryFolder.entries(of: world.folder) where name.hasPrefix("notifier.db") {
            #expect(TemporaryFolder.mode(of: "\(world.folder)/\(name)") == 0o600, "\(name)")
        }
        #expect(await server.end(by: SIGTERM) == 0)
    }

    @Test(arguments: [(12_000, 400, 0), (60_000, 431, 0), (90_000, 400, 100_000), (300_000, 431, 100_000)])
    func `header fields are taken up to the limit that is set, and refused as JSON beyond it`(
        count: Int,
        status: Int,
        limit: Int
    ) async throws {
        let world = try LiveWorld(notifier: limit == 0 ? [:] : ["requestHeaderLimitBytes": "\(limit)"])
        let server = try world.startServer()
        let port = try await server.port()
        let answer = await world.post(
            "/auth/refresh",
            "{}",
            at: port,
            fields: ["X-A": String(repeating: "a", count: count)]
        )
        #expect(answer?.status == status)
        #expect(answer?.text.contains(status == 400 ? "invalid_field" : "headers_too_large") == true)
        #expect(await server.end(by: SIGTERM) == 0)
    }

    @Test(arguments: [true, false])
    func `clients behind a proxy are told apart where the proxy is trusted`(isTrusted: Bool) async throws {
        let world = try LiveWorld(
            settings: ["listen": #"{"port": 0, "trustsForwardedFor": \#(isTrusted)}"#],
            notifier: ["requestsPerMinute": "1"]
        )
        let server = try world.startServer()
        let port = try await server.port()
        var statuses: [Int?] = []
        let addresses = [
            "192.0.2.1", "192.0.2.2", "192.0.2.9, 192.0.2.1", "192.0.2.2:4711", "[2001:db8::1]:4711", "2001:db8::2",
        ]
        for addresses in addresses {
            let answer = await world.post("/auth/refresh", "{}", at: port, fields: ["X-Forwarded-For": addresses])
            statuses.append(answer?.status)
        }
        let refused = [false, !isTrusted, true, true, !isTrusted, true]
        #expect(statuses.map { $0 == 429 } == refused, "\(statuses)")
        #expect(await server.end(by: SIGTERM) == 0)
    }

    @Test(arguments: [true, false])
    func `a proxy may have more connections than a client`(isTrusted: Bool) async throws {
        let world = try LiveWorld(settings: ["listen": #"{"port": 0, "trustsForwardedFor": \#(isTrusted)}"#])
        let server = try world.startServer()
        let port = try await server.port()
        let crowd = HostileCrowd(port: port, clients: 150, beginning: Array("GET / HTTP/1.1\r\nHost: x\r\n".utf8))
        await crowd.hold {
            let answer = await world.get("/health", at: port)
            #expect((answer?.status == 200) == isTrusted)
        }
        #expect(await server.end(by: SIGTERM) == 0)
    }
}
