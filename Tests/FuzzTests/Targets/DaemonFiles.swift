import Crypto
import FoundationEssentials
import Notifier

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
