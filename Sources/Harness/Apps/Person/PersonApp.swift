package import FakeAPNs
import FakeGitLab
import HTTP
import Platform
package import Scenarios
import Simulation
import Verdict

/// A person who uses the notifier: the app on their devices, as a client of the notifier's REST API.
///
/// Whatever the person does at a screen that waits for the answer (signing in, pairing, settings) is one thing after the other, each asked again
/// until it is answered. What they choose about the watch list does not wait there: the device keeps it (`DeviceApp+Choices`).
///
/// Unchecked: simulation thread.
package final class PersonApp: @unchecked Sendable {
    /// One of the person's devices.
    package struct DeviceState {
        var name: DeviceName
        /// Its present id in the fleet; a replaced device has another.
        package var id: DeviceID
        package var platform: Device.Platform
        package var environment: APNsEnvironment
        package var token: DeviceToken
        /// APNs takes it for expired, and the app has not asked Apple for another.
        var hasExpiredToken = false
        /// What the notifier took last; nil before the first time.
        var toldToken: DeviceToken?
        /// When it took that, or was told it again; zero before.
        var toldAt = Duration.zero
        /// The app on it, with a session of its own; a replaced device has another.
        var app: DeviceApp
        /// Not there before it is paired.
        var joinsLater: Bool
        /// Whether what is chosen there goes out with all that devices keep alike; if not, each thing is asked by its own route.
        var syncs: Bool
        /// The notifier's id of it.
        var serverID: String?
        /// The person removed it; the app on it does not know yet.
        var isRemoved = false
        /// False where the person wants no pushes there.
        var wantsPushes = true
        /// Somebody signed in there while they wanted none: of that session the notifier does not know whose device it is, so what is chosen by it
        /// is news for the device.
        var hadSessionApart = false
        /// False once the app was deleted from it.
        var hasApp = true
        var replacements = 0
        /// How often the app was opened: what closes it after a while must not close it when it was opened again.
        var openings = 0
        /// When somebody signed in there last; zero before.
        var signedInAt = Duration.zero
        /// When it was opened last; zero before.
        var lastOpened = Duration.zero

        /// What the person asks of the server there.
        var api: AppClient { app.client }
        var isOnline: Bool { app.isOnline }
    }

    package let username: Username
    let node: Node
    let watchesFromStart: [ItemReference]
    package var devices: [DeviceState]
    /// How many GitLab tokens the person was given before the present one.
    var tokenGeneration = 0

    let recorder: Recorder
    let fleet: DeviceFleet
    /// As the person sees it in the browser.
    let gitlab: FakeGitLab
    /// As the person types it into the app.
    let gitlabAddress: String
    let signInBy: NotifiedPerson.SignIn
    /// What the person lets speak to them.
    let program: OutsideProgram
    /// When they were kept out of which project, also before they registered.
    var noAccess: [(project: ProjectPath, span: Span)] = []
    /// How often the token that the notifier held has died.
    var tokenDeaths = 0
    /// When it died last; nil while the one that the notifier holds is alive.
    var tokenDiedAt: Duration?
    /// False in a world that has no notifier of its own: whatever the app has to say goes nowhere.
    package var hasServer = true
    /// What the screens of their apps listed when they went through them last.
    var formerScreens: ScreenTour.Listed?
    /// How often they have gone through the screens of their apps.
    var tours = 0
    /// How often a program of theirs has tried the API.
    var apiFuzzes = 0
    /// How often they have begun sign-ins that came to no end.
    var refusedSignIns = 0
    /// Whether GitLab's subscriptions follow the watch list; nil where nobody knows.
    var isMirroring: Bool? = false
    private let numbers: GitLabNumbers
    /// Devices of which a fault of the plan strikes the disk or the battery.
    private let struckDevices: Set<DeviceName>
    let simulation: Simulation
    /// Holds that their devices tell the same.
    private(set) lazy var likeness = LikenessCheck(of: self)
    /// Writes down what they show of duties.
    private(set) lazy var dutyWatch = DutyWatch(of: self)
    /// What the person has still to do at a screen, in their order.
    private var jobs: [@Sendable () async -> Void] = []
    private var isBusy = false

    /// Nil when the person does not use the notifier.
    init?(
        _ person: Person,
        node: Node,
        simulation: Simulation,
        fleet: DeviceFleet,
        gitlab: FakeGitLab,
        gitlabAddress: String,
        recorder: Recorder,
        numbers: GitLabNumbers,
        struckDevices: Set<DeviceName>
    ) {
        guard let notified = person.notified else { return nil }
        username = person.username
        self.node = node
        self.fleet = fleet
        self.gitlab = gitlab
        self.gitlabAddress = gitlabAddress
        signInBy = notified.signIn
        self.recorder = recorder
        (watchesFromStart, self.numbers, self.simulation) = (notified.watches, numbers, simulation)
        self.struckDevices = struckDevices
        let http = simulation.network.client(for: node, address: "program of \(username.text)")
        program = OutsideProgram(http: http, node: node, recorder: recorder)
        devices = []
        devices = notified.devices.map { device in
            let id = WorldBuilder.deviceID(of: device.name, person.username)
            let environment: APNsEnvironment = device.environment == .production ? .production : .sandbox
            let token = fleet.installApp(WorldBuilder.topic, on: id, environment: environment)
            return DeviceState(
                name: device.name,
                id: id,
                platform: device.platform,
                environment: environment,
                token: token,
                app: makeApp(on: device.name, id),
                joinsLater: device.joinsLater,
                syncs: device.syncs
            )
        }
        recorder.learn(gitlabToken: gitlabToken, of: username)
        for device in devices { learn(device) }
    }

    /// An app that has just been installed. Every device has an address of its own, as phones and laptops do.
    func makeApp(on device: DeviceName, _ id: DeviceID) -> DeviceApp {
        DeviceApp(
            DeviceApp.Surroundings(
                simulation: simulation,
                node: node,
                numbers: numbers,
                recorder: recorder,
                fleet: fleet,
                person: username,
                device: device,
                id: id
            ),
            isStruck: struckDevices.contains(device)
        )
    }

    /// The GitLab token the person has now.
    package var gitlabToken: String { WorldSecrets.gitlabToken(of: username, generation: tokenGeneration) }

    /// The device on which the person does what any of them could do: the first that is signed in, and on.
    var home: Int {
        devices.firstIndex { $0.api.isSignedIn && !$0.isRemoved && $0.app.hasPower }
            ?? devices.firstIndex { $0.api.isSignedIn && !$0.isRemoved } ?? devices.firstIndex { !$0.joinsLater } ?? 0
    }

    /// The device on which the person chooses what to watch: the one whose app they have opened, or else where they do everything.
    var inHand: Int {
        devices.indices.filter { devices[$0].app.isInForeground && devices[$0].hasApp && !devices[$0].isRemoved }
            .max { devices[$0].lastOpened < devices[$1].lastOpened } ?? home
    }

    /// The app on that device.
    var api: AppClient { devices[home].api }

    /// Tells the recorder where pushes to a device go.
    func learn(_ device: DeviceState) {
        recorder.pushWatch.learn(device.id, person: username, device: device.name)
        recorder.pushWatch.learn(token: device.token.hex, person: username, device: device.name)
        recorder.learn(IssuedSecrets.Secret(text: device.token.hex, kind: "a push token"))
    }

    /// Does something at the screen when what the person did there before is done.
    func run(_ job: @escaping @Sendable () async -> Void) {
        guard hasServer else { return }
        jobs.append(job)
        guard !isBusy else { return }
        isBusy = true
        node.start { [self] in
            while !jobs.isEmpty { await jobs.removeFirst()() }
            isBusy = false
        }
    }
}
