import Platform

/// Finds out what GitLab offers, when that may have changed.
extension AccountPoller {
    func refreshCapabilities() async {
        guard let polled else { return }
        let now = context.time.monotonicNow
        switch polled.capabilityWatch.step(at: now) {
        case .nothing: return
        case .readVersion: await readVersion()
        case .discover: await discover()
        }
        await refreshName(at: now)
    }

    private func readVersion() async {
        guard let polled else { return }
        do throws(GitLabError) {
            let version = try await prober(polled).version()
            let now = context.time.monotonicNow
            guard polled.capabilityWatch.take(version: version, known: polled.capabilities.version, at: now) else {
                return
            }
            await discover()
        } catch {
            polled.capabilityWatch.postpone(at: context.time.monotonicNow)
        }
    }

    private func discover() async {
        guard let polled else { return }
        do {
            let found = try await prober(polled).discover(known: polled.capabilities).capabilities
            let known = polled.capabilities.version
            // Nobody need wait for the store, which is asked again.
            polled.capabilities = found
            let wallNow = context.time.wallNow
            try await context.store.transaction { [id] in try $0.setCapabilities(found, of: id, at: wallNow) }
            if let version = found.version, version != known {
                context.log.write(.versionChanged, [accountField, ("gitlab.version", .text(version))])
            }
            polled.capabilityWatch.takeDiscovery(found, at: context.time.monotonicNow)
            context.log.write(.capabilitiesFound, [accountField] + found.fields)
        } catch is GitLabError {
            // What was known holds until the next attempt.
            polled.capabilityWatch.postpone(at: context.time.monotonicNow)
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
            polled.capabilityWatch.discoverAgain(at: context.time.monotonicNow.advanced(by: Self.storeRetry))
        }
    }

    private func prober(_ polled: PolledAccount) -> CapabilityProber {
        CapabilityProber(client: polled.reader.client, gate: gate)
    }
}

extension Capabilities {
    /// As log entries tell it.
    var fields: [Log.Field] {
        let missing = CapabilitySource.allCases.filter { !self[$0] }.map(\.rawValue)
        return [
            ("gitlab.version", .text(version ?? "")), ("capability.activity", .text(activity.rawValue)),
            ("capability.missing", .text(missing.joined(separator: " "))),
        ]
    }
}
