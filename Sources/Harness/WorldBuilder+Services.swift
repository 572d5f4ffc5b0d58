import Crypto
import FakeAPNs
import FakeGitLab
import HTTP
import Platform
import Scenarios
import Simulation

extension WorldBuilder {
    /// The devices of everyone who uses the notifier, with the app on them.
    static func makeFleet(
        _ scenario: Scenario,
        _ seed: UInt64,
        _ ledgerLimit: Int?,
        clock: NodeClock,
        scheduler: any Scheduler
    ) -> DeviceFleet {
        var configuration = DeviceFleet.Configuration()
        configuration.deliveryLatency = scenario.world.apns.deviceLatency
        // APNs takes hours to months to call a token dead (APNs facts §10); a story of a day would never see it happen.
        configuration.unregisteredDelay = QuantileTable([
            QuantileTable.Point(perMille: 0, value: .minutes(2)),
            QuantileTable.Point(perMille: 1_000, value: .minutes(40)),
        ])
        configuration.neverUnregistered = .never
        configuration.ledgerLimit = ledgerLimit ?? configuration.ledgerLimit
        // What stands on a screen the device's app knows; the fleet has every push with its payload.
        configuration.displayedLimit = ledgerLimit ?? configuration.displayedLimit
        let fleet = DeviceFleet(configuration, time: clock, scheduler: scheduler, seed: seed)
        for person in scenario.world.people {
            for device in person.notified?.devices ?? [] {
                let id = deviceID(of: device.name, person.username)
                fleet.addDevice(id, kind: device.platform == .ios ? .phone : .mac)
            }
        }
        return fleet
    }

    /// The production and the sandbox personality of APNs, which share the devices.
    static func makeAPNs(
        _ secrets: WorldSecrets,
        seed: UInt64,
        _ ledgerLimit: Int?,
        clock: NodeClock,
        fleet: DeviceFleet
    ) -> [FakeAPNs] {
        APNsEnvironment.allCases.map { environment in
            var configuration = FakeAPNs.Configuration()
            configuration.environment = environment
            configuration.requestLedgerLimit = ledgerLimit ?? configuration.requestLedgerLimit
            let apns = FakeAPNs(
                configuration,
                fleet: fleet,
                time: clock,
                seed: seed &+ UInt64(environment == .sandbox ? 1 : 0)
            )
            apns.register(providerKey(of: secrets))
            return apns
        }
    }

    /// The notifier's key, as Apple knows it.
    static func providerKey(of secrets: WorldSecrets) -> ProviderKey {
        ProviderKey(
            keyID: WorldSecrets.apnsKeyID,
            teamID: WorldSecrets.apnsTeamID,
            publicKey: secrets.apnsKey.publicKey,
            topics: [topic]
        )
    }

    /// Puts the services on the network, each behind an observer that shares nothing with what it watches.
    static func connect(
        _ gitlab: FakeGitLab,
        _ apns: [FakeAPNs],
        to simulation: Simulation,
        _ world: World,
        _ recorder: Recorder
    ) {
        simulation.network.listen(
            gitlabOrigin,
            link: Link.gitlab.rawValue,
            latency: world.gitlab.latency,
            responder: ObservedGitLab(gitlab, recorder: recorder)
        )
        for (origin, service) in zip([productionOrigin, sandboxOrigin], apns) {
            simulation.network.listen(
                origin,
                link: Link.apns.rawValue,
                latency: world.apns.latency,
                responder: ObservedAPNs(service, recorder: recorder)
            )
        }
    }

    /// What a device is called in the fleet: `alex/phone`.
    static func deviceID(of device: DeviceName, _ person: Username) -> DeviceID {
        DeviceID(rawValue: "\(person.text)/\(device.text)")
    }

    static func apply(_ setting: QuirkSetting, to configuration: inout FakeGitLab.Configuration) {
        switch (setting.quirk, setting.value) {
        case (.omitTotalsAbove, .number(let rows)): configuration.totalsLimit = Int(rows)
        case (.largeIdentifiers, .on(let isOn)): configuration.largeIDs = isOn
        case (.refreshRevokesAtOnce, .on(let isOn)): configuration.refreshRevokesAtOnce = isOn
        case (.resetApprovalsOnPush, .on(let isOn)): configuration.resetsApprovalsOnPush = isOn
        case (.disableFailingWebhooks, .on(let isOn)): configuration.webhook?.disablesItself = isOn
        case (.primaryStickiness, .on(let isOn)):
            if !isOn { configuration.primaryStickiness = .zero }
        default: break
        }
    }
}
