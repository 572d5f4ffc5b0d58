import HTTP

/// An HTTP message as text, so that people can read and write a corpus: a line of words, fields, an empty line, the body.
struct MessageText {
    /// Method and target of a request, status of an answer, and what else a target wants to be told.
    let words: [String]
    let fields: HTTPFields
    let body: [UInt8]

    init(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        let newline = UInt8(ascii: "\n")
        let end = bytes.indices.first { $0 + 1 < bytes.count && bytes[$0] == newline && bytes[$0 + 1] == newline }
        let head = bytes[..<(end ?? bytes.endIndex)]
        body = end.map { Array(bytes[($0 + 2)...]) } ?? []
        var lines = head.split(separator: newline, omittingEmptySubsequences: false)[...]
        let first = lines.popFirst().map { String(decoding: $0, as: UTF8.self) } ?? ""
        words = first.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        fields = lines.reduce(into: HTTPFields()) { fields, line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
            let value = line[line.index(after: colon)...].drop { $0 == UInt8(ascii: " ") }
            fields.append(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
    }

    /// The message as a request to `origin`; nil unless the first line has a method and a target.
    func request(to origin: HTTPOrigin) -> HTTPRequest? {
        guard words.count >= 2, words[1].hasPrefix("/") else { return nil }
        return HTTPRequest(
            method: HTTPMethod(rawValue: words[0]),
            origin: origin,
            target: words[1],
            fields: fields,
            body: body
        )
    }

    /// The message as an answer; nil unless the first word is a status.
    var response: HTTPResponse? {
        guard let status = words.first.flatMap({ Int($0) }), (100...599).contains(status) else { return nil }
        return HTTPResponse(status: status, fields: fields, body: body)
    }

    /// Messages with a line `---` between them.
    static func sequence(_ bytes: [UInt8], limit: Int) -> [MessageText] {
        let mark = Array("\n---\n".utf8)
        var messages: [MessageText] = []
        var rest = bytes[...]
        while messages.count < limit {
            guard let end = rest.indices.first(where: { rest[$0...].starts(with: mark) }) else {
                messages.append(MessageText(rest))
                break
            }
            messages.append(MessageText(rest[..<end]))
            rest = rest[(end + mark.count)...]
        }
        return messages
    }
}
