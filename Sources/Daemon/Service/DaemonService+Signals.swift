import Configuration
import HTTP
import Live
import Notifier
import Platform
import Synchronization

/// What the service does when it is asked for something from outside.
extension DaemonService {
    /// Serves requests until one to stop.
    func obey(_ signals: LiveSignalStream, _ notifier: Notifier, _ server: HTTPServer) async {
        for await request in signals.requests {
            switch request {
            case .reload: await reload(notifier)
            case .stop: return await stop(notifier, server)
            }
        }
    }

    private func stop(_ notifier: Notifier, _ server: HTTPServer) async {
        manager.notify("STOPPING=1")
        log.write(LogEntry(level: .notice, message: "daemon.stopping", fields: []))
        notifier.stop()
        await server.stop(within: settings.notifier.shutdownTimeout)
    }

    /// Reads settings and secrets again and takes over the level of the log and Apple's key. What else has changed there waits for a
    /// restart, and the log says so. When something is wrong with them everything stays as it was.
    private func reload(_ notifier: Notifier) async {
        manager.notify("RELOADING=1\nMONOTONIC_USEC=\(LiveTime().monotonicNow.nanoseconds / 1_000)")
        defer { manager.notify("READY=1") }
        do {
            let inputs = try source.read()
            let identity = try inputs.settings.listen.identity()
            try inputs.settings.checkAuthorities()
            let isKeyNew = try await takeKey(of: inputs, notifier)
            // So that this is told whichever way the level goes.
            log.minimumLevel = min(log.minimumLevel, inputs.settings.logLevel)
            defer { log.minimumLevel = inputs.settings.logLevel }
            var known = settings
            known.logLevel = inputs.settings.logLevel
            let needsRestart =
                known != inputs.settings || identity != self.identity || !secrets.equalsButForKey(inputs.secrets)
            log.write(
                LogEntry(
                    level: .notice,
                    message: "daemon.reloaded",
                    fields: [
                        ("apns.key_changed", .number(isKeyNew ? 1 : 0)),
                        ("restart_needed", .number(needsRestart ? 1 : 0)),
                    ]
                )
            )
        } catch {
            let known = error as? DaemonError
            log.write(
                LogEntry(
                    level: .error,
                    message: "daemon.reload_failed",
                    // The sentence names paths and addresses: it is for who runs the server, the code for an incident report.
                    fields: [
                        ("error.code", .text((known?.code ?? .failed).rawValue)),
                        ("error", .text(known?.message ?? "\(error)")),
                    ]
                )
            )
        }
    }

    /// True when the key is another than before.
    private func takeKey(of inputs: DaemonInputs, _ notifier: Notifier) async throws -> Bool {
        let key = inputs.secrets.apnsKey
        guard apnsKey.withLock({ $0 != key }) else { return false }
        try await notifier.use(key)
        apnsKey.withLock { $0 = key }
        return true
    }
}

extension NotifierSecrets {
    /// Whether all but Apple's key is the same.
    fileprivate func equalsButForKey(_ other: NotifierSecrets) -> Bool {
        encryptionKeys.elementsEqual(other.encryptionKeys) { $0.version == $1.version && $0.key == $1.key }
            && sessionKey == other.sessionKey && webhookSecret == other.webhookSecret
            && oauthApplications.elementsEqual(other.oauthApplications) { $0.clientSecret == $1.clientSecret }
    }
}
