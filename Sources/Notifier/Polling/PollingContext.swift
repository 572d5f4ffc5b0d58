import Configuration
import Crypto
import HTTP
import Platform

/// What polling works with; the same for all accounts.
struct PollingContext: Sendable {
    var store: StoreActor
    var http: any HTTPClient
    var time: any TimeSource
    var entropy: any EntropySource
    var log: Log
    var configuration: NotifierConfiguration
    var outbox: Outbox
    var sealer: SecretSealer
    /// Sent when something was put into the outbox.
    var outboxSignal: WakeSignal
    /// Renews access tokens.
    var grants: GrantKeeper
    /// The GitLabs that are asked anything.
    var instances: ServedInstances
    /// Sent when a fact was held for the end of somebody's quiet hours.
    var digestSignal: WakeSignal
    /// The rules of the time zones in which quiet hours are meant.
    var zones: any TimeZoneSource
    var metrics = MetricsRegistry(tellsPeopleApart: false)
    /// Remembers beyond the death of the process which accounts were being read; nil where nobody does.
    var marks: (any PollMarks)?
    /// Lets accounts share their looks at lists; nil where each looks for itself.
    var looks: SharedLooks?
    /// What GitLab's answers may hold, over all accounts; nil for any amount.
    var answers: ResponseBudget?
    /// What answers held that came several times; nil where each is decoded anew.
    var decoded: DecodedAnswers?
    /// What each GitLab is asked at most, over all accounts; nil for any amount.
    var gates: InstanceGates?

    /// What makes notifications of facts.
    var pipeline: NotificationPipeline {
        let asks =
            configuration.remindersEnabled ? AskSource(entropy: entropy, policy: ReminderPolicy(configuration)) : nil
        return NotificationPipeline(outbox: outbox, zones: zones, asks: asks)
    }

    /// A client in the name of an account, which signed in through GitLab when `hasGrant`. `gate` is the account's own, for what has waited.
    ///
    /// - Throws: what opening the sealed token throws.
    func client(
        for account: Account,
        hasGrant: Bool = false,
        behind gate: RequestGate? = nil
    ) throws -> GitLabClient {
        let token = try sealer.open(account.token, for: account.publicID)
        return GitLabClient(
            origin: account.origin,
            credential: hasGrant ? .accessToken(token) : .personalAccessToken(token),
            http: http,
            requestTimeout: configuration.requestTimeout,
            rowsPerPage: configuration.perPage,
            answers: answers,
            decoded: decoded,
            account: account.id,
            pass: gates.map { gates in
                InstancePass(gate: gates[account.origin], time: time, account: account.id, accountGate: gate)
            }
        )
    }
}
