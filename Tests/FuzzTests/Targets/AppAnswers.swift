import FoundationEssentials
import HTTP
import NotifierKit
import Platform
import Simulation

@testable import Harness
@testable import Scenarios
@testable import Verdict
@testable import Workbench

extension FuzzTarget {
    /// `200`, fields, body: what a notifier answers to an app, pushes to a device or shows of its metrics, as the simulated apps and
    /// the report read it.
    static let appAnswers = FuzzTarget("app-answers") { bytes in
        let message = MessageText(bytes)
        _ = PayloadReader.feed(message.body)
        if let content = PayloadReader.content(of: message.body) {
            promise(content.type != "activity", "what happened on GitLab is no type of its own")
        }
        readMetrics(String(decoding: message.body, as: UTF8.self))
        if let place = try? JSONDecoder().decode(ServedPlace.self, from: Data(message.body)) {
            promise(place.people.map(\.username) == place.gitlab.tokens.keys.sorted(), "everyone once, in order")
        }
        guard let response = message.response else { return }
        let world = VirtualWorld()
        defer { world.simulation.discard() }
        let memory = DeviceMemory()
        let keys = DeviceMemory.Keys(memory: memory, process: 0, time: world.node.clock)
        let kit = NotifierClient(
            transport: KitTransport(http: OneAnswer(response: response), isOnline: { true }, onAnswer: { _, _, _ in }),
            credentials: CredentialStore(keys),
            tasks: TaskStarter { [node = world.node] work in node.start { await work() } }
        )
        let app = AppClient(kit: kit, memory: memory, time: world.node.clock, numbers: GitLabNumbers())
        // Some hours of patience for each request; a server may ask for an hour each time.
        let isOver = world.finish(within: .days(365)) {
            await useEverything(app)
            return true
        }
        promise(isOver == true, "an app gives up in the end")
    }

    private static func useEverything(_ app: AppClient) async {
        _ = await app.register(gitlabURL: "https://git.internal", token: "t")
        _ = await app.startPairing()
        _ = await app.exchange("123456", platform: "ios", name: "phone")
        _ = await app.startOAuth(gitlabURL: "https://git.internal", .code)
        _ = await app.finishOAuth(state: "s", code: nil)
        _ = await app.registerDevice(token: "aa11", platform: "ios", environment: "production", while: { true })
        guard let project = ProjectPath("team/backend") else { return promise(false, "a path is one") }
        _ = await app.watch(ItemReference(project: project, kind: .issue, iid: 1))
        _ = await app.receive("n", .delivered)
    }

    private static func readMetrics(_ page: String) {
        var series = MetricsSeries()
        for minute in 0..<4 {
            series.add(page, at: VirtualWorld.start.advanced(by: .minutes(minute)))
        }
        let lines = series.lines
        promise(lines.last == "# EOF" && lines.count { $0 == "# EOF" } == 1, "a text ends once")
        if MetricsPage(page).hasNothingToDeliver { promise(page.contains("active_users"), "who is idle says so") }
        promise(lines.count { $0.hasPrefix("up{job=\"notifier\"} 1 ") } >= 4, "every answer is told of")
    }
}
