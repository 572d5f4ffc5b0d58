import Crypto
import FoundationEssentials
import HTTP
import Notifier
import Platform
import Simulation

@testable import Daemon

extension FuzzTarget {
    /// A settings file.
    static let settings = FuzzTarget("settings") { bytes in
        do {
            let settings = try DaemonSettings(json: bytes)
            promise(settings.listen.certificate == nil || settings.listen.key != nil, "TLS has both or none")
        } catch {
            promise(error is DaemonError, "a fault of the settings is told as one, not \(error)")
        }
    }

    /// A file of secrets.
    static let secrets = FuzzTarget("secrets") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            let variables = try SecretsFile.variables(text, "secrets.env")
            promise(variables.keys.allSatisfy { !$0.isEmpty }, "every variable has a name")
            let keys = variables["ENCRYPTION_KEY_CURRENT"].map { Secret($0) }
            guard let keys else { return }
            let old = variables["ENCRYPTION_KEYS_OLD"].map { Secret($0) }
            _ = try? NotifierSecrets.EncryptionKey.list(current: keys, old: old)
        } catch {
            // Nothing that stands in the file may show, but a line's number.
            let secrets = text.split { !$0.isLetter }.filter { $0.count >= 16 }
            promise(secrets.allSatisfy { !"\(error)".contains($0) }, "an error repeats no secret")
        }
    }

    /// One line of a log, as `export-incident` reads it.
    static let incidentLogs = FuzzTarget("incident-logs") { bytes in
        let redaction = IncidentRedaction(nil)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let line = text.split(separator: "\n").first, let shown = redaction.line(line) else { return }
        promise(!shown.contains("\n"), "a line stays one")
        guard let parsed = try? JSONDecoder().decode(ShownLine.self, from: Data(shown.utf8)) else {
            return promise(false, "what a report shows is JSON")
        }
        for text in parsed.entry?.texts ?? [] {
            promise(!text.contains("glpat-"), "no token shows, however it is written")
        }
    }

    /// The record of requests as a file holds it; the same bytes as a request, and behind `---` its answer, of which a line is put on
    /// record.
    static let requestRecords = FuzzTarget("request-records") { bytes in
        guard let folder = try? ScratchFolder() else { return promise(false, "a folder can be made") }
        let half = bytes.count / 2
        do {
            try folder.write(Array(bytes[..<half]), to: "notifier.db.requests.old")
            try folder.write(Array(bytes[half...]), to: "notifier.db.requests")
        } catch {
            promise(false, "files can be written: \(error)")
        }
        let redaction = IncidentRedaction(nil)
        let lines = RequestRecord.lines(.requests, beside: "\(folder.path)/notifier.db", limit: 8)
        promise(lines.count <= 8, "the newest are told, and no more")
        for line in lines { expectRecord(redaction.request(line)) }
        tellRequest(MessageText.sequence(bytes, limit: 2), redaction)
    }

    private static func expectRecord(_ shown: String?) {
        guard let shown else { return }
        promise(!shown.contains("\n"), "a line stays one")
        let texts = try? JSONDecoder().decode(AllTexts.self, from: Data(shown.utf8)).texts
        promise(texts?.contains { $0.contains("glpat-") } == false, "no token shows, however it is written")
    }

    private static func tellRequest(_ messages: [MessageText], _ redaction: IncidentRedaction) {
        guard let request = messages.first?.request(to: FuzzedNotifier.origin) else { return }
        let answer = messages.dropFirst().first?.response
        let line = RequestLine(
            at: VirtualWorld.start,
            service: .gitlab,
            request: HTTPRequest(method: .get, origin: request.origin, target: request.target),
            outcome: answer.map(HTTPOutcome.response) ?? .unknown(.timedOut),
            length: .seconds(1)
        ).json
        guard let texts = try? JSONDecoder().decode(AllTexts.self, from: Data(line.utf8)).texts else {
            return promise(false, "\(line) is JSON")
        }
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/*")
        promise(texts.allSatisfy { $0.allSatisfy(plain.contains) }, "\(line) holds words, numbers and ids")
        promise(!line.contains("\n"), "and is one line")
    }

    /// What stands in `X-Forwarded-For`, a field a line.
    static let forwardedFor = FuzzTarget("forwarded-for") { bytes in
        let values = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        var request = HTTPRequest(method: .get, origin: FuzzedNotifier.origin, target: "/")
        for value in values { request.fields.append("X-Forwarded-For", String(value)) }
        let world = VirtualWorld()
        defer { world.simulation.discard() }
        let answer = world.finish { [request] in
            await ForwardedHandler(handler: TellsAddress()).handle(
                request,
                from: HTTPPeer(address: "own", connection: 1)
            )
        }
        let address = answer.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
        promise((1...64).contains(address.utf8.count), "everybody has an address, which is not long")
        guard address != "own" else { return }
        let said = values.last?.filter { $0 != " " } ?? ""
        let nearest = said.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
        let isSaid =
            said.hasSuffix(address) || nearest.hasPrefix("\(address):") || nearest.hasPrefix("[\(address)]")
        promise(isSaid && !address.contains(","), "only the nearest proxy is believed")
    }

    private struct TellsAddress: HTTPHandler {
        func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
            HTTPResponse(status: 200, body: Array(peer.address.utf8))
        }
    }

    private struct ShownLine: Decodable {
        var kind: String
        var entry: AllTexts?
    }
}

/// Every key and text in a JSON value.
private struct AllTexts: Decodable {
    var texts: [String] = []

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            for key in object.allKeys {
                texts.append(key.stringValue)
                texts += try object.decode(AllTexts.self, forKey: key).texts
            }
        } else if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { texts += try list.decode(AllTexts.self).texts }
        } else if let text = try? decoder.singleValueContainer().decode(String.self) {
            texts = [text]
        }
    }
}
