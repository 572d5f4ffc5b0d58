import FakeAPNs
import HTTP
import NotifierKit
import Platform
import Scenarios
import SimulatedStorage
import Simulation
import Verdict

/// The app on one device, from its installation on: what the device keeps for it, the part of it that works in the background, and, while it is
/// open, its process.
///
/// Unchecked: simulation thread.
final class DeviceApp: @unchecked Sendable {
    /// Where it runs, and who hears of it.
    struct Surroundings {
        let simulation: Simulation
        /// What goes on while nobody looks: the person's errands, background refresh, the extension that hears of pushes.
        let node: Node
        let numbers: GitLabNumbers
        let recorder: Recorder
        let fleet: DeviceFleet
        /// Whose it is, and what they call the device.
        let person: Username
        let device: DeviceName
        /// What the fleet calls it, which is also its address.
        let id: DeviceID
    }

    let surroundings: Surroundings
    let memory = DeviceMemory()
    /// On which the app keeps what all devices keep alike; nil for a device that no fault of the scenario strikes, which keeps it in memory.
    let disk: DeviceDisk?
    /// False while its battery is empty.
    private(set) var hasPower = true { didSet { moved() } }
    /// When its battery is charged.
    var offUntil = Duration.zero
    /// Whether there is a network where it is.
    var hasNetwork = true { didSet { moved() } }
    var isOnline: Bool { hasPower && hasNetwork }
    /// How often it has left the network: what was to come after its return comes no more once it is away again.
    private(set) var departures = 0
    /// Whether the device saves power.
    var isSavingPower = false { didSet { mayRunAgain() } }
    /// The person has closed the app for good, and not opened it since.
    private(set) var isQuit = false
    /// Whether the system lets the app do anything that nobody sees.
    var mayRunInBackground: Bool { !isQuit && !isSavingPower }
    /// When it came back to the network last, or its system began to let the app run again.
    private(set) var onlineSince = Duration.zero
    /// The app while it is open, or was and has not been killed since.
    private(set) var process: AppProcess?
    private var processes = 0
    /// What the person has chosen about the watch list and the server has not answered.
    private(set) lazy var choices = WatchChoices(
        of: surroundings.person,
        on: surroundings.device,
        recorder: surroundings.recorder
    )
    /// Whether the system is to let the app send them in the background, and how often it has since ``onlineSince``.
    var isRefreshDue = false
    var refreshes = 0
    private lazy var refreshRandom = surroundings.simulation.randomStream(
        "background refresh of \(surroundings.id.rawValue)"
    )
    /// When the open app was last left without an answer, or could not keep one; it pauses then.
    private(set) var lastTrouble: Duration?
    /// Since when the open app has waited for answers without a pause; nil while it waits for none.
    private(set) var waitingSince: Duration?
    private var underWay = 0
    var refreshWatch = RefreshWatch()
    /// Whether background refresh is at it: it and the open app are one process on a real device.
    private(set) var isRefreshing = false
    /// What the extension has seen of pushes and the app has not taken yet.
    private var pushed: [String] = []
    /// What was read from the server already.
    private var known: Set<String> = []
    /// The number of unread notifications that the recorder heard of last.
    private var notedBadge: (count: Int, at: Duration)?
    /// What notifications tell, by id, since the kit does not keep it.
    private var contents: [String: PushContent] = [:]

    /// What its person asks of the server.
    private(set) lazy var client = AppClient(
        kit: makeKit(on: surroundings.node, process: 0) { [recorder = surroundings.recorder] request, status, _ in
            if status == 200, request.target == "/auth/refresh" { recorder.reach(.sessionRefreshed) }
        },
        memory: memory,
        time: surroundings.node.clock,
        numbers: surroundings.numbers
    )
    private(set) lazy var screen = DeviceScreen(
        onShow: { [weak self] in self?.show($0) },
        onDouble: { [surroundings] in
            surroundings.recorder.noteDouble($0, and: $1, of: surroundings.person, on: surroundings.device)
        }
    )
    private lazy var backgroundKit = makeKit(on: surroundings.node, process: 0) { [weak self] in
        self?.heard($0, $1, $2)
    }
    /// Fetches in the background, and marks for the person.
    private lazy var background = NotificationManager(
        client: backgroundKit,
        store: memory,
        notifier: screen,
        clock: DeviceClock(memory: memory, time: surroundings.node.clock, entropy: surroundings.node.entropy),
        board: StatusBoard()
    )

    init(_ surroundings: Surroundings, isStruck: Bool) {
        self.surroundings = surroundings
        let random = surroundings.simulation.randomStream("disk of \(surroundings.id.rawValue)")
        disk = isStruck ? DeviceDisk(random: random) : nil
        memory.onSync = { [weak self] old in
            guard let self else { return }
            choices.changed(from: old, to: memory.sync)
        }
    }

