import FakeGitLab
import HTTP
import Platform
import Simulation

/// GitLab's background jobs that send webhooks to the notifier: some seconds late, in no order, once each, never again after a
/// failure (GitLab facts §15.1). And those who imitate them.
///
/// Isolation: used by the simulation's thread.
final class WebhookSender: @unchecked Sendable {
    // @unchecked: touched only by the thread that runs the simulation.

    private let gitlab: FakeGitLab
    private let node: Node
    private let simulation: Simulation
    private let client: any HTTPClient
    private var random: RandomStream
    /// The last entry of the ledger whose hooks were made.
    private var sequence = 0
    private var duplicated = Ratio.zero
    private var forged = Ratio.zero

    /// How late the jobs run.
    private static let delay = QuantileTable([
        QuantileTable.Point(perMille: 0, value: .milliseconds(300)),
        QuantileTable.Point(perMille: 500, value: .milliseconds(1_200)),
        QuantileTable.Point(perMille: 900, value: .seconds(4)),
        QuantileTable.Point(perMille: 990, value: .seconds(20)),
        QuantileTable.Point(perMille: 1_000, value: .minutes(2)),
    ])

    init(_ gitlab: FakeGitLab, node: Node, simulation: Simulation) {
        self.gitlab = gitlab
        self.node = node
        self.simulation = simulation
        client = simulation.network.client(for: node)
        random = simulation.randomStream("webhooks")
    }

    /// Sends what has happened since.
    func sendNew() {
        for hook in gitlab.hooks(after: sequence) {
            send(hook.request, after: Self.delay.draw(from: &random))
            if duplicated.numerator > 0, random.chance(duplicated.numerator, in: duplicated.denominator) {
                send(hook.request, after: Self.delay.draw(from: &random))
            }
            if forged.numerator > 0, random.chance(forged.numerator, in: forged.denominator) { forge(hook.request) }
        }
        sequence = gitlab.activityCount
    }

    /// Ends what is under way.
    func stop() {
        node.stop()
    }

    /// From now on that share of the hooks is sent twice.
    func duplicate(_ ratio: Ratio) {
        duplicated = ratio
    }

    /// From now on that share of the hooks is followed by forged ones.
    func forge(_ ratio: Ratio) {
        forged = ratio
    }

    /// What somebody sends who saw a hook: it again and again, one without the secret, one that is no JSON, and one that names what
    /// nobody watches.
    private func forge(_ request: HTTPRequest) {
        for number in 0..<40 { send(request, after: .milliseconds(250 * Int64(number)), isGitLab: false) }
        var guessed = request
        guessed.fields["X-Gitlab-Token"] = "guessed"
        var broken = request
        broken.body = Array(request.body.prefix(request.body.count / 2))
        var foreign = request
        let text = #"{"object_kind":"issue","project":{"id":999999},"object_attributes":{"iid":1}}"#
        foreign.fields["X-Gitlab-Event"] = "Issue Hook"
        foreign.body = Array(text.utf8)
        for forgery in [guessed, broken, foreign] { send(forgery, after: .seconds(1), isGitLab: false) }
    }

    private func send(_ request: HTTPRequest, after delay: Duration, isGitLab: Bool = true) {
        simulation.schedule(after: delay) { [self] in
            node.start { [client, gitlab] in
                let options = HTTPSendOptions(totalTimeout: Webhook.timeout)
                let outcome = await client.send(request, options: options)
                if isGitLab { gitlab.hookAnswered(outcome) }
            }
        }
    }
}
