package import FakeGitLab
package import HTTP
import Simulation

/// Carries webhooks from GitLab to where they go.
package protocol HookCourier: Sendable {
    /// Sends one at the present instant. `answered` learns once, on the thread of the world, what became of it.
    func carry(_ hook: HookDelivery, answered: @escaping @Sendable (HTTPOutcome) -> Void)
}

/// Carries them over the simulated network.
struct SimulatedHookCourier: HookCourier {
    let node: Node
    let client: any HTTPClient

    func carry(_ hook: HookDelivery, answered: @escaping @Sendable (HTTPOutcome) -> Void) {
        node.start { [client] in
            answered(await client.send(hook.request, options: HTTPSendOptions(totalTimeout: Webhook.timeout)))
        }
    }
}