    /// The kit for one process; 0 is what works in the background.
    private func makeKit(
        on node: Node,
        process: Int,
        hearing onAnswer: @escaping @Sendable (TransportRequest, Int, [UInt8]) -> Void
    ) -> NotifierClient {
        NotifierClient(
            transport: KitTransport(
                http: surroundings.simulation.network.client(for: node, address: surroundings.id.rawValue),
                isOnline: { [weak self] in process == 0 || self?.isOnline ?? false },
                onSend: { [weak self] in
                    self?.choices.sends($0)
                    self?.noteRefresh($0)
                    self?.begins(in: process)
                },
                onAnswer: { [weak self] request, status, body in
                    self?.heardForm(body, status, request)
                    self?.surroundings.recorder.heard(body, to: request.method, request.target)
                    self?.judgeRefresh(request, status, body)
                    if process > 0 { self?.choices.answered(request, status, body) }
                    onAnswer(request, status, body)
                },
                onTrouble: { [weak self] in
                    guard let self, process > 0 else { return }
                    lastTrouble = surroundings.recorder.now
                },
                onEnd: { [weak self] in self?.ends(in: process) }
            ),
            credentials: CredentialStore(DeviceMemory.Keys(memory: memory, process: process, time: node.clock)),
            tasks: TaskStarter { work in node.start { await work() } }
        )
    }

    private func begins(in process: Int) {
        guard process > 0, process == processes else { return }
        if underWay == 0 { waitingSince = surroundings.recorder.now }
        underWay += 1
    }

    /// An answer that took long is as little to be judged by as none.
    private func ends(in process: Int) {
        guard process > 0, process == processes, underWay > 0 else { return }
        underWay -= 1
        guard underWay == 0, let since = waitingSince else { return }
        if since + LikenessCheck.longestAnswer < surroundings.recorder.now { lastTrouble = surroundings.recorder.now }
        waitingSince = nil
    }

    // MARK: Open and closed

    /// The app comes to the foreground; it is started when it is not there.
    func open() {
        startedByPerson()
        running().enterForeground()
    }

    /// The person closes it for good: the system starts it for nothing.
    func quit() {
        kill()
        isQuit = true
        surroundings.fleet.forceQuitApp(WorldBuilder.topic, on: surroundings.id)
    }

    /// The person has it in front of them, or has installed it anew.
    func startedByPerson() {
        guard isQuit else { return }
        isQuit = false
        surroundings.fleet.launchApp(WorldBuilder.topic, on: surroundings.id)
        mayRunAgain()
    }

    /// It is on the network, or off it.
    private func moved() {
        if !isOnline { departures += 1 }
        mayRunAgain()
    }

    /// What kept the app from the network, or the system from running it, may be over: what waits has all the time again from now on.
    private func mayRunAgain() {
        guard isOnline else { return }
        onlineSince = surroundings.recorder.now
        refreshes = 0
        refreshLater()
    }

    /// The app, which is started when it is not there.
    func running() -> AppProcess {
        let process = process ?? launch()
        self.process = process
        return process
    }

    /// Its person has signed in by ``client``: the rest of the app works for that sign-in from now on, as one process would on a real device.
    func signedIn() {
        surroundings.node.start { [self] in
            await process?.followSignIn()
            await backgroundKit.followSignIn()
        }
    }

    /// The app leaves the foreground and stays in memory.
    func close() { process?.leaveForeground() }

    /// The app ends where it stands, as when the system needs its memory.
    func kill() {
        guard let process else { return }
        disk?.endProcess()
        process.node.crash()
        memory.ended(process.number)
        self.process = nil
        (underWay, waitingSince) = (0, nil)
        choices.cutOff()
    }

    /// The battery is empty: the device is off, and its disk has lost of the last writes what `fate` says.
    func losePower(_ fate: UnsyncedWrites?) {
        disk?.losePower(fate)
        kill()
        hasPower = false
    }

    /// The device is on again, and its system starts the app in the background.
    func regainPower(hasApp: Bool) {
        hasPower = true
        if hasApp { reopen() }
    }

    /// The system starts the app in the background, which opens its store.
    func reopen() {
        guard hasPower, memory.isSignedIn, !isQuit else { return }
        running().reopen()
    }

    /// The kit could not keep or read something. Where it has found what it kept damaged it has begun anew: what was chosen and not sent is gone.
    func storeFailed(_ error: KeyValueStoreError) {
        lastTrouble = surroundings.recorder.now
        guard error.hasBegunAnew else { return }
        memory.forgetSync()
        surroundings.recorder.reach(.storeBegunAnew)
        choices.lostStore()
    }

    var isInForeground: Bool { process?.isInForeground ?? false }

    private func launch() -> AppProcess {
        processes += 1
        let node = surroundings.simulation.makeNode(
            "app of \(surroundings.id.rawValue)",
            clock: surroundings.node.clock
        )
        let kit = makeKit(on: node, process: processes) { [weak self] in self?.heard($0, $1, $2) }
        return AppProcess(processes, of: self, on: node, kit)
    }

