import FakeGitLab
import HTTP
import JSON
import Platform
import Scenarios
import Simulation
import Verdict

/// Begins sign-ins through GitLab of which none comes to an end: one that the person refuses, one that comes back with a code that is none, and
/// one that they let lie until it is over. Each has to begin where GitLab offers that way, to be answered so, and to be over.
///
/// An app of its own does it, at an address of its own, so that nobody is signed in or out by it.
struct RefusedSignIns {
    /// Shorter than this, and the notifier's limit on an address might answer.
    private static let pause = Duration.seconds(1)
    /// Longer than any sign-in may take.
    private static let patience = Duration.minutes(20)

    private let person: PersonApp
    private let http: any HTTPClient

    private var recorder: Recorder { person.recorder }

    init(of person: PersonApp, number: Int) {
        self.person = person
        let name = "unfinished sign-in \(number) of \(person.username.text)"
        http = person.simulation.network.client(for: person.node, address: name)
    }

    /// What an answer has to be.
    struct Expected {
        var status: Int
        /// The catalogue's; nil where it is no error.
        var codes: [String]

        static let begun = Expected(status: 201, codes: [])
        static let notOffered = Expected(status: 422, codes: ["oauth_not_offered"])
        static let pending = Expected(status: 202, codes: [])
        static let denied = Expected(status: 422, codes: ["oauth_denied"])
        static let refused = Expected(status: 422, codes: ["oauth_code_refused"])
        static let over = Expected(status: 400, codes: ["oauth_state_invalid"])

        /// Of who asks too often, of a GitLab that could not be asked or read, and of a server that stops or cannot read its database.
        private static let delays: Set<Int> = [429, 502, 503]

        /// What is wrong with an answer, in words; nil where it is right, or where the server could not do it now.
        func complaint(about answered: Int, _ code: String?, to what: String) -> String? {
            guard !Self.delays.contains(answered) else { return nil }
            guard answered != status || !codes.isEmpty && !codes.contains(code ?? "") else { return nil }
            let right = ([String(status)] + codes).joined(separator: " ")
            return "was answered \(answered) \(code ?? "") to \(what), and not \(right)"
        }
    }

    func run() async {
        let began = recorder.now
        let isRefused = await refuse(since: began)
        let isWrong = await bringWrongCode(since: began)
        let isOver = await letLie(since: began)
        if isRefused, isWrong, isOver { recorder.reach(.signInRefused) }
    }

    /// The person refuses what the code asks of them. False where it could not be begun, or was not answered.
    private func refuse(since began: Duration) async -> Bool {
        guard let flow = await start("device_code", since: began), let code = flow["userCode"]?.text,
            let state = flow["state"]?.text
        else { return false }
        let isPending = await finish(state, nil, .pending, "a sign-in that nobody has answered", since: began)
        let answer: Void? = try? person.gitlab.authorizeDevice(userCode: code, as: person.username.text, agrees: false)
        guard isPending, answer != nil else { return false }
        guard await wait(.seconds(30)) else { return false }
        guard await finish(state, nil, .denied, "a sign-in that was refused", since: began) else { return false }
        return await finish(state, nil, .over, "a sign-in that had been refused", since: began)
    }

    private func bringWrongCode(since began: Duration) async -> Bool {
        guard let flow = await start("authorization_code", since: began), let state = flow["state"]?.text else {
            return false
        }
        let code = "no-code-of-gitlab"
        guard await finish(state, code, .refused, "a code that is none", since: began) else { return false }
        return await finish(state, code, .over, "a sign-in that was tried", since: began)
    }

    private func letLie(since began: Duration) async -> Bool {
        guard let flow = await start("device_code", since: began), let state = flow["state"]?.text else {
            return false
        }
        guard await wait(Self.patience) else { return false }
        return await finish(state, nil, .over, "a sign-in that was let lie", since: began)
    }

    // MARK: Asking

    /// What the server says of a sign-in that begins; nil where it begins none.
    private func start(_ kind: String, since began: Duration) async -> JSONValue? {
        let body: JSONValue = ["gitlabUrl": .string(person.gitlabAddress), "grantType": .string(kind)]
        let isOffered = kind != "device_code" || person.gitlab.offersDeviceGrant
        guard let response = await send("/auth/oauth/start", body) else { return nil }
        let answer = JSONValue(reading: response.body)
        let expected = isOffered ? Expected.begun : .notOffered
        let what = "a sign-in that begins (\(kind))"
        if let complaint = expected.complaint(about: response.status, answer?["code"]?.text, to: what) {
            violate(complaint, since: began)
        }
        return response.status == 201 ? answer : nil
    }

    /// Trouble since then explains any answer.
    private func violate(_ complaint: String, since began: Duration) {
        guard !recorder.wasTroubled(since: began) else { return }
        recorder.violate(.apiMishandled, "an app of \(person.username) \(complaint)")
    }

    /// Asks for the end of one; false where there is no answer, or the server could not do it now.
    private func finish(
        _ state: String,
        _ code: String?,
        _ expected: Expected,
        _ what: String,
        since began: Duration
    ) async -> Bool {
        let members = [JSONMember("state", .string(state))] + (code.map { [JSONMember("code", .string($0))] } ?? [])
        guard let response = await send("/auth/oauth/finish", .object(members)) else { return false }
        let error = JSONValue(reading: response.body)?["code"]?.text
        guard let complaint = expected.complaint(about: response.status, error, to: what) else {
            return response.status == expected.status
        }
        violate(complaint, since: began)
        return false
    }

    private func wait(_ length: Duration) async -> Bool {
        do { try await person.node.clock.sleep(for: length) } catch { return false }
        return true
    }

    /// Nil where there is no answer, or the world is over.
    private func send(_ target: String, _ body: JSONValue) async -> HTTPResponse? {
        var request = HTTPRequest(method: .post, origin: WorldBuilder.notifierOrigin, target: target)
        request.body = Array(body.text(indented: false).utf8)
        request.fields.append("Content-Type", "application/json")
        let outcome = await http.send(request, options: HTTPSendOptions())
        guard await wait(Self.pause), case .response(let response) = outcome else { return nil }
        recorder.heard(response.body, to: HTTPMethod.post.rawValue, target)
        return response
    }
}
