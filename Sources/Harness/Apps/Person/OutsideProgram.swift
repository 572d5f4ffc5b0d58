import HTTP
import JSON
import Platform
import Scenarios
import Simulation

/// A program that a person has let in, such as an agent: it says one thing after the other, each until it is answered.
///
/// Unchecked: simulation thread.
package final class OutsideProgram: @unchecked Sendable {
    /// What the notifier answered for good.
    enum Answer {
        case taken
        case refused
        /// Patience ended.
        case none
    }

    private let http: any HTTPClient
    private let node: Node
    private let recorder: Recorder
    /// What it shows, and how the notifier keys what it says; nil before the person has let it in.
    private(set) var letIn: LetIn?
    /// How often it has said something under no name of the scenario's.
    private var unnamed = 0
    private var jobs: [@Sendable () async -> Void] = []
    private var isBusy = false

    /// A token as the person made it.
    struct LetIn: Decodable {
        var tokenId: String
        var token: String
        var subject: String
    }

    init(http: any HTTPClient, node: Node, recorder: Recorder) {
        (self.http, self.node, self.recorder) = (http, node, recorder)
    }

    /// A name of its own for what has none.
    func nextName() -> String {
        unnamed += 1
        return "signal-\(unnamed)"
    }

    /// Puts something behind what it has to say.
    func run(_ job: @escaping @Sendable () async -> Void) {
        jobs.append(job)
        guard !isBusy else { return }
        isBusy = true
        node.start { [self] in
            while !jobs.isEmpty { await jobs.removeFirst()() }
            isBusy = false
        }
    }

    /// Asks the person to be let in, until they have.
    func enter(_ ask: () async -> LetIn?) async -> LetIn? {
        for _ in 0..<Self.patience where letIn == nil {
            letIn = await ask()
            guard letIn == nil else { break }
            do { try await node.clock.sleep(for: .seconds(10)) } catch { return nil }
        }
        return letIn
    }

    /// The person has shut it out: it needs another token.
    func shutOut() { letIn = nil }

    private struct Signal: Encodable {
        var id: String
        var kind: String
        var title: String?
        var project: String?
        var run: String?
    }

    /// What the person reads that it is about.
    static func title(of name: String) -> String { "Go on with \(name)" }

    /// Says it until it is answered.
    func say(_ word: ProgramWord, name: String, run: String? = nil) async -> Answer {
        let signal = Signal(
            id: name,
            kind: word.rawValue.replacing("-", with: "_"),
            title: word == .settled ? nil : Self.title(of: name),
            project: word == .settled ? nil : "agents",
            run: word == .settled ? nil : run ?? name
        )
        var request = HTTPRequest(method: .post, origin: WorldBuilder.notifierOrigin, target: "/signals")
        guard let body = try? DeterministicJSON.bytes(signal), let token = letIn?.token else { return .none }
        request.body = body
        request.fields.append("Content-Type", "application/json")
        request.fields.append("Authorization", "Bearer \(token)")
        var pause = Duration.seconds(2)
        for _ in 0..<Self.patience {
            if case .response(let response) = await http.send(request, options: HTTPSendOptions()) {
                recorder.heard(response.body, to: "POST", "/signals")
                if (200..<300).contains(response.status) { return .taken }
                if response.status < 500, response.status != 429 { return .refused }
                if response.status == 429 { recorder.reach(.signalLimited) }
                let asked = response.fields["Retry-After"].flatMap(Int64.init) ?? 0
                pause = max(pause, .seconds(min(asked, 3_600)))
            }
            do { try await node.clock.sleep(for: pause) } catch { return .none }
            pause = min(pause * 2, .seconds(60))
        }
        return .none
    }

    /// Some hours of patience.
    private static let patience = 200
}