    // MARK: News

    /// The app hands over to the kit what the extension has noted, once for all.
    func takePushes(into manager: NotificationManager) async throws(NotifierError) {
        let ids = pushed
        guard !ids.isEmpty else { return }
        pushed = []
        try await manager.pushesArrived(ids)
    }

    /// In so many seconds from its return to the network on iOS lets an app refresh, which is nobody's choice but the system's.
    private static let refreshPause: ClosedRange<Int64> = 900...14_400

    /// After how long it does so this time.
    func drawRefreshPause() -> Duration { .seconds(refreshRandom.next(in: Self.refreshPause)) }

    /// Background refresh: fetches what is new, again and again until it has succeeded or the app is opened.
    func refresh() async {
        guard memory.isSignedIn else { return }
        _ = await client.patiently(while: { [self] in !isInForeground && isOnline && memory.isSignedIn }) { [self] _ in
            isRefreshing = true
            defer { isRefreshing = false }
            try await takePushes(into: background)
            _ = try await background.fetchNew()
        }
    }

    /// The person marks as read what they were told about an item.
    func markRead(_ item: ItemReference) async -> Bool {
        let item = client.reference(item)
        let selection = ReadSelection.subject("\(item.projectID)/\(item.kind.rawValue)/\(item.iid)")
        do {
            // What the screen shows is known.
            try await takePushes(into: background)
            try await background.mark(selection)
        } catch {
            return false
        }
        return await client.patiently { [background] _ in try await background.sendPendingMarks() } != nil
    }

    /// A push is about to be shown. In the foreground the app decides, asynchronously, whether it is; otherwise its extension notes it.
    func arrived(_ event: DeviceEvent, present: @escaping @Sendable () -> Void) {
        let identifier = event.push.collapseID ?? event.push.apnsID
        guard let content = surroundings.recorder.content(of: event.push) else { return present() }
        let id = content.notificationID
        guard let process, process.isInForeground else {
            pushed.append(id)
            screen.pushed(content, under: identifier, badge: content.badge)
            return present()
        }
        process.node.start { [self] in
            guard await process.notifications.shouldPresent(push: id) else {
                return surroundings.recorder.reach(.pushSuppressed)
            }
            // The app keeps the number itself: that of a push that comes late is an old one.
            screen.pushed(content, under: identifier)
            present()
        }
    }

    /// The kit shows something by itself: what it tells, or nil where the device shows nothing.
    private func show(_ notification: LocalNotification) -> PushContent? {
        let recorder = surroundings.recorder
        guard surroundings.fleet.showsNotifications(of: WorldBuilder.topic, on: surroundings.id) else { return nil }
        let content =
            contents[notification.notification.id]
            ?? PushContent(
                notificationID: notification.notification.id,
                type: nil,
                factKeys: [],
                isTruncated: false,
                title: notification.title
            )
        recorder.reach(.pullShown)
        recorder.noteShown(content, on: surroundings.id)
        return content
    }

    /// What the icon says while the app knows all that the server does: each number once, and again after a while.
    private func noteBadge() {
        let now = surroundings.recorder.now
        if let noted = notedBadge, noted.count == screen.badge, now < noted.at + .minutes(5) { return }
        notedBadge = (screen.badge, now)
        surroundings.recorder.noteBadge(
            screen.badge,
            listing: memory.inbox?.unreadCount,
            of: surroundings.person,
            on: surroundings.device
        )
    }

    /// An answer of the server to the kit: what it tells is known from now on.
    private func heard(_ request: TransportRequest, _ status: Int, _ body: [UInt8]) {
        let recorder = surroundings.recorder
        switch (request.method, request.target.prefix { $0 != "?" }, status) {
        case ("POST", "/auth/refresh", 200): recorder.reach(.sessionRefreshed)
        case ("GET", "/ping", 304):
            recorder.reach(.pingUnchanged)
            if process?.isUpToDate == true { noteBadge() }
        case ("POST", "/notifications/ack", 200): recorder.reach(.acknowledged)
        case ("GET", "/notifications", 200):
            guard let (feed, words, beginsAnew) = PayloadReader.feed(body) else { return }
            recorder.reach(.catchUp)
            for entry in words { recorder.noteListed(entry, of: surroundings.person, on: surroundings.device) }
            if beginsAnew { recorder.reach(.pullReset) }
            let news = feed.filter { known.insert($0.notificationID).inserted }
            // The history lacks what only a push's payload says.
            for content in feed where contents[content.notificationID]?.reminder == nil {
                contents[content.notificationID] = content
            }
            recorder.noteRead(news.flatMap(\.factKeys), by: surroundings.person, on: surroundings.device)
        default: break
        }
    }
}
