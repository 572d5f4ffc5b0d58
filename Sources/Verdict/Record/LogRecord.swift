package import Platform

/// One entry of the notifier's log.
package struct LogRecord: Sendable {
    private enum Content: Sendable {
        case entry(LogEntry)
        case line(LogLine)
    }

    var at: Duration
    private var content: Content

    package init(at: Duration, entry: LogEntry) {
        self.at = at
        content = .entry(entry)
    }

    package init(at: Duration, line: LogLine) {
        self.at = at
        content = .line(line)
    }

    /// What the verdict reads of it, with strings of which the record has one each.
    package func kept(in pool: inout RecordPool) -> LogRecord {
        var kept = self
        switch content {
        case .entry(var entry):
            entry.fields = entry.fields.compactMap { field in
                LogField.isRead(field.key.description) ? (field.key, pool.pooled(field.value)) : nil
            }
            kept.content = .entry(entry)
        case .line(var line):
            line.fields = line.fields.compactMap { field in
                LogField.isRead(field.key) ? LogLine.Field(key: field.key, value: pool.pooled(field.value)) : nil
            }
            kept.content = .line(line)
        }
        return kept
    }

    /// What kind of entry it is.
    package var message: String {
        switch content {
        case .entry(let entry): entry.message.description
        case .line(let line): line.message
        }
    }

    /// The text of a field; nil when the entry has no such field or it is a number.
    package func text(_ key: String) -> String? {
        guard case .text(let text) = value(key) else { return nil }
        return text
    }

    /// The number in a field; nil when the entry has no such field or it is a text.
    package func number(_ key: String) -> Int64? {
        guard case .number(let number) = value(key) else { return nil }
        return number
    }

    /// As the other, of a field that is kept.
    func text(_ field: LogField) -> String? { text(field.rawValue) }

    /// As the other, of a field that is kept.
    func number(_ field: LogField) -> Int64? { number(field.rawValue) }

    private func value(_ key: String) -> LogValue? {
        switch content {
        case .entry(let entry):
            return entry.fields.first { $0.key.withUTF8Buffer { $0.elementsEqual(key.utf8) } }?.value
        case .line(let line): return line.fields.first { $0.key == key }?.value
        }
    }
}
