import Configuration
import JSON
import Synchronization

/// Everything that is wrong with a settings file: decoding goes on behind each mistake, so that nobody mends one only to hear of the next.
final class SettingsProblems: Sendable {
    /// Under which a decoder of settings carries it.
    static let key = CodingUserInfoKey(rawValue: "settings-problems")

    /// What may stand around JSON.
    private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    private let found = Mutex<[String]>([])

    /// Nil when nothing is wrong.
    var sentence: String? {
        let sentences = found.withLock { $0 }
        guard sentences.count > 1 else { return sentences.first }
        return "\(sentences.count) mistakes in the settings:" + sentences.map { "\n    " + $0 }.joined()
    }

    func add(_ error: any Error) {
        let sentences = Self.sentences(error)
        found.withLock { $0 += sentences }
    }

    /// Looks for what no decoder tells: where the text is no JSON, and keys that stand twice, of which one would silently count.
    ///
    /// - Returns: false where there is nothing to decode.
    func look(at json: [UInt8]) -> Bool {
        guard json.contains(where: { !Self.blanks.contains($0) }) else {
            found.withLock { $0.append("the settings are no JSON: they are empty; {} stands for the defaults") }
            return false
        }
        var reader = JSONReader(bytes: json)
        do throws(JSONReader.Failure) {
            _ = try reader.read()
        } catch {
            let place = SourceText(bytes: json).position(at: error.offset)
            let hint = error.hint.map { " \($0)" } ?? ""
            found.withLock { $0.append("the settings are not JSON: line \(place.line): \(error.message)\(hint)") }
            return false
        }
        let twice = reader.duplicates.map { "\"\(Self.name($0.pointer))\" stands there twice" }
        found.withLock { $0 += twice }
        return true
    }

    /// A place of RFC 6901 as the other sentences name it.
    private static func name(_ pointer: String) -> String {
        String(pointer.dropFirst()).replacing("/", with: ".").replacing("~1", with: "/").replacing("~0", with: "~")
    }

    private static func sentences(_ error: any Error) -> [String] {
        switch error {
        case let error as ConfigurationError: error.each.map(\.description)
        case let error as DecodingError: [sentence(error)]
        default: ["a value cannot be read: \(error)"]
        }
    }

    private static func sentence(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "the settings are not a JSON object" : "\"\(path)\" has a value of another kind"
        @unknown default: return "the settings cannot be read"
        }
    }
}
