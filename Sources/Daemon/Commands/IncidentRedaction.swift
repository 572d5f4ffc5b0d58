import Crypto
import FoundationEssentials
import Notifier

/// Takes out of a report what must not leave the machine. Nothing of this kind should be there in the first place: this is the second
/// lock, for what a log of some other program, or a fault of this one, may hold.
struct IncidentRedaction {
    private static let mark = IncidentLog.mark
    /// How GitLab's, Apple's and this server's tokens begin.
    private static let prefixes = ["glpat-", "glrt-", "gloas-", "drt_", "eyJ", "Bearer ", "bearer ", "-----BEGIN"]
    /// Hexadecimal digits in a row that make a device token or a key; ids have hyphens in between.
    private static let digitsOfToken = 40

    private let secrets: [String]

    init(_ secrets: NotifierSecrets?) {
        let texts = Self.texts(secrets).filter { $0.utf8.count >= 8 }
        // As they are, and as they stand in JSON.
        self.secrets = texts + texts.map(Self.escaped).filter { !texts.contains($0) }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    /// A line of the server's log as the report shows it; nil for one that is none.
    func line(_ line: Substring) -> String? {
        guard let shown = IncidentLog.entry(line) else { return nil }
        return Self.isSuspicious(line) ? #"{"kind":"log","message":"\#(Self.mark)"}"# : shown
    }

    /// A line of the record of requests; nil for one that was cut, or that holds what it should not.
    func request(_ line: Substring) -> String? {
        struct Request: Decodable {
            var kind: String
            var route: String
        }
        guard let data = String(line).data(using: .utf8),
            let request = try? JSONDecoder().decode(Request.self, from: data), request.kind == "request",
            !Self.isSuspicious(line)
        else { return nil }
        return String(line)
    }

    /// A line of the record of traffic; nil for one that was cut, or that holds what it should not.
    func traffic(_ line: Substring) -> String? {
        struct Traffic: Decodable { var kind: String }
        guard let data = String(line).data(using: .utf8),
            let traffic = try? JSONDecoder().decode(Traffic.self, from: data),
            ["traffic", "process"].contains(traffic.kind), !Self.isSuspicious(line)
        else { return nil }
        return String(line)
    }

    private static func isSuspicious(_ line: Substring) -> Bool {
        prefixes.contains { line.contains($0) } || holdsLongDigits(line) || hidesCharacters(line)
    }

    /// Whether an escape stands for a character that needs none: no log of this server does that, and a token could hide behind it.
    private static func hidesCharacters(_ line: Substring) -> Bool {
        var rest = line.utf8[...]
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            rest = rest[backslash...].dropFirst()
            switch rest.popFirst() {
            case UInt8(ascii: "/"): return true
            case UInt8(ascii: "u"):
                if let code = code(of: rest.prefix(4)), (0x20..<0x7F).contains(code) { return true }
            default: break
            }
        }
        return false
    }

    /// What the four digits of an escape stand for; nil for anything else: a sign is no digit.
    static func code(of digits: Substring.UTF8View) -> UInt16? {
        guard digits.count == 4, digits.allSatisfy(isDigit) else { return nil }
        return UInt16(String(Substring(digits)), radix: 16)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
    }

    /// `text` without any secret that the server knows.
    func text(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: Self.mark) }
    }

    private static func texts(_ secrets: NotifierSecrets?) -> [String] {
        guard let secrets else { return [] }
        let pem = secrets.apnsKey?.pem.exposedText.split(separator: "\n").map(String.init) ?? []
        let applications = secrets.oauthApplications.compactMap { $0.clientSecret?.exposedText }
        return [secrets.sessionKey.exposedText] + pem + applications
            + [secrets.webhookSecret?.exposedText].compactMap { $0 }
    }

    private static func holdsLongDigits(_ text: Substring) -> Bool {
        var length = 0
        for byte in text.utf8 {
            length = isDigit(byte) ? length + 1 : 0
            if length >= digitsOfToken { return true }
        }
        return false
    }
}
