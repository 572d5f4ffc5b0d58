import Glibc
import JSON
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
        let head = [
            JSONMember("time", .string(time.utcText(.milliseconds))), JSONMember("level", .string(name(entry.level))),
            JSONMember("message", .string("\(entry.message)")),
        ]
        let fields = entry.fields.map { key, value in
            switch value {
            case .text(let value): JSONMember("\(key)", .string(value))
            case .number(let value): JSONMember("\(key)", .integer(value))
            }
        }
        return JSONValue.object(head + fields).text(indented: false)
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
}
