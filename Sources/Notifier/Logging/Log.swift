import Platform

/// What the notifier's parts write to. Fields are built only when the sink wants the level, so a silent log costs a comparison.
struct Log: Sendable {
    let sink: any LogSink
    /// Keeps what comes with every failure of the database from filling the log; nil lets all of it through.
    let watch: StoreMonitor?

    init(sink: any LogSink, watch: StoreMonitor? = nil) {
        (self.sink, self.watch) = (sink, watch)
    }

    /// One varying value of an entry, under a dotted key.
    typealias Field = (key: StaticString, value: LogValue)

    /// Writes `message` with `fields` when the sink's level asks for it.
    func write(_ message: LogMessage, _ fields: @autoclosure () -> [Field] = []) {
        guard message.level >= sink.minimumLevel else { return }
        if message.comesWithStore, let watch, !watch.admits(message) { return }
        sink.write(LogEntry(level: message.level, message: message.text, fields: fields()))
    }
}

/// One constant message and how much it matters. Each stands in one of the tables of this folder; what varies goes into fields.
struct LogMessage: Sendable {
    let level: LogLevel
    let text: StaticString
    /// True for what is written each time the database fails: while it goes on failing, once is enough.
    let comesWithStore: Bool

    init(_ level: LogLevel, _ text: StaticString, comesWithStore: Bool = false) {
        self.level = level
        self.text = text
        self.comesWithStore = comesWithStore
    }
}

extension LogValue {
    /// A number of any size up to 64 bits.
    static func count(_ value: Int) -> LogValue { .number(Int64(value)) }

    /// A duration in whole milliseconds.
    static func milliseconds(_ value: Duration) -> LogValue { .number(value.wholeMilliseconds) }
}
