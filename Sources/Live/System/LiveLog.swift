import Glibc
package import Platform
import Synchronization

/// Log entries as JSON, one line each, on standard error: `{"time":…,"level":…,"message":…}` and the fields behind them.
///
/// Lines are whole: one `write` each, behind a lock. A line that cannot be written is dropped, as a log must not stop the program.
package final class LiveLog: LogSink {
    private let level: Atomic<Int>
    private let descriptor: Int32
    private let time = LiveTime()
    private static let lock = Mutex(())

    /// - Parameter minimumLevel: entries below it are left out.
    package convenience init(minimumLevel: LogLevel) {
        self.init(minimumLevel: minimumLevel, descriptor: STDERR_FILENO)
    }

    init(minimumLevel: LogLevel, descriptor: Int32) {
        level = Atomic(minimumLevel.rawValue)
        self.descriptor = descriptor
    }

    /// Entries below it are left out; may change at any time.
    package var minimumLevel: LogLevel {
        get { LogLevel(rawValue: level.load(ordering: .relaxed)) ?? .info }
        set { level.store(newValue.rawValue, ordering: .relaxed) }
    }

    package func write(_ entry: LogEntry) {
        guard entry.level >= minimumLevel else { return }
        let line = Array((Self.line(entry, at: time.wallNow) + "\n").utf8)
        Self.lock.withLock { _ in _ = Glibc.write(descriptor, line, line.count) }
    }

    static func line(_ entry: LogEntry, at time: WallTime) -> String {
        var text =
            "{\"time\":\"\(text(time))\",\"level\":\"\(name(entry.level))\",\"message\":\(quoted("\(entry.message)"))"
        for (key, value) in entry.fields {
            text += ",\(quoted("\(key)")):"
            switch value {
            case .text(let value): text += quoted(value)
            case .number(let value): text += String(value)
            }
        }
        return text + "}"
    }

    private static func name(_ level: LogLevel) -> String {
        switch level {
        case .debug: "debug"
        case .info: "info"
        case .notice: "notice"
        case .warning: "warning"
        case .error: "error"
        }
    }

    private static func text(_ time: WallTime) -> String {
        let date = CivilDate(time)
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T"
            + "\(digits(date.hour, 2)):\(digits(date.minute, 2)):\(digits(date.second, 2))"
            + ".\(digits(date.microsecond / 1_000, 3))Z"
    }

    private static func quoted(_ text: String) -> String {
        // Nearly everything stands for itself.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            return "\"\(text)\""
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
