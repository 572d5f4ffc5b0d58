import FoundationEssentials
import Platform

/// One line of the log that `notifierd` writes: what a `LogEntry` is inside a process.
package struct LogLine: Sendable, Equatable {
    /// One field of the entry.
    struct Field: Sendable, Equatable {
        var key: String
        var value: LogValue
    }

    package var message: String
    /// Sorted by their keys.
    var fields: [Field]

    /// A longer line is no entry.
    package static let limitBytes = 1_048_576

    private static let heads = ["time", "level", "message"]

    /// Nil for what is no entry, such as the last words of a crash.
    package init?(_ text: some StringProtocol) {
        guard let values = try? JSONDecoder().decode([String: Scalar].self, from: Data(text.utf8)),
            case .text(let message)? = values["message"]?.value
        else { return nil }
        self.message = message
        fields = values.filter { !Self.heads.contains($0.key) }.sorted { $0.key < $1.key }
            .map { Field(key: $0.key, value: $0.value.value) }
    }

    /// Where the server says that it listens; nil for an entry that says nothing of it.
    package var servingPort: UInt16? {
        message == "daemon.ready" ? number("listen.port").flatMap { UInt16(exactly: $0) } : nil
    }

    /// The number in a field; nil when there is none.
    func number(_ key: String) -> Int64? {
        guard case .number(let number)? = fields.first(where: { $0.key == key })?.value else { return nil }
        return number
    }

    private struct Scalar: Decodable {
        var value: LogValue

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int64.self) {
                value = .number(number)
            } else {
                value = .text(try container.decode(String.self))
            }
        }
    }
}
