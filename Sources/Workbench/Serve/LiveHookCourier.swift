import FakeGitLab
import HTTP
import Harness
import Live
import Simulation
import Synchronization

/// Sends a served world's webhooks over sockets of this machine, and to no other: what a client has entered as an address is not
/// followed anywhere else.
///
/// Isolation: any thread; answers come on the world's.
final class LiveHookCourier: HookCourier {
    /// Hooks under way at most; further ones fail as if nobody listened.
    private static let limit = 1_000
    /// Longer answers count as failures.
    private static let answerLimitBytes = 1_024 * 1_024
    private let client: CurlClient
    private let driver: LiveWorldDriver
    private let underWay = Mutex(0)

    init(_ driver: LiveWorldDriver) {
        self.driver = driver
        var configuration = CurlClient.Configuration()
        configuration.connectionLimit = 16
        configuration.usesSystemProxy = false
        client = CurlClient(configuration)
    }

    func carry(_ hook: HookDelivery, answered: @escaping @Sendable (HTTPOutcome) -> Void) {
        guard hook.request.origin.isPlainLoopback, take() else {
            return finish(hook, .notSent(.connectionRefused), answered)
        }
        // Nobody cancels it: it ends by the deadline of its request.
        Task.detached { [self] in
            let options = HTTPSendOptions(
                totalTimeout: Webhook.timeout,
                responseLimitBytes: Self.answerLimitBytes
            )
            let outcome = await client.send(hook.request, options: options)
            underWay.withLock { $0 -= 1 }
            finish(hook, outcome, answered)
        }
    }

    private func take() -> Bool {
        underWay.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
    }

    private func finish(
        _ hook: HookDelivery,
        _ outcome: HTTPOutcome,
        _ answered: @escaping @Sendable (HTTPOutcome) -> Void
    ) {
        driver.post { world in
            // A world that has ended learns nothing more.
            guard let world else { return }
            answered(outcome)
            world.note(hook, outcome)
        }
    }
}
