import FakeGitLab
import Glibc
import HTTP
import Testing

/// What a running server does when a signal asks for it.
@Suite(.timeLimit(.minutes(2))) struct SignalTests {
    @Test func `SIGHUP takes over a key from the file of secrets, and what waited goes out`() async throws {
        let world = try LiveWorld(settings: ["secrets": "\"FOLDER/secrets.env\""])
        try world.files.write("", to: "secrets.env")
        try await world.serve {
            var screen = world.displayed.makeAsyncIterator()
            let server = try world.startServer(LiveWorld.withoutKey)
            let port = try await server.port()
            try await world.signIn(at: port)
            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Looks good.")
            try await server.wait(for: "delivery.withheld")

            try world.files.write(
                "APNS_KEY_PATH=\(world.folder)/key.p8\nAPNS_KEY_ID=TESTKEY001\nAPNS_TEAM_ID=TESTTEAM01\n",
                to: "secrets.env"
            )
            kill(server.identifier, SIGHUP)
            #expect(
                try await server.wait(for: "daemon.reloaded").contains("\"apns.key_changed\":1,\"restart_needed\":0")
            )
            #expect(await screen.next() == "Looks good.")
            #expect(await world.get("/health/ready", at: port)?.text.contains("\"apns\":\"ok\"") == true)
            #expect(await server.end(by: SIGTERM) == 0)
        }
    }

    @Test func `SIGHUP takes over the level of the log, says what needs a restart, and survives nonsense`() async throws
    {
        let world = try LiveWorld()
        let server = try world.startServer()
        _ = try await server.port()
        let settings = "{\"listen\": {\"port\": 0}, \"database\": \"elsewhere.db\", \"logLevel\": \"warning\"}"
        try world.files.write("{\"logLevle\": 1}", to: "notifierd.json")
        kill(server.identifier, SIGHUP)
        #expect(try await server.wait(for: "daemon.reload_failed").contains("logLevel"))
        try world.files.write(settings.replacing("warning", with: "notice"), to: "notifierd.json")
        kill(server.identifier, SIGHUP)
        #expect(try await server.wait(for: "daemon.reloaded").contains("\"restart_needed\":1"))
        try world.files.write(settings, to: "notifierd.json")
        kill(server.identifier, SIGHUP)
        try await server.wait(for: "daemon.reloaded")
        #expect(await server.end(by: SIGTERM) == 0)
        #expect(await server.rest().contains("\"level\":\"notice\"") == false, "an entry below the level")
    }

    @Test func `SIGTERM lets a push under way have its outcome`() async throws {
        let world = try LiveWorld(notifier: ["sendTimeout": "\"30s\"", "leaseDuration": "\"60s\""])
        try await world.serve {
            var (screen, held) = (world.displayed.makeAsyncIterator(), world.gate.held.makeAsyncIterator())
            let first = try world.startServer()
            try await world.signIn(at: try await first.port())
            world.gate.hold()
            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Looks good.")
            await held.next()
            kill(first.identifier, SIGTERM)
            try await first.wait(for: "daemon.stopping")
            world.gate.release()
            try await first.wait(for: "delivery.accepted")
            #expect(await first.end(by: nil) == 0)
            #expect(await screen.next() == "Looks good.")
        }
    }

    @Test func `SIGTERM does not wait for ever`() async throws {
        let world = try LiveWorld(
            notifier: ["sendTimeout": "\"5m\"", "leaseDuration": "\"10m\"", "shutdownTimeout": "\"1s\""]
        )
        try await world.serve {
            var held = world.gate.held.makeAsyncIterator()
            let server = try world.startServer()
            try await world.signIn(at: try await server.port())
            world.gate.hold()
            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Looks good.")
            await held.next()
            kill(server.identifier, SIGTERM)
            try await server.wait(for: "delivery.lease_released")
            #expect(await server.end(by: nil) == 0)
            world.gate.release()
        }
    }

    @Test func `a service manager hears that the server is ready, lives, reads again, and stops`() async throws {
        let world = try LiveWorld()
        let manager = try ServiceManagerSocket(in: world.folder)
        let server = try world.startServer(["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "200000"])
        await manager.wait(for: "READY=1")
        await manager.wait(for: "WATCHDOG=1")
        await manager.wait(for: "WATCHDOG=1")
        kill(server.identifier, SIGHUP)
        await manager.wait(for: "RELOADING=1\nMONOTONIC_USEC=")
        await manager.wait(for: "READY=1")
        kill(server.identifier, SIGTERM)
        await manager.wait(for: "STOPPING=1")
        #expect(await server.end(by: nil) == 0)
    }
}
