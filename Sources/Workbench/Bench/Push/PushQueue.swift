import FoundationEssentials
import HTTP
import JSON
import Platform
import Scenarios

/// Fills a notifier's outbox as its users would: people sign in, pair their devices, and ask for test notifications. Everything goes
/// through the REST API, so tokens are sealed and payloads made as always.
struct PushQueue {
    /// The notifier did not do what it was asked for.
    struct Refused: Error, CustomStringConvertible {
        var description: String
    }

    let api: any HTTPHandler
    let place: ServedPlace

    private struct Registration: Encodable {
        var gitlabUrl: String
        var personalAccessToken: String
    }

    private struct Pairing: Encodable {
        var pairingCode: String
        var platform: String
    }

    private struct Registered: Encodable {
        var apnsToken: String
        var platform: String
        var environment: String
    }

    private struct Session: Decodable {
        var token: String
    }

    private struct Code: Decodable {
        var pairingCode: String
    }

    private struct Queued: Decodable {
        var targetDevices: Int
    }

    /// Queues so many notifications for every device; how many deliveries wait then.
    ///
    /// - Throws: `Refused` with what the API answered.
    func fill(rounds: Int) async throws -> Int {
        var deliveries = 0
        for person in place.people where !person.devices.isEmpty {
            let registration = Registration(gitlabUrl: place.gitlab.url, personalAccessToken: person.gitlabToken)
            let session: Session = try await call("/auth/register", registration)
            for device in person.devices { try await pair(device, session) }
            for _ in 0..<rounds {
                let queued: Queued = try await call("/notifications/test", session: session)
                deliveries += queued.targetDevices
            }
        }
        return deliveries
    }

    private func pair(_ device: ServedPlace.Device, _ session: Session) async throws {
        let code: Code = try await call("/pair/start", session: session)
        let pairing = Pairing(pairingCode: code.pairingCode, platform: device.platform)
        let own: Session = try await call("/pair/exchange", pairing)
        let registered = Registered(
            apnsToken: device.token,
            platform: device.platform,
            environment: device.environment
        )
        _ = try await send("/devices", DeterministicJSON.bytes(registered), own)
    }

    private func call<Answer: Decodable>(
        _ path: String,
        _ body: some Encodable,
        session: Session? = nil
    ) async throws -> Answer {
        let answer = try await send(path, DeterministicJSON.bytes(body), session)
        return try JSONDecoder().decode(Answer.self, from: Data(answer))
    }

    private func call<Answer: Decodable>(_ path: String, session: Session) async throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(try await send(path, [], session)))
    }

    private func send(_ path: String, _ body: [UInt8], _ session: Session?) async throws -> [UInt8] {
        var request = HTTPRequest(
            method: .post,
            origin: HTTPOrigin(scheme: "http", host: "localhost"),
            target: path,
            body: body
        )
        if !body.isEmpty { request.fields["Content-Type"] = "application/json" }
        if let session { request.fields["Authorization"] = "Bearer \(session.token)" }
        let answer = await api.handle(request, from: HTTPPeer(address: "bench", connection: 0))
        guard (200..<300).contains(answer.status) else {
            let reason = String(decoding: answer.body.prefix(500), as: UTF8.self)
            throw Refused(description: "POST \(path) was answered with \(answer.status): \(reason)")
        }
        return answer.body
    }
}
