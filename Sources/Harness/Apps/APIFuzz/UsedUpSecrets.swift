import HTTP
import JSON
import Platform
import Scenarios
import Simulation
import Verdict

/// Shows the notifier what was used up: a code that has let a device in, and a refresh token whose successor was used as well. Both must be
/// refused, and the session of that token must be over.
///
/// The session is the program's own, by a code that one of the person's apps was given, so that nobody is signed out. Since a new code ends an
/// earlier one, the person does nothing else meanwhile.
struct UsedUpSecrets {
    /// What is shown.
    enum Shown: String {
        case code = "a code that has let a device in"
        case token = "a refresh token whose successor was used"
        case newest = "the newest refresh token of a session of which an old one was shown"
    }

    /// Shorter than this, and the notifier's limit on an address might answer.
    private static let pause = Duration.seconds(1)
    private static let longPause = Duration.seconds(10)
    private static let removals = 5

    private let person: PersonApp
    private let http: any HTTPClient
    private let api: AppClient
    private let session: String

    private var recorder: Recorder { person.recorder }

    /// Nil when nobody is signed in on the device.
    init?(of person: PersonApp, on device: PersonApp.DeviceState, number: Int) {
        guard let session = device.api.memory.accessToken else { return nil }
        (self.person, self.api, self.session) = (person, device.api, session)
        let name = "pairing script \(number) of \(person.username.text)"
        http = person.simulation.network.client(for: person.node, address: name)
    }

    /// What is wrong with an answer, in words; nil where it refuses, or the server could not do it now.
    static func complaint(about status: Int, to shown: Shown) -> String? {
        let isRefused = (400..<500).contains(status) || ResponseJudge.always.contains(status)
        return isRefused ? nil : "was answered \(status) to \(shown.rawValue)"
    }

    /// Joins by a code, and shows again what that used up. Ends early where an answer is lost: nobody knows then what was used.
    func run() async {
        let began = recorder.now
        let started = await send(.post, "/pair/start", session: session)
        guard let code = Self.text("pairingCode", of: started) else { return }
        let wanted: JSONValue = ["pairingCode": .string(code), "platform": "macos", "deviceName": "script"]
        let joined = await send(.post, "/pair/exchange", wanted)
        guard let oldest = Self.text("refreshToken", of: joined), let device = Self.text("deviceId", of: joined) else {
            return
        }
        judge(await send(.post, "/pair/exchange", wanted), .code, since: began)
        if let second = await refresh(oldest), let newest = await refresh(second) {
            let shown = await show(oldest)
            judge(shown, .token, since: began)
            // Where it was refused because there were too many requests, nobody has looked at it.
            if shown?.status == 401 { judge(await show(newest), .newest, since: began) }
        }
        await remove(device)
    }

    /// What is left of it where something was lost must not be in anybody's way.
    private func remove(_ device: String) async {
        for _ in 0..<Self.removals {
            let response = await send(.delete, "/devices/\(device)", session: session)
            // The app's session has other tokens by now.
            if response?.status == 401 {
                _ = await api.removeDevice(device)
                return
            }
            if let response, response.status < 429 { return }
            do { try await person.node.clock.sleep(for: Self.longPause) } catch { return }
        }
    }

    private func show(_ token: String) async -> HTTPResponse? {
        let body: JSONValue = ["refreshToken": .string(token)]
        return await send(.post, "/auth/refresh", body)
    }

    /// The token that follows; nil where there is none.
    private func refresh(_ token: String) async -> String? { Self.text("refreshToken", of: await show(token)) }

    /// A backup that is brought back knows what was used since as unused.
    private func judge(_ response: HTTPResponse?, _ shown: Shown, since began: Duration) {
        guard let response, let complaint = Self.complaint(about: response.status, to: shown) else { return }
        let now = recorder.now
        let mayBeBack = recorder.record.faults.contains { fault in
            [.database, .disk].contains(fault.kind.place) && fault.span.from <= now && began < fault.span.until
        }
        if !mayBeBack { recorder.violate(.apiMishandled, "a program of \(person.username) \(complaint)") }
    }

    private static func text(_ member: String, of response: HTTPResponse?) -> String? {
        guard let response, response.status < 300 else { return nil }
        return JSONValue(reading: response.body)?[member]?.text
    }

    /// Nil where there is no answer, or the world is over.
    private func send(
        _ method: HTTPMethod,
        _ target: String,
        _ body: JSONValue? = nil,
        session: String? = nil
    ) async -> HTTPResponse? {
        var request = HTTPRequest(method: method, origin: WorldBuilder.notifierOrigin, target: target)
        if let session { request.fields.append("Authorization", "Bearer \(session)") }
        if let body {
            request.body = Array(body.text(indented: false).utf8)
            request.fields.append("Content-Type", "application/json")
        }
        let outcome = await http.send(request, options: HTTPSendOptions())
        do { try await person.node.clock.sleep(for: Self.pause) } catch { return nil }
        guard case .response(let response) = outcome else { return nil }
        recorder.heard(response.body, to: method.rawValue, target)
        return response
    }
}
