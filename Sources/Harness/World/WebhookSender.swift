import FakeGitLab
import HTTP
import Platform
import Scenarios
import Simulation
import Verdict

/// GitLab's background jobs that send webhooks to the notifier: some seconds late, in no order, once each, never again after a
/// failure (GitLab facts §15.1). And those who imitate them.
///
/// Unchecked: simulation thread.
final class WebhookSender: @unchecked Sendable {
    private let gitlab: FakeGitLab
    private let node: Node
    private let simulation: Simulation
    private let courier: any HookCourier
    private let recorder: Recorder
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

    /// Who sends a hook.
    private enum Origin {
        case gitlab
        /// Somebody who knows the secret.
        case imitator
        /// Somebody who does not.
        case guesser
    }

    /// Without a courier the hooks go over the simulated network.
    init(
        _ gitlab: FakeGitLab,
        node: Node,
        simulation: Simulation,
        courier: (any HookCourier)?,
        recorder: Recorder
    ) {
        self.gitlab = gitlab
        self.recorder = recorder
        self.node = node
        self.simulation = simulation
        self.courier = courier ?? SimulatedHookCourier(node: node, client: simulation.network.client(for: node))
        random = simulation.randomStream("webhooks")
    }

    /// Sends what has happened since.
    func sendNew() {
        for hook in gitlab.hooks(after: sequence) {
            send(hook, after: Self.delay.draw(from: &random))
            if duplicated.numerator > 0, random.chance(duplicated.numerator, in: duplicated.denominator) {
                send(hook, after: Self.delay.draw(from: &random))
            }
            if forged.numerator > 0, random.chance(forged.numerator, in: forged.denominator) { forge(hook) }
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
    private func forge(_ hook: HookDelivery) {
        for number in 0..<40 { send(hook, after: .milliseconds(250 * Int64(number)), from: .imitator) }
        var (guessed, broken, foreign) = (hook, hook, hook)
        guessed.request.fields["X-Gitlab-Token"] = "guessed"
        broken.request.body = Array(hook.request.body.prefix(hook.request.body.count / 2))
        let text = #"{"object_kind":"issue","project":{"id":999999},"object_attributes":{"iid":1}}"#
        foreign.request.fields["X-Gitlab-Event"] = "Issue Hook"
        foreign.request.body = Array(text.utf8)
        send(guessed, after: .seconds(1), from: .guesser)
        for forgery in [broken, foreign] { send(forgery, after: .seconds(1), from: .imitator) }
    }

    private func send(_ hook: HookDelivery, after delay: Duration, from origin: Origin = .gitlab) {
        simulation.schedule(after: delay) { [courier, gitlab, recorder] in
            courier.carry(hook) { outcome in
                switch origin {
                case .gitlab: gitlab.hookAnswered(outcome, of: hook.hook)
                case .imitator: break
                case .guesser:
                    // What else listens to hooks may do with them as it likes.
                    guard hook.request.origin == WorldBuilder.webhookOrigin,
                        let complaint = Self.complaint(aboutGuess: outcome)
                    else { return }
                    recorder.violate(.apiMishandled, complaint)
                }
            }
        }
    }

    /// What is wrong with what became of a hook with a guessed secret, in words; nil where it was refused, or nobody knows.
    static func complaint(aboutGuess outcome: HTTPOutcome) -> String? {
        guard case .response(let response) = outcome, !refusals.contains(response.status) else { return nil }
        return "a webhook with a guessed secret was answered \(response.status), and not 401"
    }

    /// Also of who asks too often, and by a server that stops or cannot read its database.
    private static let refusals: Set<Int> = [401, 429, 503]
}
