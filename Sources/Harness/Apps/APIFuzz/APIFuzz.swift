import HTTP
import JSON
import Platform
import Scenarios
import Simulation
import Verdict

/// Somebody tries the notifier's API by a program of their own that knows it by its description alone. For each operation it sends a few requests
/// that the description does not allow, or that change nothing, and holds the answers against it. Then it sends some that have the right form
/// and cannot be granted all the same.
///
/// The program has an address of its own, so that nobody else has to wait because of it, and the session of an app of the person.
struct APIFuzz {
    private static let requestsPerOperation = 3
    /// Of those that cannot be granted.
    private static let wishCount = 24
    /// Shorter than this, and the notifier's limit on an address would answer most of them.
    private static let pause = Duration.seconds(1)
    private static let longestPause = Duration.minutes(1)

    private let person: PersonApp
    private let http: any HTTPClient
    private let random: RandomStream
    private let session: String
    private let wishes: [RefusedWish]

    private var recorder: Recorder { person.recorder }

    /// Nil when nobody is signed in on the device.
    init?(of person: PersonApp, on device: PersonApp.DeviceState, number: Int) {
        guard let session = device.api.memory.accessToken else { return nil }
        (self.person, self.session) = (person, session)
        let name = "script \(number) of \(person.username.text)"
        http = person.simulation.network.client(for: person.node, address: name)
        random = person.simulation.randomStream(name)
        wishes = RefusedWish.drawn(Self.wishCount, by: person.simulation.randomStream("wishes of \(name)"))
    }

    /// Tries every operation, in the order of the description.
    func run() async {
        let origin = WorldBuilder.notifierOrigin
        guard let document = await send(HTTPRequest(method: .get, origin: origin, target: "/openapi.json")),
            document.status == 200
        else { return }
        guard let description = APIDescription(document.body), !description.operations.isEmpty else {
            return mishandled("GET /openapi.json", "was answered with something else than a description")
        }
        for (name, what) in DescriptionJudge.complaints(about: description) { mishandled(name, what) }
        guard await readEverything(description, at: origin) else { return }
        let names = recorder.namesInAPI.known(to: person.username)
        var draw = RequestDraw(of: description, at: origin, tokens: tokens, names, random)
        for operation in description.operations {
            for _ in 0..<Self.requestsPerOperation {
                guard let tried = draw.request(for: operation) else { continue }
                guard await attempt(tried, description) else { return }
            }
        }
        for wish in wishes {
            guard await attempt(wish, at: origin) else { return }
        }
        recorder.reach(.apiFuzzed)
    }

    /// Reads whatever can be read, and with it how the person's things are named; false when the world is over.
    private func readEverything(_ description: APIDescription, at origin: HTTPOrigin) async -> Bool {
        let draw = RequestDraw(of: description, at: origin, tokens: tokens, NamesInAPI.Known(), random)
        for operation in description.operations {
            guard let tried = draw.plainRequest(for: operation) else { continue }
            guard await attempt(tried, description) else { return false }
        }
        return true
    }

    /// Sends it and holds the answer against the description; false when the world is over.
    private func attempt(_ tried: TriedRequest, _ description: APIDescription) async -> Bool {
        let response = await send(tried.request)
        if let response {
            if let complaint = ResponseJudge(description).complaint(about: response, to: tried) {
                mishandled(tried.name, complaint)
            }
            note(response, to: tried)
        }
        return await wait(after: response)
    }

    /// Asks for what cannot be granted, and looks how that is refused; false when the world is over.
    private func attempt(_ wish: RefusedWish, at origin: HTTPOrigin) async -> Bool {
        let circumstances = RefusedWish.Circumstances(
            session: session,
            program: person.program.letIn?.token,
            gitlabAddress: person.gitlabAddress,
            now: recorder.record.resolved.scenario.start.advanced(by: recorder.now)
        )
        guard let request = wish.request(at: origin, in: circumstances) else { return true }
        let response = await send(request)
        // Where its clock was set or a backup was brought back, it may refuse something else first.
        let isSure = !recorder.record.faults.contains { [.clock, .database, .disk].contains($0.kind.place) }
        if let response, let complaint = wish.complaint(about: response, isSure: isSure) {
            mishandled(wish.name, complaint)
        }
        return await wait(after: response)
    }

    private func note(_ response: HTTPResponse, to tried: TriedRequest) {
        guard tried.mistake == .none, tried.operation.scheme != nil, response.status == 200,
            let answer = JSONValue(reading: response.body)
        else { return }
        recorder.namesInAPI.note(answer, at: tried.operation.path, of: person.username)
    }

    /// By the names of the description's schemes.
    private var tokens: [String: String] {
        var tokens = ["accountSession": session, "deviceSession": session]
        tokens["signalToken"] = person.program.letIn?.token
        return tokens
    }

    private func send(_ request: HTTPRequest) async -> HTTPResponse? {
        guard case .response(let response) = await http.send(request, options: HTTPSendOptions()) else { return nil }
        recorder.heard(response.body, to: request.method.rawValue, request.target)
        return response
    }

    /// False when the world is over.
    private func wait(after response: HTTPResponse?) async -> Bool {
        let asked = response?.fields["Retry-After"].flatMap(Int64.init).map(Duration.seconds) ?? .zero
        do { try await person.node.clock.sleep(for: max(Self.pause, min(asked, Self.longestPause))) } catch {
            return false
        }
        return true
    }

    private func mishandled(_ request: String, _ what: String) {
        recorder.violate(.apiMishandled, "\(request) \(what)")
    }
}
