/// How much a log entry matters.
package enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case debug, info, notice, warning, error

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// One value of a log entry's metadata. There is no case for a secret: secrets have types that cannot be put here.
package enum LogValue: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case number(Int64)

    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .number(value) }
}

/// One entry: a constant message, with what varies in `fields` under dotted keys, in the order given.
package struct LogEntry: Sendable {
    package var level: LogLevel
    package var message: StaticString
    package var fields: [(key: StaticString, value: LogValue)]

    package init(level: LogLevel, message: StaticString, fields: [(key: StaticString, value: LogValue)]) {
        self.level = level
        self.message = message
        self.fields = fields
    }
}

/// Where log entries go: a stream of JSON lines live, the trace in simulation.
package protocol LogSink: Sendable {
    /// Entries below this level are not worth building.
    var minimumLevel: LogLevel { get }

    /// Takes one entry. Never throws: a log that cannot be written must not stop the program.
    func write(_ entry: LogEntry)
}
