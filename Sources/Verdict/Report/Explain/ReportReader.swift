import FoundationEssentials
import Glibc

/// Reads the files of a report back.
package struct ReportReader {
    package let folder: String

    /// Throws `ReportError` for what is no whole report: a folder without one of the files.
    package init(_ folder: String, needing names: [String] = ["summary.json", "ledger.jsonl"]) throws {
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw ReportError.notReadable(path: folder, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw ReportError.notADirectory(path: folder) }
        self.folder = folder
        for name in names where access("\(folder)/\(name)", F_OK) != 0 {
            throw ReportError.missingFile(path: folder, name: name)
        }
    }

    /// Every line of the ledger.
    func ledger() throws -> [LedgerLine] {
        var lines: [LedgerLine] = []
        try eachValue(of: "ledger.jsonl") { (_, line: LedgerLine) in lines.append(line) }
        return lines
    }

    /// Whether the report has the file: older ones lack some.
    package func has(_ name: String) -> Bool { access("\(folder)/\(name)", F_OK) == 0 }

    /// Decodes a file that is one JSON value; throws `ReportError` when it cannot be read or is something else.
    package func decoded<Value: Decodable>(_ name: String) throws -> Value {
        var data = Data()
        try eachLine(of: name) { number, line in
            data.append(contentsOf: line.utf8)
            data.append(0x0A)
            guard data.count <= Self.longestFile else {
                throw ReportError.damaged(path: "\(folder)/\(name)", line: number)
            }
        }
        guard let value = try? JSONDecoder().decode(Value.self, from: data) else {
            throw ReportError.damaged(path: "\(folder)/\(name)", line: 1)
        }
        return value
    }

    /// Decodes each line of a file and hands it out with its number; throws `ReportError` for one that does not fit.
    package func eachValue<Value: Decodable>(of name: String, _ body: (Int, Value) throws -> Void) throws {
        let decoder = JSONDecoder()
        try eachLine(of: name) { number, text in
            guard let value = try? decoder.decode(Value.self, from: Data(text.utf8)) else {
                throw ReportError.damaged(path: "\(folder)/\(name)", line: number)
            }
            try body(number, value)
        }
    }

    /// `summary.json` names every seed.
    private static let longestFile = 64 << 20

    /// The lines of the trace in that span of time; none when the report has no trace. Others are not decoded.
    func trace(from start: Int64, to end: Int64) throws -> [TraceLine] {
        guard access("\(folder)/trace.jsonl", F_OK) == 0 else { return [] }
        let decoder = JSONDecoder()
        var lines: [TraceLine] = []
        try eachLine(of: "trace.jsonl") { number, text in
            guard let instant = Self.instant(text) else {
                throw ReportError.damaged(path: "\(folder)/trace.jsonl", line: number)
            }
            guard instant >= start, instant <= end, Self.isTelling(text) else { return }
            guard let line = try? decoder.decode(TraceLine.self, from: Data(text.utf8)) else {
                throw ReportError.damaged(path: "\(folder)/trace.jsonl", line: number)
            }
            lines.append(line)
        }
        return lines
    }

    /// The number a line begins with.
    private static func instant(_ text: Substring) -> Int64? {
        let prefix = "{\"atNanoseconds\":"
        guard text.hasPrefix(prefix) else { return nil }
        return Int64(text.utf8.dropFirst(prefix.utf8.count).prefix { (0x30...0x39).contains($0) || $0 == 0x2D }.text)
    }

    /// Log entries and arrivals are told by the ledger; the rest may belong to the story.
    private static func isTelling(_ text: Substring) -> Bool {
        let head = text.prefix(96)
        return ["\"request.sent\"", "\"reply.sent\"", "\"exchange.ended\"", "\"fault.", "\"node."].contains {
            head.contains($0)
        }
    }

    /// Reads in pieces, so that a long trace needs no memory.
    private func eachLine(of name: String, _ body: (Int, Substring) throws -> Void) throws {
        let path = "\(folder)/\(name)"
        guard let file = fopen(path, "r") else {
            throw ReportError.notReadable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { fclose(file) }
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        var number = 0
        while true {
            let length = getline(&buffer, &capacity, file)
            guard length > 0, let buffer else { return }
            number += 1
            let bytes = UnsafeBufferPointer(start: buffer, count: length).map { UInt8(bitPattern: $0) }
            let text = String(decoding: bytes, as: UTF8.self)
            let line = text.last == "\n" ? text.dropLast() : text[...]
            if !line.isEmpty { try body(number, line) }
        }
    }
}

extension Sequence<UInt8> {
    fileprivate var text: String { String(decoding: Array(self), as: UTF8.self) }
}
